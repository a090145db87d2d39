"""Whatever is told, in whatever order, however often: nothing is lost, and every change can be taken back."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from chatmem.consolidation.reconcile import change_set, restrained
from chatmem.consolidation.undoing import Undo
from chatmem.domain.change import Cause, Change
from chatmem.domain.memory import Kind, Memory, Status, memory_id
from chatmem.domain.turn import TurnId
from tests.fakes.builders import NOON, a_fact, a_quote
from tests.unit.consolidation_setup import Bench

TOLD = (
    "I live in Ghent.",
    "I moved to Antwerp.",
    "I live in Bruges.",
    "I'm 34 years old.",
    "I turned 35.",
    "I have a cat called Tilly.",
    "I have a cat called Bruno.",
    "I speak Dutch.",
    "I'm learning Finnish.",
    "My boss is Marta.",
    "My boss is Teo.",
    "I'm allergic to walnuts.",
    "The tram stops in front of my house.",
)


def memories() -> list[Memory]:
    """What was told, each on a day of its own."""
    return [told(text, day) for day, text in enumerate(TOLD)]


def told(text: str, day: int) -> Memory:
    said_at = NOON + timedelta(days=day)
    quote = replace(a_quote(text, f"s{day}t1"), said_at=said_at)
    id_ = memory_id(Kind.FACT, text, TurnId(f"s{day}t1"))
    return a_fact(text, id=id_, valid_from=said_at, quotes=(quote,))


def learn(bench: Bench, new: Sequence[Memory]) -> None:
    changes = bench.writer.plan(new)
    job = ",".join(one.id for one in new)
    bench.writer.write(change_set(Cause.ADD, changes, bench.clock.now(), job, str(len(bench.journal.change_sets()))))


def standing(bench: Bench) -> dict[str, tuple[object, ...]]:
    return {one.text: (one.status, one.valid_to, one.superseded_by) for one in bench.memories()}


IN_ORDER = Bench()
for one in memories():
    learn(IN_ORDER, [one])


@given(st.permutations(memories()))
def test_the_same_holds_in_whatever_order_it_is_learned(new: list[Memory]) -> None:
    bench = Bench()

    for memory in new:
        learn(bench, [memory])

    assert standing(bench) == standing(IN_ORDER)


@given(st.lists(st.sampled_from(memories()), min_size=1, max_size=20))
def test_learning_twice_changes_nothing_and_loses_nothing(new: list[Memory]) -> None:
    bench = Bench()
    learn(bench, new)
    once = bench.memories()

    learn(bench, new)

    assert bench.memories() == once
    assert {quote.text for memory in once for quote in memory.quotes} == {memory.text for memory in new}


@given(st.lists(st.lists(st.sampled_from(memories()), min_size=1, max_size=4), min_size=1, max_size=6))
def test_undoing_all_and_doing_it_again_is_identity(jobs: list[list[Memory]]) -> None:
    bench = Bench()
    undo = Undo(bench.writer)
    for job in jobs:
        learn(bench, job)
    learned = bench.memories()
    made = bench.journal.change_sets()

    undone = []
    for changes in made:
        bench.clock.advance(1)
        undone.append(undo.run(changes.id))
    assert bench.memories() == []

    for changes in reversed(undone):
        bench.clock.advance(1)
        undo.run(changes.id)
    assert bench.memories() == learned
    assert sorted(bench.journal.latest(), key=lambda one: one.id) == sorted(learned, key=lambda one: one.id)


@given(st.integers(min_value=0, max_value=40), st.integers(min_value=0, max_value=40))
def test_a_job_never_retires_more_than_a_bounded_share(retired: int, others: int) -> None:
    new = told("All is other.", 99)
    old = [told(f"Fact {number} is so.", number) for number in range(retired)]
    gone = [Change(before=one, after=replace(one, status=Status.SUPERSEDED, superseded_by=new.id)) for one in old]
    changes = change_set(Cause.CONSOLIDATION, [Change(before=None, after=new), *gone], NOON, "j")

    left = restrained(changes, lambda: retired + others).changes

    fewer = sum(change.memory.status is Status.SUPERSEDED for change in left)
    assert fewer <= max(5, 0.2 * (retired + others))
    assert fewer in {0, retired}
    assert new.id in {change.memory_id for change in left}
