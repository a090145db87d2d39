"""Building both indexes anew from the session log and the journal, which are the truth, while the old ones answer.

What is read of the truth is written while no one else writes, and only where nothing is yet: so nothing new is
overwritten by what was read before it, and nothing that was forgotten meanwhile comes back.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from chatmem.consolidation.gate import Gate
from chatmem.domain.embedding import Vector
from chatmem.domain.errors import EmbedderError, NotFoundError
from chatmem.domain.memory import MemoryId
from chatmem.domain.turn import SessionId, Turn, TurnId, TurnStatus, embedded_text
from chatmem.ports.embedder import Embedder
from chatmem.ports.generations import Generation, Generations
from chatmem.ports.journal import Journal
from chatmem.ports.memory_store import MemoryFilter
from chatmem.ports.session_log import SessionLog

EMBEDDED_LENGTH = 4000
"""An embedder reads some hundred words; more characters than this only cost time."""

_WRITTEN_AT_ONCE = 500
_EMBEDDED_AT_ONCE = 32
_ALL = 2**31 - 1
_PATIENCE_S = 60.0

Advance = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is; must not block."""

logger = logging.getLogger(__name__)


class Rebuilding:
    """Sees to it that the indexes hold everything, with vectors of the embedder that is wanted. Methods block.

    It may be stopped, or killed, at any moment: the next run goes on from there.

    Args:
        log: What was said.
        journal: What was learned.
        generations: The indexes.
        wanted: The embedder whose vectors they are to hold; `None` for whichever they hold already.
        gate: Holds it back while an answer has priority, and ends a run early.
    """

    def __init__(
        self,
        *,
        log: SessionLog,
        journal: Journal,
        generations: Generations,
        wanted: Embedder | None,
        gate: Gate,
    ) -> None:
        self._log = log
        self._journal = journal
        self._generations = generations
        self._wanted = wanted
        self._gate = gate
        self._found: str | None = None

    def complete(self, advance: Advance) -> None:
        """Have the indexes in use hold all that was said and learned, to be found by its words.

        Raises:
            RefusedError: If another process is building, or writes for too long.
            StoreError: If the log, the journal or an index could not be read or written.
        """
        if not self._generations.whole():
            with self._generations.completing() as generation:
                self._put_words(generation, advance)
                if self._goes_on():
                    self._generations.put_to_use(generation)

    def due(self) -> bool:
        """Whether the indexes in use are of another embedder than the one wanted. Loads nothing.

        Those that another window made meanwhile are left as they are: it knows newer settings.
        """
        answering = self._generations.answering()
        if answering is None or self._wanted is None:
            return False
        if self._found is None:
            self._found = answering.model
        return answering.model == self._found != self._wanted.model

    def run(self, advance: Advance, *, anew: bool = False) -> None:
        """Build another generation with vectors of the embedder that is wanted, and put it to use.

        Args:
            advance: Told of each step.
            anew: Do not go on with what was begun, which may be damaged; and do without vectors where the embedder
                can't be had.

        Raises:
            EmbedderError: If the embedder can't be had or failed; what was built is kept.
            RefusedError: If another process is building, or writes for too long.
            StoreError: If the log, the journal or an index could not be read or written.
        """
        embedder = self._loaded(or_none=anew)
        model, dimension = self._kind(embedder)
        with self._generations.building(model, dimension, anew=anew) as generation:
            self._put_words(generation, advance)
            if embedder is not None:
                self._put_vectors(generation, embedder, advance)
            if self._goes_on():
                self._generations.put_to_use(generation)

    def _goes_on(self) -> bool:
        while not self._gate.stop.is_set():
            if self._gate.wait(_PATIENCE_S):
                return True
        return False

    def _loaded(self, *, or_none: bool) -> Embedder | None:
        if self._wanted is not None:
            try:
                self._wanted.warm_up()
            except EmbedderError:
                if not or_none:
                    raise
                return None
        return self._wanted

    def _kind(self, embedder: Embedder | None) -> tuple[str, int]:
        if embedder is not None:
            return embedder.model, embedder.dimension
        with self._generations.completing() as answering:
            return answering.model, answering.dimension

    def _put_words(self, generation: Generation, advance: Advance) -> None:
        there = {memory.id for memory in generation.memories.select(MemoryFilter())}
        due = [memory.id for memory in self._journal.latest() if memory.id not in there]
        sessions = [session.id for session in self._log.sessions()]
        total = len(due) + len(sessions)
        for at in range(0, len(due), _WRITTEN_AT_ONCE):
            if not self._goes_on():
                return
            advance("reading what was learned", at, total)
            self._put_memories(generation, due[at : at + _WRITTEN_AT_ONCE])
        done = len(due)
        for some in self._bundled(sessions):
            if not self._goes_on():
                return
            advance("reading what was said", done, total)
            self._put_turns(generation, some)
            done += len(some)

    def _put_memories(self, generation: Generation, ids: Sequence[MemoryId]) -> None:
        with self._generations.settled():
            there = {memory.id for memory in generation.memories.get(ids)}
            forgotten, _ = self._journal.unfinished_forgetting()
            missing = [id_ for id_ in ids if id_ not in there and id_ not in forgotten]
            memories = self._journal.latest(missing)
            generation.memories.put(memories, [None] * len(memories))

    def _bundled(self, sessions: Sequence[SessionId]) -> Iterator[Sequence[SessionId]]:
        """Sessions that have together enough turns to be written at once: many small writes would take long."""
        bundle: list[SessionId] = []
        turns = 0
        for session_id in sessions:
            bundle.append(session_id)
            turns += len(self._log.turns(session_id, every_branch=True))
            if turns >= _WRITTEN_AT_ONCE:
                yield bundle
                bundle, turns = [], 0
        if bundle:
            yield bundle

    def _put_turns(self, generation: Generation, sessions: Sequence[SessionId]) -> None:
        with self._generations.settled():
            said = [turn for session_id in sessions for turn in self._log.turns(session_id, every_branch=True)]
            ended = [turn for turn in said if turn.status is not TurnStatus.STREAMING and not turn.off_record]
            there = generation.turns.indexed([turn.id for turn in ended])
            missing = [turn for turn in ended if turn.id not in there]
            generation.turns.put(missing, [None] * len(missing))

    def _put_vectors(self, generation: Generation, embedder: Embedder, advance: Advance) -> None:
        memories = generation.memories.without_vector(limit=_ALL)
        turns = generation.turns.without_vector(limit=_ALL)
        total = len(memories) + len(turns)
        for at in range(0, len(memories), _EMBEDDED_AT_ONCE):
            if not self._goes_on():
                return
            advance("embedding", at, total)
            self._embed_memories(generation, embedder, [memory.id for memory in memories[at : at + _EMBEDDED_AT_ONCE]])
        waiting = iter(turns)
        done = len(memories)
        while (some := list(islice(waiting, _EMBEDDED_AT_ONCE))) and self._goes_on():
            advance("embedding", done, total)
            self._embed_turns(generation, embedder, some)
            done += len(some)

    def _embed_memories(self, generation: Generation, embedder: Embedder, ids: Sequence[MemoryId]) -> None:
        memories = generation.memories.get(ids)
        before = {memory.id: memory.text for memory in memories}
        vectors = dict(zip(before, _embedded(embedder, list(before.values())), strict=True))
        with self._generations.settled():
            same = [memory for memory in generation.memories.get(ids) if before.get(memory.id) == memory.text]
            generation.memories.put(same, [vectors[memory.id] for memory in same])

    def _embed_turns(self, generation: Generation, embedder: Embedder, ids: Sequence[TurnId]) -> None:
        before = {turn.id: embedded_text(turn) for turn in self._said(ids)}
        vectors = dict(zip(before, _embedded(embedder, list(before.values())), strict=True))
        with self._generations.settled():
            turns = self._said(generation.turns.indexed(list(before)))
            same = [turn for turn in turns if embedded_text(turn) == before[turn.id]]
            generation.turns.put(same, [vectors[turn.id] for turn in same])

    def _said(self, ids: Iterable[TurnId]) -> Iterator[Turn]:
        for id_ in ids:
            with suppress(NotFoundError):
                yield self._log.turn(id_)


def _embedded(embedder: Embedder, texts: Sequence[str]) -> list[Vector]:
    vectors = embedder.embed([text[:EMBEDDED_LENGTH] for text in texts])
    if len(vectors) != len(texts):
        raise EmbedderError(f"The embedder answered {len(texts)} texts with {len(vectors)} vectors.")
    return vectors
