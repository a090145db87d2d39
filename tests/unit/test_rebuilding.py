"""Building the indexes anew from what was said and learned."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from chatmem.consolidation.gate import Gate
from chatmem.consolidation.rebuilding import Rebuilding
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId
from chatmem.domain.embedding import Vector
from chatmem.domain.errors import EmbedderError, RefusedError
from chatmem.domain.memory import Memory
from chatmem.domain.turn import TurnId, TurnStatus
from chatmem.ports.memory_store import MemoryFilter
from tests.fakes.builders import NOON, a_fact, a_session, a_turn
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.generations import FakeGeneration, FakeGenerations
from tests.fakes.journal import FakeJournal
from tests.fakes.session_log import FakeSessionLog

HOME = a_fact("The user lives in Porto.")
DIET = a_fact("The user is allergic to peanuts.")


class KilledOver(FakeEmbedder):
    """An embedder over which the process ends, or something happens; the last of the list first."""

    def __init__(self, happens: "list[object]") -> None:
        super().__init__(model="new")
        self.happens = happens

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if self.happens:
            happening = self.happens.pop()
            if callable(happening):
                happening()
            else:
                raise KeyboardInterrupt
        return super().embed(texts)


@dataclass
class Setup:
    """All that is built from, and where it is built."""

    log: FakeSessionLog = field(default_factory=FakeSessionLog)
    generations: FakeGenerations = field(default_factory=lambda: FakeGenerations(FakeGeneration("old", 64)))
    wanted: FakeEmbedder = field(default_factory=lambda: FakeEmbedder(model="new"))
    gate: Gate = field(default_factory=Gate)
    told: list[tuple[str, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.journal = FakeJournal(self.log)
        self.log.open_session(a_session())
        for turn in (a_turn(1, "I live in Porto."), a_turn(2, "I can't eat peanuts.")):
            self.log.append(turn)
        self.learned(HOME, DIET)

    def learned(self, *memories: Memory) -> None:
        changes = tuple(Change(before=None, after=memory) for memory in memories)
        id_ = ChangeSetId(f"c{memories[0].id}")
        self.journal.record(ChangeSet(id=id_, made_at=NOON, cause=Cause.CONSOLIDATION, changes=changes))

    def run(self, *, anew: bool = False) -> None:
        self.rebuilding.run(lambda *step: self.told.append(step), anew=anew)

    @property
    def rebuilding(self) -> Rebuilding:
        return Rebuilding(
            log=self.log, journal=self.journal, generations=self.generations, wanted=self.wanted, gate=self.gate
        )


def memories_in(generation: FakeGeneration) -> set[str]:
    return {memory.text for memory in generation.memories.select(MemoryFilter())}


def test_another_embedder_means_another_generation_with_all_that_was_said_and_learned() -> None:
    setup = Setup()

    setup.run()

    current = setup.generations.current
    assert current.model == "new"
    assert memories_in(current) == {HOME.text, DIET.text}
    assert current.turns.indexed([TurnId("s1t1"), TurnId("s1t2")]) == {"s1t1", "s1t2"}
    assert current.memories.without_vector(limit=9) == []
    assert current.turns.without_vector(limit=9) == []


def test_it_is_due_where_the_indexes_are_of_another_embedder() -> None:
    setup = Setup()

    assert setup.rebuilding.due()
    setup.run()
    assert not setup.rebuilding.due()


def test_progress_is_told() -> None:
    setup = Setup()

    setup.run()

    assert setup.told == [
        ("reading what was learned", 0, 3),
        ("reading what was said", 2, 3),
        ("embedding", 0, 4),
        ("embedding", 2, 4),
    ]


def test_a_run_that_was_killed_is_gone_on_with() -> None:
    setup = Setup(wanted=KilledOver(["killed"]))
    with pytest.raises(KeyboardInterrupt):
        setup.run()
    begun = setup.generations.begun

    setup.run()

    assert setup.generations.current is begun
    assert len(setup.wanted.embedded) == 4


def test_the_old_generation_answers_until_the_new_one_is_whole() -> None:
    seen: list[str] = []
    setup = Setup()
    setup.wanted = KilledOver([lambda: seen.append(setup.generations.answering().model)])

    setup.run()

    assert seen == ["old"]


def test_what_is_forgotten_meanwhile_does_not_come_back() -> None:
    setup = Setup()

    def forget() -> None:
        assert setup.generations.begun is not None
        setup.generations.begun.memories.erase([DIET.id])
        setup.journal.erase_memories([DIET.id])

    setup.wanted = KilledOver([forget])

    setup.run()

    assert memories_in(setup.generations.current) == {HOME.text}


def test_what_is_just_being_forgotten_is_not_brought_in() -> None:
    setup = Setup()
    setup.journal.begin_forgetting([DIET.id], [])

    setup.run()

    assert memories_in(setup.generations.current) == {HOME.text}


def test_a_turn_whose_words_change_meanwhile_gets_no_vector_of_the_old_ones() -> None:
    setup = Setup()
    setup.wanted = KilledOver([lambda: setup.log.redact(TurnId("s1t2"), "[forgotten]"), lambda: None])

    setup.run()

    assert setup.generations.current.turns.without_vector(limit=9) == ["s1t2"]


def test_a_reply_that_is_still_arriving_is_left_to_the_indexer() -> None:
    setup = Setup()
    setup.log.append(a_turn(3, "Por", status=TurnStatus.STREAMING))

    setup.run()

    assert setup.generations.current.turns.indexed([TurnId("s1t3")]) == set()


def test_without_the_embedder_nothing_changes() -> None:
    setup = Setup()
    setup.wanted.error = "The hub is away."

    with pytest.raises(EmbedderError, match="away"):
        setup.run()

    assert setup.generations.current.model == "old"


def test_one_window_builds() -> None:
    setup = Setup()
    setup.generations.built_elsewhere = True

    with pytest.raises(RefusedError):
        setup.run()


def test_when_the_app_is_left_the_old_generation_stays() -> None:
    setup = Setup()
    setup.wanted = KilledOver([setup.gate.stop.set])

    setup.run()

    assert setup.generations.current.model == "old"


def test_an_index_that_is_not_whole_is_completed() -> None:
    setup = Setup(generations=FakeGenerations(FakeGeneration("new", 64), whole=False))
    setup.generations.current.memories.put([HOME], [None])

    setup.rebuilding.complete(lambda *_: None)

    assert memories_in(setup.generations.current) == {HOME.text, DIET.text}
    assert setup.generations.whole()


def test_a_repair_builds_the_same_kind_anew() -> None:
    setup = Setup(generations=FakeGenerations(FakeGeneration("new", 64)))
    damaged = setup.generations.current

    setup.run(anew=True)

    assert setup.generations.current is not damaged
    assert memories_in(setup.generations.current) == {HOME.text, DIET.text}
