"""The clock, the log file and the terminal."""
