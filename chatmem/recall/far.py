"""The last tier: a store on another machine, asked where what is near does not answer."""

import logging
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial

from chatmem.domain.errors import StoreError
from chatmem.domain.forgetting import forbids_text
from chatmem.domain.memory import MemoryId
from chatmem.domain.recall import Recalled, Source
from chatmem.ports.embedder import Vector
from chatmem.ports.far_store import FarFinds, FarStore
from chatmem.ports.journal import Journal
from chatmem.recall.fusion import fuse
from chatmem.recall.question import Question
from chatmem.recall.showing import TURN_SIMILARITY

FOUND = 20
"""Taken from each list."""

PLACE = "remote:"
"""Stands before the id of a memory that lies elsewhere: no memory here has such a one."""

Forgotten = Callable[[str], bool]
"""Whether a text says what was forgotten for good."""

logger = logging.getLogger(__name__)


def forgotten_by(journal: Journal) -> Forgotten:
    """What its tombstones keep out.

    Raises:
        StoreError: If they could not be read.
    """
    tombstones = journal.tombstones()
    return partial(forbids_text, tombstones, journal.tombstone_key()) if tombstones else lambda _: False


def far_away(
    store: FarStore, question: Question, vector: Vector | None, now: datetime, *, forgotten: Forgotten
) -> list[Recalled]:
    """What a far store holds that bears on a question, best first; nothing where it can't be asked.

    Where meanings can be compared a word in common is not enough: what lies there was not said in these conversations.
    What was forgotten here may still lie there, and is left out.
    """
    if not question.telling or question.bounds.narrow or question.bounds.as_of:
        return []
    try:
        found = store.find(question.telling, vector, limit=FOUND)
    except StoreError as error:
        logger.warning("the remote store gave no answer: %s", type(error.__cause__ or error).__name__)
        return []
    return [item for item in _bearing(found, now) if not forgotten(item.text)]


def _bearing(found: FarFinds, now: datetime) -> Iterator[Recalled]:
    memories = {memory.id: memory for memory in found.memories}
    for ranked in fuse(found.by_words, found.by_meaning):
        memory = memories.get(ranked.id)
        alike = (ranked.similarity or 0) >= TURN_SIMILARITY
        if memory is not None and (alike or (ranked.worded and not found.compared)):
            yield Recalled(
                id=MemoryId(PLACE + memory.id),
                source=Source.REMOTE,
                text=memory.text,
                score=ranked.score,
                parts=ranked.parts,
                said_at=memory.written_at or now,
            )
