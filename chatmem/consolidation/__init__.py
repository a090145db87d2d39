"""A stretch of talk becomes memories: extract, guard, reconcile, write; and the thread that does it."""
