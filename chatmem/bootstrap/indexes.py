"""The indexes of a profile, the embedder that goes with them, and what keeps both in order."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from chatmem.adapters.lancedb.answering import AnsweringMemories, AnsweringTurns
from chatmem.adapters.lancedb.database import HELD_ROWS
from chatmem.adapters.lancedb.generations import LanceGenerations
from chatmem.bootstrap.embedders import EmbedderInUse, OwnedEmbedder
from chatmem.bootstrap.upkeep import Upkeep
from chatmem.config.paths import Paths
from chatmem.config.schema import Settings
from chatmem.consolidation.gate import Gate
from chatmem.consolidation.rebuilding import Rebuilding
from chatmem.ports.journal import Journal
from chatmem.ports.session_log import SessionLog


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileIndexes:
    """Where recall looks, and the embedder whose vectors are there."""

    generations: LanceGenerations
    memories: AnsweringMemories
    turns: AnsweringTurns
    embedder: EmbedderInUse


def open_indexes(
    folder: Path,
    places: Paths,
    wanted: OwnedEmbedder,
    former: Callable[[str], OwnedEmbedder | None],
    closing: ExitStack,
    *,
    edge: bool,
) -> ProfileIndexes:
    """The indexes in a folder; nothing is read or made.

    Args:
        folder: The profile's, or one that stands in for it.
        places: How they are called there.
        wanted: The embedder of the settings.
        former: The embedder of a model that was wanted once.
        closing: What must be closed goes here.
        edge: Hold nothing in memory, but search on disk.
    """
    generations = LanceGenerations(
        folder / places.memories.name,
        folder / places.memories_lock.name,
        lambda: (wanted.model, wanted.dimension),
        held_rows=0 if edge else HELD_ROWS,
    )
    closing.callback(generations.close)
    embedder = EmbedderInUse(wanted, generations.searched, former)
    closing.callback(embedder.close)
    return ProfileIndexes(
        generations=generations,
        memories=AnsweringMemories(generations),
        turns=AnsweringTurns(generations),
        embedder=embedder,
    )


def upkeep_of(
    indexes: ProfileIndexes, *, settings: Settings, log: SessionLog, journal: Journal, gate: Gate, closing: ExitStack
) -> Upkeep:
    """What keeps the indexes whole, and of the embedder that the settings want."""
    wanted = settings.embedding.enabled
    rebuilding = Rebuilding(
        log=log,
        journal=journal,
        generations=indexes.generations,
        wanted=indexes.embedder.wanted if wanted else None,
        gate=gate,
    )
    upkeep = Upkeep(rebuilding, indexes.embedder, gate.stop, enabled=wanted, fetches=settings.embedding.fetch)
    closing.callback(upkeep.end)
    return upkeep
