"""A stretch of talk becomes memories: extract, guard, reconcile, write; and the thread that does it."""

from chatmem.consolidation.consolidator import Consolidator, Tally, Tell
from chatmem.consolidation.curator import Curator
from chatmem.consolidation.extract import ModelExtractor
from chatmem.consolidation.gate import Gate
from chatmem.consolidation.indexing import TurnIndexer
from chatmem.consolidation.thread import ConsolidationThread, Pace
from chatmem.consolidation.writer import MemoryWriter

__all__ = [
    "ConsolidationThread",
    "Consolidator",
    "Curator",
    "Gate",
    "MemoryWriter",
    "ModelExtractor",
    "Pace",
    "Tally",
    "Tell",
    "TurnIndexer",
]
