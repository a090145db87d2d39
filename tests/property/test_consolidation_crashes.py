"""Wherever chatmem dies, the next run leaves the same memories as a run that was never disturbed."""

from collections.abc import Sequence
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.consolidation.consolidator import Consolidator
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.change import ChangeSet, ChangeSetId
from chatmem.domain.memory import Memory
from chatmem.ports.embedder import Vector
from chatmem.ports.job_queue import Job
from tests.fakes.job_queue import FakeJobQueue
from tests.fakes.journal import FakeJournal
from tests.fakes.memory_store import FakeMemoryStore
from tests.fakes.session_log import FakeSessionLog
from tests.unit.consolidation_setup import Bench

SAID = [
    "Hi, I'm Ana. I live in Porto and I'm allergic to peanuts.",
    "I live in Porto.",
    "My sister Eva is vegan.",
    "Yesterday I finished my first marathon.",
    "From now on answer in one sentence.",
    "What is a lintel?",
]


class DeathError(BaseException):
    """The process was killed."""


class Fuse:
    """Kills at the step it was set to, before or after the step is done."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def burn(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise DeathError


class MortalStore(FakeMemoryStore):
    def __init__(self, fuse: Fuse) -> None:
        super().__init__()
        self.fuse = fuse

    def put(self, memories: Sequence[Memory], vectors: Sequence[Vector | None]) -> None:
        self.fuse.burn()
        super().put(memories, vectors)
        self.fuse.burn()


class MortalJournal(FakeJournal):
    def __init__(self, fuse: Fuse) -> None:
        super().__init__()
        self.fuse = fuse

    def record(self, changes: ChangeSet) -> None:
        self.fuse.burn()
        super().record(changes)
        self.fuse.burn()

    def mark_applied(self, change_set_id: ChangeSetId) -> None:
        super().mark_applied(change_set_id)
        self.fuse.burn()


class MortalQueue(FakeJobQueue):
    def __init__(self, log: FakeSessionLog, fuse: Fuse) -> None:
        super().__init__(log)
        self.fuse = fuse

    def claim(self, now: datetime, *, lease_s: float, session_id: object = None, imports: bool = True) -> Job | None:
        job = super().claim(now, lease_s=lease_s)
        self.fuse.burn()
        return job

    def note_done(self, job: Job, seq: int) -> None:
        super().note_done(job, seq)
        self.fuse.burn()

    def finish(self, job: Job) -> None:
        super().finish(job)
        self.fuse.burn()


def learned(said: Sequence[str], dies_at: int) -> set[tuple[str, tuple[str, ...], float]]:
    fuse = Fuse(dies_at)
    store, journal = MortalStore(fuse), MortalJournal(fuse)
    bench = Bench(store=store, journal=journal)
    queue = MortalQueue(bench.log, fuse)
    for session, text in enumerate(said, 1):
        bench.say(text, session=session)
    queue.enqueue_all()
    for _ in range(2):
        writer = MemoryWriter(journal=journal, store=store, embedder=bench.embedder, clock=bench.clock)
        try:
            Consolidator(log=bench.log, queue=queue, writer=writer).run_queue(bench.gate, bench.told.append)
        except DeathError:
            bench.clock.advance(days=1)
    assert queue.pending() == 0
    assert journal.unapplied() == []
    return {(one.text, tuple(quote.text for quote in one.quotes), one.confidence) for one in bench.memories()}


@pytest.mark.parametrize("dies_at", range(1, 30))
def test_a_death_at_any_step_changes_nothing(dies_at: int) -> None:
    assert learned(SAID, dies_at) == learned(SAID, 0)


@given(st.permutations(SAID), st.integers(min_value=1, max_value=40))
def test_the_same_is_remembered_in_whatever_order_it_was_said_and_wherever_it_died(
    said: list[str], dies_at: int
) -> None:
    again = {text for text, _, _ in learned(said, dies_at)}

    assert again == {text for text, _, _ in learned(SAID, 0)}
