"""tiktoken: counting tokens."""
