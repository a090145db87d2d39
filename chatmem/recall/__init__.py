"""A question -> the memories worth showing."""
