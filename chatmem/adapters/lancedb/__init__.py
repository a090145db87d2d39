"""LanceDB: the memory store and the turn index."""

import os

# LanceDB reads it when it is imported; without it its warnings are written over the screen.
os.environ.setdefault("LANCEDB_LOG", "error")
