"""The one way into the memory store: journal first, then the store, so that a crash between them is made good."""

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from chatmem.consolidation.beside import Beside
from chatmem.consolidation.linking import doubts, linked
from chatmem.consolidation.reconcile import (
    Conflicts,
    Neighbour,
    closed,
    reconcile,
    restrained,
    retires,
    says_it,
)
from chatmem.domain.change import Cause, Change, ChangeSet, JobId
from chatmem.domain.embedding import model_of
from chatmem.domain.errors import EmbedderError, RefusedError
from chatmem.domain.forgetting import TombstoneId, forbids
from chatmem.domain.memory import Memory, MemoryId, Status, Wait
from chatmem.domain.turn import TurnId
from chatmem.ports.clock import Clock
from chatmem.ports.embedder import Embedder, Vector
from chatmem.ports.journal import Journal
from chatmem.ports.memory_store import MemoryFilter, MemoryStore

logger = logging.getLogger(__name__)

_NEIGHBOURS = 16
_OF_A_SLOT = 64
_EMBED_AT_ONCE = 64
_CLOSE = 16
"""So many memories before and after one in its turn are said in one breath with it."""


class MemoryWriter:
    """Works out what new memories change, and writes change sets. Methods block, and may be called from any thread.

    Attributes:
        alone: To be held from reading a memory until the change to it is written, so that no edit is lost.
        journal: Where change sets are kept.
        store: The memory store.
        clock: Tells the time.
    """

    def __init__(  # noqa: PLR0913 all by name
        self,
        *,
        journal: Journal,
        store: MemoryStore,
        embedder: Embedder,
        clock: Clock,
        conflicts: Conflicts = "newest",
        review: bool = False,
        alone: AbstractContextManager[object] | None = None,
    ) -> None:
        """Keep what it works with.

        Args:
            journal: Where change sets are kept.
            store: The memory store.
            embedder: Embeds texts, once it is ready.
            clock: Tells the time.
            conflicts: What to do with a memory that another contradicts.
            review: Whether everything that is learned waits until the person has seen it.
            alone: Keeps other threads and windows from changing memories, and may be taken again by the thread that
                has it; `None` where there is one window only.
        """
        self.alone = alone or threading.RLock()
        self.journal = journal
        self.store = store
        self.clock = clock
        self._embedder = embedder
        self._conflicts: Conflicts = conflicts
        self._review = review
        self._planned: Mapping[str, Vector | None] = {}

    def plan(self, new: Sequence[Memory], *, forgotten: Callable[[], object] = lambda: None) -> list[Change]:
        """What these new memories change, in order, each told beside the ones before it; writes nothing.

        What a tombstone forbids is left out. A memory may change more than once.

        Args:
            new: The new memories.
            forgotten: Called for each that is left out.

        Raises:
            StoreError: If the journal or the store could not be read.
        """
        now = self.clock.now()
        if self._review:
            new = [_to_review(memory) for memory in new]
        changes: list[Change] = []
        beside = Beside()
        waiting = self._waiting()
        said = _by_turn(new)
        allowed = self._allowed(new)
        for _ in range(len(new) - len(allowed)):
            forgotten()
        for memory, vector in allowed:
            stored = {near.memory.id: near for near in self._neighbours(memory, vector, waiting)}
            near = beside.near(memory, vector, stored)
            for change in reconcile(
                memory, _nearest_first(near.values()), now, self._conflicts, _said_with(memory, said)
            ):
                if change.before is None:
                    change = replace(change, after=linked(change.memory, list(near.values())))  # noqa: PLW2901
                changes.append(change)
                beside.put(change.memory, vector if change.before is None else None)
        return self.with_doubts(changes, beside.all())

    def plan_by_hand(self, new: Memory) -> list[Change]:
        """What a memory that the person writes changes: it is added, and takes the place of what it contradicts.

        Raises:
            StoreError: If the store could not be read.
        """
        neighbours = self._neighbours(new, self.vectors([new.text])[0], self._waiting())
        changes = reconcile(linked(new, neighbours), neighbours, self.clock.now(), self._conflicts)
        return self.with_doubts(changes)

    def plan_restored(self, whole: Memory) -> list[Change]:
        """What a memory changes that was taken over as another store held it: beside what came with it, nothing.

        Raises:
            StoreError: If the store could not be read.
        """
        whole = _to_review(whole) if self._review else whole
        near = self._neighbours(whole, self.vectors([whole.text])[0], self._waiting())
        others = [one for one in near if one.memory.imported_from != whole.imported_from]
        return self.with_doubts(reconcile(whole, others, self.clock.now(), self._conflicts))

    def plan_accepted(self, waiting: Memory) -> list[Change]:
        """What the person's yes to a memory that waited changes: it takes part in recall, and its place.

        Raises:
            RefusedError: If it was forgotten for good.
            StoreError: If the journal or the store could not be read.
        """
        now = self.clock.now()
        self.check_allowed(waiting)
        accepted = replace(waiting, status=Status.ACTIVE, waits_for=None, updated_at=now)
        near = self._neighbours(waiting, self.vectors([waiting.text])[0], self._waiting())
        others = [one for one in near if one.memory.id != waiting.id and one.memory.status is not Status.PENDING]
        changes = list(reconcile(accepted, others, now, "newest"))
        if all(change.memory_id != waiting.id for change in changes):
            known = next(one.memory for one in others if says_it(accepted, one))
            return [*changes, Change(before=waiting, after=closed(waiting, by=known))]
        changes = [replace(change, before=waiting) if change.memory_id == waiting.id else change for change in changes]
        return self.with_doubts(changes)

    def with_doubts(self, changes: Sequence[Change], beside: Mapping[MemoryId, Memory] | None = None) -> list[Change]:
        """The changes, and those that put in doubt what rests on a home, a job or a diet that they supersede.

        Args:
            changes: The changes.
            beside: Memories as they will be, where that differs from what is stored.

        Raises:
            StoreError: If the store could not be read.
        """
        if not any(change.before and change.memory.status is Status.SUPERSEDED for change in changes):
            return list(changes)
        active = self.store.select(MemoryFilter(status=Status.ACTIVE))
        return [*changes, *doubts(changes, [(beside or {}).get(one.id, one) for one in active])]

    def known_as(self, new: Memory) -> Memory | None:
        """The memory that says the same as a new one already, if there is one.

        Raises:
            StoreError: If the store could not be read.
        """
        vector = self.vectors([new.text])[0]
        near = self._neighbours(new, vector, self._waiting())
        return next((one.memory for one in near if says_it(new, one)), None)

    def check_allowed(self, new: Memory) -> None:
        """Make sure that no tombstone forbids a memory.

        Raises:
            RefusedError: If it was forgotten for good.
            StoreError: If the journal could not be read.
        """
        if self.forbidden([new]):
            raise RefusedError("This was forgotten for good, so it is not learned again. Say it in other words.")

    def forbidden(self, memories: Sequence[Memory], lifted: Collection[TombstoneId] = ()) -> frozenset[MemoryId]:
        """Those of some memories that were forgotten for good, in these or other words.

        Args:
            memories: The memories.
            lifted: Tombstones that are about to be taken away, and forbid nothing.

        Raises:
            StoreError: If the journal could not be read.
        """
        allowed = {memory.id for memory, _ in self._allowed(memories, lifted)}
        return frozenset(memory.id for memory in memories) - allowed

    def write(self, changes: ChangeSet) -> None:
        """Record a change set and bring it into the store; an empty one is dropped.

        One of consolidation that would retire a good part of what is remembered waits for the person instead.

        Raises:
            StoreError: If the journal or the store could not be written; what was recorded is brought in later.
        """
        if changes.cause is Cause.CONSOLIDATION:
            changes = restrained(changes, self._number_active, self._retired_by(changes.job_id))
        if changes.changes:
            self.journal.record(changes)
            self._bring_in({change.memory_id: change.after for change in changes.changes})
            self.journal.mark_applied(changes.id)

    def finish_interrupted(self) -> int:
        """Bring in what was recorded and not yet written when chatmem ended; returns the number of change sets."""
        with self.alone:
            interrupted = self.journal.unapplied()
            ids = {change.memory_id for changes in interrupted for change in changes.changes}
            # A later change set may have changed the same memory, so the journal's last word is written.
            latest = {memory.id: memory for memory in self.journal.latest(ids)}
            self._bring_in({id_: latest.get(id_) for id_ in ids})
            for changes in interrupted:
                self.journal.mark_applied(changes.id)
        return len(interrupted)

    def embed_missing(self, most: int | None = None) -> int:
        """Give vectors to memories stored without, once the embedder is ready; returns how many got one.

        Args:
            most: About how many get one at once; `None` for all.

        Raises:
            StoreError: If the store could not be read or written.
        """
        done = 0
        while self.embeds() and (most is None or done < most):
            with self.alone:
                bare = self.store.without_vector(limit=_EMBED_AT_ONCE)
                vectors = self.vectors([memory.text for memory in bare])
                if None in vectors or not bare:
                    break
                self.store.put(bare, vectors)
            done += len(bare)
        return done

    def embeds(self) -> bool:
        """Whether there are vectors to be had now. Does not block."""
        return self._embedder.ready()

    def vectors(self, texts: Sequence[str]) -> Sequence[Vector | None]:
        """Embed texts; all are `None` while the embedder is not ready, or when it fails."""
        if not texts or not self.embeds():
            return [None] * len(texts)
        try:
            # A few at a time, as a question may be waiting for the embedder.
            batches = (texts[at : at + _EMBED_AT_ONCE] for at in range(0, len(texts), _EMBED_AT_ONCE))
            return [vector for batch in batches for vector in self._embedder.embed(batch)]
        except EmbedderError:
            logger.warning("the embedder failed on %d texts; they are searched by words only", len(texts))
            return [None] * len(texts)

    def _vectors_again(self, texts: Sequence[str]) -> Sequence[Vector | None]:
        """Vectors of texts, most of which were embedded when they were planned; by the embedder that is in use now."""
        planned, self._planned = self._planned, {}
        if planned:
            model = self._embedder.model
            planned = {text: vector for text, vector in planned.items() if model_of(vector) == model}
        fresh = [text for text in dict.fromkeys(texts) if text not in planned]
        known = dict(planned) | dict(zip(fresh, self.vectors(fresh), strict=True))
        return [known[text] for text in texts]

    def _allowed(
        self, new: Sequence[Memory], lifted: Collection[TombstoneId] = ()
    ) -> list[tuple[Memory, Vector | None]]:
        """The new memories that no tombstone forbids, with their vectors."""
        tombstones = [one for one in self.journal.tombstones() if one.id not in lifted]
        key = self.journal.tombstone_key()
        texts = [memory.text for memory in new]
        vectors = self.vectors(texts)
        self._planned = dict(zip(texts, vectors, strict=True))
        return [
            (memory, vector)
            for memory, vector in zip(new, vectors, strict=True)
            if not any(forbids(tombstone, key, memory, vector) for tombstone in tombstones)
        ]

    def _waiting(self) -> list[Memory]:
        return self.store.select(MemoryFilter(status=Status.PENDING))

    def _neighbours(self, memory: Memory, vector: Vector | None, waiting: Sequence[Memory]) -> list[Neighbour]:
        """Memories that may say the same, or contradict it: the nearest, those of its slot, and those that wait."""
        found = [match.id for match in self.store.by_words(memory.text, limit=_NEIGHBOURS, history=True)]
        similar = (
            {match.id: match.value for match in self.store.by_vector(vector, limit=_NEIGHBOURS, history=True)}
            if vector
            else {}
        )
        others = list(waiting)
        if memory.slot is not None:
            others += self.store.select(MemoryFilter(slot=memory.slot), limit=_OF_A_SLOT)
        ids = [MemoryId(id_) for id_ in dict.fromkeys((memory.id, *similar, *found, *(other.id for other in others)))]
        return [
            Neighbour(memory=near, similarity=similar.get(near.id))
            for near in self.store.get(ids)
            if near.status is not Status.RETIRED or near.id == memory.id
        ]

    def _number_active(self) -> int:
        return len(self.store.select(MemoryFilter(status=Status.ACTIVE)))

    def _retired_by(self, job_id: JobId | None) -> int:
        """How many memories the parts of a job that are written took out of recall."""
        parts = self.journal.parts(job_id) if job_id else []
        return sum(retires(change) for part in parts for change in part.changes)

    def _bring_in(self, states: Mapping[MemoryId, Memory | None]) -> None:
        memories = [memory for memory in states.values() if memory]
        if memories:
            self.store.put(memories, self._vectors_again([memory.text for memory in memories]))
        if gone := [id_ for id_, memory in states.items() if memory is None]:
            self.store.erase(gone)


