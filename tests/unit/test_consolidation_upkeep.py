from dataclasses import replace
from datetime import timedelta

import pytest

from chatmem.consolidation.curator import Curator
from chatmem.consolidation.hygiene import Hygiene
from chatmem.consolidation.merging import clusters, covers, merged, suggestions
from chatmem.consolidation.reconcile import change_set
from chatmem.consolidation.undoing import Undo
from chatmem.consolidation.upkeep import DailyUpkeep, Kept
from chatmem.domain.change import Cause, Change
from chatmem.domain.memory import Kind, Memory, MemoryId, Relation, Status, Wait
from tests.fakes.builders import NOON, a_fact, a_quote
from tests.unit.consolidation_setup import Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


def stored(bench: Bench, *memories: Memory) -> None:
    changes = [Change(before=None, after=memory) for memory in memories]
    bench.writer.write(change_set(Cause.ADD, changes, bench.clock.now(), "stored"))


def told(text: str, turn: str = "t1", **changes: object) -> Memory:
    return a_fact(text, **({"quotes": (a_quote(text, turn),)} | changes))


def an_episode(text: str, day: int) -> Memory:
    return told(text, f"t{day}", kind=Kind.EPISODE, valid_from=NOON + timedelta(days=day), id=MemoryId(f"e{day}"))


def by_text(bench: Bench) -> dict[str, list[Memory]]:
    found: dict[str, list[Memory]] = {}
    for memory in bench.memories():
        found.setdefault(memory.text, []).append(memory)
    return found


def test_clusters_are_the_connected_parts() -> None:
    a, b, c, d, e = (MemoryId(name) for name in "abcde")

    assert clusters([a, b, c, d, e], [(a, b), (c, b), (d, e)]) == [[a, b, c], [d, e]]


def test_of_memories_that_say_the_same_one_is_left_with_all_the_quotes() -> None:
    short, full = told("I play the cello."), told("I play the old cello with joy.", "t2")

    whole, *parts = (change.memory for change in merged([short, full], NOON))

    assert (whole.text, [quote.turn_id for quote in whole.quotes]) == (full.text, ["t1", "t2"])
    assert [(part.status, part.superseded_by) for part in parts] == [(Status.SUPERSEDED, whole.id)] * 2
    assert {(link.to, link.relation) for link in whole.links} == {
        (one.id, Relation.DERIVED_FROM) for one in (short, full)
    }


@pytest.mark.parametrize(
    "other",
    [
        told("I play the tuba."),
        told("I play 2 cellos."),
        told("I don't play the cello."),
        told("I play the cello.", subject="sister Ana"),
        told("I play the cello.", kind=Kind.PROCEDURE),
    ],
)
def test_what_says_anything_else_is_never_merged(other: Memory) -> None:
    assert not covers(told("I play the cello with joy.", "t2"), other)
    assert merged([told("I play the cello with joy.", "t2"), other], NOON) == []


def test_upkeep_is_done_once_a_day(bench: Bench) -> None:
    upkeep, now = DailyUpkeep(bench.writer), bench.clock.now()

    assert upkeep.run(now) == Kept()
    assert upkeep.run(now + timedelta(hours=2)) is None
    assert upkeep.run(now + timedelta(days=1)) == Kept()


def test_upkeep_merges_and_can_be_undone(bench: Bench) -> None:
    stored(bench, told("I play the cello."), told("I play the old cello.", "t2"), told("I row."))
    before = bench.memories()

    kept = DailyUpkeep(bench.writer).run(bench.clock.now())

    assert kept == Kept(merged=2)
    assert [one.status for one in by_text(bench)["I play the cello."]] == [Status.SUPERSEDED]
    Undo(bench.writer).run(bench.journal.change_sets()[0].id)
    assert bench.memories() == before


def test_what_has_expired_leaves_recall_unless_it_is_pinned(bench: Bench) -> None:
    now = bench.clock.now()
    gone = told("The parcel comes today.", expires_at=now)
    pinned = told("The lift is broken.", expires_at=now, pinned=True)
    stays = told("The bins go out on Friday.", expires_at=now + timedelta(days=1))
    stored(bench, gone, pinned, stays)

    DailyUpkeep(bench.writer).run(now)

    statuses = {one.text: one.status for one in bench.memories()}
    assert statuses == {gone.text: Status.RETIRED, pinned.text: Status.ACTIVE, stays.text: Status.ACTIVE}


def test_what_comes_up_on_several_days_is_suggested_and_waits(bench: Bench) -> None:
    episodes = [an_episode(f"Went climbing with friend number {day}.", day) for day in (1, 2, 3)]
    stored(bench, *episodes)

    DailyUpkeep(bench.writer).run(bench.clock.now())
    (suggested,) = [one for one in bench.memories() if one.status is Status.PENDING]
    Curator(bench.writer).reject([suggested.id])
    DailyUpkeep(bench.writer).run(bench.clock.now() + timedelta(days=2))

    assert (suggested.kind, suggested.waits_for) == (Kind.FACT, Wait.REVIEW)
    assert "on 3 days" in suggested.text
    assert {link.to for link in suggested.links} == {one.id for one in episodes}
    assert not [one for one in bench.memories() if one.status is Status.PENDING]


def test_what_came_up_on_one_day_only_is_no_pattern() -> None:
    episodes = [replace(an_episode(f"Went climbing, round {n}.", n), valid_from=NOON) for n in (1, 2, 3)]

    assert suggestions(episodes, NOON) == []


def test_what_was_not_used_for_ninety_days_is_stale_but_for_what_is_pinned(bench: Bench) -> None:
    old, used, pinned = told("I row."), told("I swim."), told("I sing.", pinned=True)
    stored(bench, old, used, pinned)
    now = NOON + timedelta(days=100)
    bench.journal.note_use([used.id], NOON + timedelta(days=50))
    hygiene = Hygiene(journal=bench.journal, store=bench.store)

    (stale,) = hygiene.stale(now)

    assert (stale.memory, round(stale.days), stale.uses) == (old, 100, 0)
    retentions = hygiene.retentions(now)
    assert retentions[old.id] < retentions[used.id] < retentions[pinned.id] == 1.0


def test_what_is_confirmed_is_not_stale(bench: Bench) -> None:
    stored(bench, told("I row."))
    bench.clock.advance(days=100)

    Curator(bench.writer).confirm([bench.memories()[0].id])

    assert Hygiene(journal=bench.journal, store=bench.store).stale(bench.clock.now()) == []
