"""Modules that take the place of heavy libraries in a child process, by way of `PYTHONPATH`."""
