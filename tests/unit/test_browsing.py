"""Browsing: which memories are listed, in which order."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatmem.domain.memory import Kind, Link, Memory, MemoryId, Relation, Status
from chatmem.domain.outline import outlined
from chatmem.recall.browsing import Age, Band, Sort, Use, Wish, arrange
from chatmem.recall.retention import retention
from chatmem.recall.terms import age_days
from tests.fakes.builders import NOON, a_fact

Counts = Mapping[MemoryId, tuple[int, datetime]]


def learned(name: str, days_ago: float, **changes: object) -> Memory:
    at = NOON - timedelta(days=days_ago)
    return a_fact(name, **({"id": MemoryId(name), "created_at": at, "quotes": ()} | changes))


TEA = learned("tea", 1, importance=0.2, slot="drink")
HOME = learned("home", 10, importance=0.9, slot="home", pinned=True)
TRIP = learned("trip", 100, importance=0.5, kind=Kind.EPISODE)
RULE = learned("rule", 500, importance=0.5, kind=Kind.PROCEDURE, status=Status.RETIRED)
EVERYTHING = (HOME, RULE, TEA, TRIP)

USES: Counts = {
    TRIP.id: (7, NOON - timedelta(days=90)),
    TEA.id: (2, NOON),
    MemoryId("gone"): (9, NOON),
}


def listed(wish: Wish, memories: tuple[Memory, ...] = EVERYTHING, counts: Counts = USES) -> list[str]:
    outline = outlined(memories)
    return [outline.ids[place] for place in arrange(outline, wish, counts, NOON)]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (Sort.TIME, ["tea", "home", "trip", "rule"]),
        (Sort.USE, ["trip", "tea", "home", "rule"]),
        (Sort.IMPORTANCE, ["home", "trip", "rule", "tea"]),
        (Sort.RETENTION, ["tea", "home", "trip", "rule"]),
        (Sort.KIND, ["tea", "home", "trip", "rule"]),
        (Sort.SLOT, ["tea", "home", "trip", "rule"]),
    ],
)
def test_memories_are_listed_by_what_is_asked_for(sort: Sort, expected: list[str]) -> None:
    assert listed(Wish(sort=sort)) == expected


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (Sort.TIME, ["rule", "trip", "home", "tea"]),
        (Sort.USE, ["home", "rule", "tea", "trip"]),
        (Sort.IMPORTANCE, ["tea", "trip", "rule", "home"]),
        (Sort.RETENTION, ["rule", "trip", "tea", "home"]),
        (Sort.KIND, ["rule", "trip", "tea", "home"]),
        (Sort.SLOT, ["home", "tea", "trip", "rule"]),
    ],
)
def test_backwards_is_the_other_way_round_but_what_is_alike_stays_the_newest_first(
    sort: Sort, expected: list[str]
) -> None:
    assert listed(Wish(sort=sort, backwards=True)) == expected


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        (Wish(), {"tea", "home", "trip", "rule"}),
        (Wish(kind=Kind.EPISODE), {"trip"}),
        (Wish(status=Status.RETIRED), {"rule"}),
        (Wish(slot="home"), {"home"}),
        (Wish(slot="no such slot"), set()),
        (Wish(pinned=True), {"home"}),
        (Wish(pinned=False), {"tea", "trip", "rule"}),
        (Wish(age=Age.WEEK), {"tea"}),
        (Wish(age=Age.MONTH), {"tea", "home"}),
        (Wish(age=Age.YEAR), {"tea", "home", "trip"}),
        (Wish(age=Age.OLDER), {"rule"}),
        (Wish(use=Use.NEVER), {"home", "rule"}),
        (Wish(use=Use.SOMETIMES), {"tea"}),
        (Wish(use=Use.OFTEN), {"trip"}),
        (Wish(importance=Band.LOW), {"tea"}),
        (Wish(importance=Band.MIDDLE), {"trip", "rule"}),
        (Wish(importance=Band.HIGH), {"home"}),
        (Wish(retention=Band.LOW), {"trip", "rule"}),
        (Wish(retention=Band.HIGH), {"tea", "home"}),
        (Wish(kind=Kind.FACT, pinned=False), {"tea"}),
    ],
)
def test_memories_are_narrowed_to_what_is_asked_for(wish: Wish, expected: set[str]) -> None:
    assert set(listed(wish)) == expected
    assert wish.narrowed == (wish != Wish())


def test_both_sides_of_a_contradiction_are_in_conflict_while_both_hold() -> None:
    old, past = learned("old", 3), learned("past", 4, status=Status.SUPERSEDED)
    new = learned("new", 1, links=(Link(to=old.id, relation=Relation.CONTRADICTS),), status=Status.PENDING)
    settled = learned("settled", 2, links=(Link(to=past.id, relation=Relation.CONTRADICTS),))
    lost = learned("lost", 2, links=(Link(to=MemoryId("gone"), relation=Relation.CONTRADICTS),))
    everything = (old, new, past, settled, lost)

    assert listed(Wish(contested=True), everything) == ["new", "old"]
    assert set(listed(Wish(contested=False), everything)) == {"past", "settled", "lost"}


def test_nothing_is_listed_of_nothing() -> None:
    assert [listed(Wish(sort=sort, contested=True), ()) for sort in Sort] == [[]] * len(Sort)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 900), st.integers(0, 9), st.floats(0, 900), st.booleans()), min_size=1, max_size=20)
)
def test_the_order_by_retention_is_that_of_the_retention_of_each(drawn: list[tuple[float, int, float, bool]]) -> None:
    memories, counts = {}, dict[MemoryId, tuple[int, datetime]]()
    for number, (days, uses, used_days, pinned) in enumerate(drawn):
        memory = learned(f"m{number}", days, pinned=pinned)
        memories[memory.id] = memory
        if uses:
            counts[memory.id] = (uses, NOON - timedelta(days=used_days))

    ids = listed(Wish(sort=Sort.RETENTION), tuple(memories.values()), counts)

    def kept(id_: str) -> float:
        memory = memories[MemoryId(id_)]
        uses, last = counts.get(memory.id, (0, memory.created_at))
        return retention(age_days(max(last, memory.created_at), NOON), uses, pinned=memory.pinned)

    assert [kept(id_) for id_ in ids] == pytest.approx(sorted(map(kept, ids), reverse=True))
