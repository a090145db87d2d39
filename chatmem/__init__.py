"""A terminal chat with memory that can be seen, traced, corrected and erased."""

__version__ = "0.1.0"
