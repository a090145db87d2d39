"""Where things lie, and what the person set."""
