"""Asking both indexes for candidates: by words while the question is still being embedded, then by its vector."""

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from chatmem.domain.errors import EmbedderError, StoreError
from chatmem.domain.memory import MemoryId
from chatmem.domain.recall import Match
from chatmem.ports.embedder import Embedder, Vector
from chatmem.ports.memory_store import MemoryStore, TurnIndex
from chatmem.recall.question import Question

CANDIDATES = 100
"""Taken from each list of each index. On LoCoMo's 550 turns 50 lose .004 of recall@10, and 200 gain nothing."""

CANDIDATES_OF_SOME = 1_000
"""Where the question filters by time, so that enough are left."""

READ_AHEAD = 25
"""Of the memories found by words, so many are among the best by words and vectors."""

PATIENCE_S = 5.0
"""How long a question waits for an embedder that is just being loaded, in the first seconds after the start. Better a
late answer than one that does not know of the allergy."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """What the indexes found, best first; a list is empty where it was not asked.

    Attributes:
        vector: Of the question; `None` without an embedder.
    """

    vector: Vector | None
    memories_by_words: Sequence[Match] = ()
    memories_by_vector: Sequence[Match] = ()
    turns_by_words: Sequence[Match] = ()
    turns_by_vector: Sequence[Match] = ()


class Looker:
    """Looks for candidates. Methods block, and may be called from any thread."""

    def __init__(self, memories: MemoryStore, turns: TurnIndex, embedder: Embedder) -> None:
        self._memories = memories
        self._turns = turns
        self._embedder = embedder
        # While the question is embedded, for 3 ms in which the interpreter is free.
        self._beside = ThreadPoolExecutor(max_workers=2, thread_name_prefix="recall")

    def look(self, question: Question, *, memories: bool = True, turns: bool = True, history: bool = False) -> Hits:
        """Candidates from the indexes asked for.

        Args:
            question: The question.
            memories: Whether to ask the memory store.
            turns: Whether to ask the turn index.
            history: Whether superseded memories are wanted too.

        Raises:
            StoreError: If full text could not be searched; where only the vectors can't be, words alone count.
        """
        limit = CANDIDATES_OF_SOME if question.bounds.narrow else CANDIDATES
        telling = question.telling
        memories_worded = (
            self._beside.submit(self._memories_worded, telling, limit=limit, history=history) if memories else None
        )
        turns_worded = self._beside.submit(self._turns.by_words, telling, limit=limit) if turns else None
        vector = self._vector(question.topic)
        near: list[Match] = []
        near_turns: list[Match] = []
        if vector is not None:
            try:
                near = self._memories.by_vector(vector, limit=limit, history=history) if memories else []
                near_turns = self._turns.by_vector(vector, limit=limit) if turns else []
            except StoreError:
                logger.warning("the vectors can't be searched; recall goes by words alone")
                vector, near = None, []
        return Hits(
            vector=vector,
            memories_by_words=memories_worded.result() if memories_worded else (),
            memories_by_vector=near,
            turns_by_words=turns_worded.result() if turns_worded else (),
            turns_by_vector=near_turns,
        )

    def _memories_worded(self, telling: str, *, limit: int, history: bool) -> list[Match]:
        """Memories by words. The best are read too, as the interpreter is free now; the store keeps what was read."""
        found = self._memories.by_words(telling, limit=limit, history=history)
        self._memories.get([MemoryId(match.id) for match in found[:READ_AHEAD]])
        return found

    def _vector(self, text: str) -> Vector | None:
        if not text.strip() or not self._embedder.wait_ready(PATIENCE_S):
            return None
        try:
            return self._embedder.embed([text])[0]
        except EmbedderError:
            logger.warning("the embedder failed; recall goes by words alone")
            return None
