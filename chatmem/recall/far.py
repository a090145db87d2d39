"""The last tier: a store on another machine, asked where what is near does not answer."""

import logging
from collections.abc import Iterator
from datetime import datetime

from chatmem.domain.errors import StoreError
from chatmem.domain.memory import MemoryId
from chatmem.domain.recall import Recalled, Source
from chatmem.ports.embedder import Vector
from chatmem.ports.far_store import FarStore
from chatmem.recall.fusion import fuse
from chatmem.recall.question import Question
from chatmem.recall.showing import TURN_SIMILARITY

FOUND = 20
"""Taken from each list."""

PLACE = "remote:"
"""Stands before the id of a memory that lies elsewhere: no memory here has such a one."""

logger = logging.getLogger(__name__)


def far_away(store: FarStore, question: Question, vector: Vector | None, now: datetime) -> list[Recalled]:
    """What a far store holds that bears on a question, best first; nothing where it can't be asked.

    Without a likeness in meaning a word in common is not enough: what lies there was not said in these conversations.
    """
    if not question.telling or question.bounds.narrow or question.bounds.as_of:
        return []
    try:
        return list(_asked(store, question, vector, now))
    except StoreError as error:
        logger.warning("the remote store gave no answer: %s", type(error.__cause__ or error).__name__)
        return []


def _asked(store: FarStore, question: Question, vector: Vector | None, now: datetime) -> Iterator[Recalled]:
    found = store.find(question.telling, vector, limit=FOUND)
    memories = {memory.id: memory for memory in found.memories}
    for ranked in fuse(found.by_words, found.by_meaning):
        memory = memories.get(ranked.id)
        if memory is not None and (ranked.worded if vector is None else (ranked.similarity or 0) >= TURN_SIMILARITY):
            yield Recalled(
                id=MemoryId(PLACE + memory.id),
                source=Source.REMOTE,
                text=memory.text,
                score=ranked.score,
                parts=ranked.parts,
                said_at=memory.written_at or now,
            )
