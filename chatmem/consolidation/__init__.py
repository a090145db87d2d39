"""A stretch of talk -> memories, on one background thread."""
