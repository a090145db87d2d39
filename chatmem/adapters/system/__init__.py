"""The clock and the file system."""
