"""SQLite: session log, job queue, journal and counters, one file a profile."""
