"""Pictures of the real screens for the README, made by `python -m tests.pictures`."""