def _to_review(memory: Memory) -> Memory:
    """A new memory that waits for the person to see it, unless it is asked about for another reason."""
    if memory.status is not Status.ACTIVE and memory.waits_for is not Wait.CONFIDENCE:
        return memory
    return replace(memory, status=Status.PENDING, waits_for=Wait.REVIEW)


def _by_turn(new: Sequence[Memory]) -> Mapping[TurnId, Sequence[tuple[MemoryId, str]]]:
    """What the new memories quote, by turn, with which one does."""
    said = defaultdict[TurnId, list[tuple[MemoryId, str]]](list)
    for memory in new:
        for quote in memory.quotes:
            said[quote.turn_id].append((memory.id, quote.text))
    return said


def _said_with(memory: Memory, said: Mapping[TurnId, Sequence[tuple[MemoryId, str]]]) -> str:
    """What the other new memories quote of the turns that a memory quotes, as far as it stands close to it."""
    close: list[str] = []
    for turn_id in dict.fromkeys(quote.turn_id for quote in memory.quotes):
        places = [place for place, (id_, _) in enumerate(said[turn_id]) if id_ == memory.id]
        first, last = max(0, places[0] - _CLOSE), places[-1] + _CLOSE + 1
        close += [text for id_, text in said[turn_id][first:last] if id_ != memory.id]
    return " ".join(close)


def _nearest_first(neighbours: Iterable[Neighbour]) -> list[Neighbour]:
    return sorted(neighbours, key=lambda near: -(near.similarity or 0.0))
