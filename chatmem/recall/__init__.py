"""A question -> the memories worth showing."""

from chatmem.recall.evidence import Verdict
from chatmem.recall.recall import Recall

__all__ = ["Recall", "Verdict"]
