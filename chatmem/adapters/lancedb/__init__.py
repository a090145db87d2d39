"""LanceDB: the memory store and the turn index."""
