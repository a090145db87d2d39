"""LanceDB: the memory store and the turn index."""

import os

# LanceDB reads it when it is imported; without it its warnings are written over the screen.
os.environ.setdefault("LANCEDB_LOG", "error")

# numpy reads it likewise. Its threads would spin on after each comparison, and take 60 ms of processor time a question.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
