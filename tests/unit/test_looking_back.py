from dataclasses import replace
from datetime import timedelta

from chatmem.consolidation.curator import Curator
from chatmem.consolidation.reconcile import change_set
from chatmem.domain.change import Cause, Change
from chatmem.domain.memory import Memory, Status
from chatmem.recall.looking_back import looked_back
from tests.fakes.builders import NOON, a_fact, a_quote
from tests.unit.consolidation_setup import Bench

LATER = NOON + timedelta(days=30)


def stored(bench: Bench, *memories: Memory) -> None:
    changes = [Change(before=None, after=memory) for memory in memories]
    bench.writer.write(change_set(Cause.ADD, changes, bench.clock.now(), "stored"))


def test_a_memory_is_shown_as_it_read_then() -> None:
    bench = Bench()
    curator = Curator(bench.writer)
    rows, sings = curator.add("I row."), curator.add("I sing.")
    then = bench.clock.now()
    bench.clock.advance(60)
    curator.edit(rows.id, "I row on Sundays.")
    curator.wrong([sings.id])
    curator.add("I paint.")

    assert [(one.text, one.status) for one in looked_back(bench.journal, then)] == [
        ("I row.", Status.ACTIVE),
        ("I sing.", Status.ACTIVE),
    ]


def test_what_was_said_by_then_and_learned_later_is_shown_and_holds() -> None:
    bench = Bench()
    bench.clock.advance(60 * 24 * 3600)
    moved = a_fact("I live in Porto.", valid_from=LATER, quotes=(replace(a_quote(), said_at=LATER),))
    lived = a_fact("I live in Braga.", valid_to=LATER, status=Status.SUPERSEDED, superseded_by=moved.id)
    stored(bench, moved, lived)

    (shown,) = looked_back(bench.journal, NOON + timedelta(days=1))

    assert (shown.text, shown.status, shown.superseded_by) == ("I live in Braga.", Status.ACTIVE, None)
    assert [one.text for one in looked_back(bench.journal, LATER)] == ["I live in Porto."]
    assert looked_back(bench.journal, NOON - timedelta(days=1)) == []


def test_what_was_merged_since_is_shown_in_its_parts_only() -> None:
    bench = Bench()
    one, other = a_fact("I row."), a_fact("I row on Sundays.", quotes=(a_quote("I row on Sundays."),))
    stored(bench, one, other)
    then = bench.clock.now()
    bench.clock.advance(60)
    Curator(bench.writer).merge([one.id, other.id])

    assert {shown.id for shown in looked_back(bench.journal, then)} == {one.id, other.id}
