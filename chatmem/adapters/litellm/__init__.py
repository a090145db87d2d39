"""litellm: every provider of language models."""
