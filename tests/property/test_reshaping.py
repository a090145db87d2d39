"""Whatever a person merges, splits, files elsewhere or calls wrong: undo restores exactly what was."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from chatmem.consolidation.curator import Curator
from chatmem.consolidation.undoing import Undo
from chatmem.domain.errors import RefusedError, UsageError
from chatmem.domain.memory import Kind, Memory, MemoryId, Status
from tests.property.test_reconciliation import learn, memories
from tests.unit.consolidation_setup import Bench

Act = Callable[[Curator, Sequence[MemoryId]], object]

PLACES = st.integers(min_value=0, max_value=30)
WORDS = st.text(alphabet="abc ", min_size=1, max_size=12)


def merging(first: int, second: int, text: str | None) -> Act:
    return lambda curator, ids: curator.merge([ids[first % len(ids)], ids[second % len(ids)]], text)


def splitting(place: int, texts: list[str]) -> Act:
    return lambda curator, ids: curator.split(ids[place % len(ids)], texts)


def calling_wrong(place: int, bar_it: bool) -> Act:
    return lambda curator, ids: curator.wrong([ids[place % len(ids)]], bar_it=bar_it)


def editing(place: int, text: str | None, kind: Kind | None, slot: str | None) -> Act:
    return lambda curator, ids: curator.edit(ids[place % len(ids)], text, kind=kind, slot=slot)


ACTS = st.one_of(
    st.builds(merging, PLACES, PLACES, st.none() | WORDS),
    st.builds(splitting, PLACES, st.lists(WORDS, max_size=3)),
    st.builds(calling_wrong, PLACES, st.booleans()),
    st.builds(editing, PLACES, st.none() | WORDS, st.none() | st.sampled_from(Kind), st.none() | WORDS),
)


def whole(bench: Bench) -> tuple[list[Memory], list[Memory], int]:
    """All that an undo must restore: the store, what the store is rebuilt from, and the number of tombstones."""
    latest = sorted(bench.journal.latest(), key=lambda one: one.id)
    return bench.memories(), latest, len(bench.journal.tombstones())


def acted(bench: Bench, acts: Sequence[Act]) -> list[tuple[list[Memory], list[Memory], int]]:
    """Do what can be done, one thing after another; returns what was before each that changed something."""
    curator, before = Curator(bench.writer), []
    for act in acts:
        bench.clock.advance(60)
        was, made = whole(bench), len(bench.journal.change_sets())
        with suppress(UsageError, RefusedError):
            act(curator, sorted(memory.id for memory in bench.memories()))
        if len(bench.journal.change_sets()) > made:
            before.append(was)
    return before


@given(st.lists(ACTS, min_size=1, max_size=6))
def test_undoing_brings_back_exactly_what_was_and_doing_it_again_what_is(acts: list[Act]) -> None:
    bench = Bench()
    learn(bench, memories()[:6])
    undo = Undo(bench.writer)
    before = acted(bench, acts)
    after = whole(bench)
    made = bench.journal.change_sets()[: len(before)]

    undone = []
    for changes, was in zip(made, reversed(before), strict=True):
        bench.clock.advance(60)
        undone.append(undo.run(changes.id))
        assert whole(bench) == was

    for changes in reversed(undone):
        bench.clock.advance(60)
        undo.run(changes.id)
    assert whole(bench) == after


@given(st.lists(st.integers(min_value=0, max_value=5), min_size=2, max_size=6, unique=True))
def test_nothing_a_memory_rests_on_is_lost_by_merging(places: list[int]) -> None:
    bench = Bench()
    learn(bench, memories()[:6])
    held = sorted((one for one in bench.memories() if one.status is Status.ACTIVE), key=lambda one: one.id)
    parts = list(dict.fromkeys(held[place % len(held)] for place in places))
    bench.clock.advance(60)
    if len(parts) < 2:
        return

    merged = Curator(bench.writer).merge([part.id for part in parts])

    assert set(merged.quotes) == {quote for part in parts for quote in part.quotes}
