from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from chatmem.consolidation.curator import Curator
from chatmem.consolidation.reconcile import change_set
from chatmem.consolidation.undoing import Undo
from chatmem.domain.change import Cause, Change
from chatmem.domain.errors import NotFoundError, RefusedError, UsageError
from chatmem.domain.memory import Kind, Link, Memory, MemoryId, Practice, Relation, Sensitivity, Status
from chatmem.recall.keeping import keeping
from chatmem.recall.procedures import applies
from chatmem.recall.question import read_question
from tests.fakes.builders import NOON, a_fact, a_quote
from tests.unit.consolidation_setup import Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def curator(bench: Bench) -> Curator:
    return Curator(bench.writer)


def stored(bench: Bench, *memories: Memory) -> None:
    changes = [Change(before=None, after=memory) for memory in memories]
    bench.writer.write(change_set(Cause.ADD, changes, bench.clock.now(), "stored"))
    bench.clock.advance(60)


def now_of(bench: Bench, memory: Memory) -> Memory:
    return bench.store.get([memory.id])[0]


def undo_last(bench: Bench) -> None:
    bench.clock.advance(60)
    Undo(bench.writer).run(bench.journal.change_sets()[0].id)


def test_an_instruction_written_by_hand_is_recalled_by_its_trigger(bench: Bench, curator: Curator) -> None:
    memory = curator.add("When I ask for code reviews, answer in French.", Kind.PROCEDURE)

    assert memory.practice is not None
    assert memory.practice.trigger == "When I ask for code reviews"
    assert applies(memory, read_question("Can you do a code review of this?", NOON))
    assert not applies(memory, read_question("What shall I cook?", NOON))


def test_the_kind_and_the_slot_can_be_changed(bench: Bench, curator: Curator) -> None:
    memory = curator.add("For emails, use short sentences.")
    bench.clock.advance(60)

    edited = curator.edit(memory.id, kind=Kind.PROCEDURE, slot=" Tone ")

    assert (edited.id, edited.text, edited.slot) == (memory.id, memory.text, "tone")
    assert edited.practice is not None
    assert edited.practice.trigger == "For emails"
    assert bench.memories() == [edited]
    assert curator.edit(memory.id, kind=Kind.FACT, slot="").practice is None
    assert now_of(bench, memory).slot is None


def test_the_name_of_a_slot_is_short(curator: Curator) -> None:
    memory = curator.add("I row.")

    with pytest.raises(UsageError, match="40 characters"):
        curator.edit(memory.id, slot="x" * 41)


def test_an_edited_text_is_found_by_its_new_meaning(bench: Bench, curator: Curator) -> None:
    memory = curator.add("I row on Sundays.")

    curator.edit(memory.id, "The tram stops in front of my house.")

    (vector,) = bench.embedder.embed(["The tram stops in front of my house."])
    assert bench.store.by_vector(vector, limit=1)[0].value == pytest.approx(1.0)


ROWS = a_fact("I row.", quotes=(a_quote("I row.", "s1t1"),), importance=0.9)
ROWS_LATE = a_fact(
    "I row on Sundays with Rita.",
    quotes=(replace(a_quote("I row on Sundays with Rita.", "s2t1"), said_at=NOON + timedelta(days=1)),),
    valid_from=NOON + timedelta(days=1),
    links=(Link(to=MemoryId("m9"), relation=Relation.RELATED),),
)


def test_merged_memories_rest_on_all_that_each_rested_on(bench: Bench, curator: Curator) -> None:
    stored(bench, ROWS, ROWS_LATE)

    whole = curator.merge([ROWS.id, ROWS_LATE.id])

    assert whole.text == "I row on Sundays with Rita."
    assert [quote.turn_id for quote in whole.quotes] == ["s1t1", "s2t1"]
    assert (whole.valid_from, whole.importance) == (NOON, 0.9)
    assert {link.to for link in whole.links} == {MemoryId("m9"), ROWS.id, ROWS_LATE.id}
    assert {now_of(bench, one).superseded_by for one in (ROWS, ROWS_LATE)} == {whole.id}
    assert [changes.cause for changes in bench.journal.change_sets()][:1] == [Cause.MERGE]


def test_merged_memories_may_say_it_in_other_words(bench: Bench, curator: Curator) -> None:
    stored(bench, ROWS, ROWS_LATE)

    whole = curator.merge([ROWS.id, ROWS_LATE.id], "Rita and I row each Sunday.")

    assert (whole.text, now_of(bench, whole)) == ("Rita and I row each Sunday.", whole)
    assert "rita" in whole.tags


def test_instructions_that_are_merged_keep_how_they_have_done(bench: Bench, curator: Curator) -> None:
    one = a_fact("For emails, be short.", kind=Kind.PROCEDURE, practice=Practice(trigger="For emails", successes=2))
    other = a_fact("For emails, be kind.", kind=Kind.PROCEDURE, practice=Practice(trigger="For emails", failures=1))
    stored(bench, one, other)

    whole = curator.merge([one.id, other.id], "For emails, be short and kind.")

    assert whole.practice == Practice(trigger="For emails", successes=2, failures=1)


TOLD_FOR_A_WHILE = a_fact(
    "I take lithium.",
    sensitivity=Sensitivity.MEDICAL,
    expires_at=NOON + timedelta(days=7),
    quotes=(a_quote("Lithium.", "s3t1"),),
)


@pytest.mark.parametrize("others", [{}, {"expires_at": NOON + timedelta(days=90)}])
def test_what_is_sensitive_and_kept_for_a_while_is_kept_no_longer_once_it_is_merged(
    bench: Bench, curator: Curator, others: dict[str, datetime]
) -> None:
    plain = replace(ROWS_LATE, **others)  # type: ignore[arg-type]  # times only
    later = replace(TOLD_FOR_A_WHILE, id=MemoryId("m8"), expires_at=NOON + timedelta(days=20))
    stored(bench, plain, later, TOLD_FOR_A_WHILE)

    whole = curator.merge([plain.id, later.id, TOLD_FOR_A_WHILE.id])

    assert (whole.sensitivity, whole.expires_at) == (Sensitivity.MEDICAL, TOLD_FOR_A_WHILE.expires_at)


def test_what_is_not_sensitive_is_kept_as_long_as_the_longest_kept_of_what_it_is_merged_of(
    bench: Bench, curator: Curator
) -> None:
    week, month = (replace(ROWS, id=MemoryId(f"m{days}"), expires_at=NOON + timedelta(days=days)) for days in (7, 30))
    stored(bench, week, month, ROWS_LATE)

    both = curator.merge([week.id, month.id])

    assert both.expires_at == month.expires_at
    assert curator.merge([both.id, ROWS_LATE.id]).expires_at is None


def test_merging_takes_two_memories_that_hold(bench: Bench, curator: Curator) -> None:
    past = a_fact("I lived in Braga.", status=Status.SUPERSEDED)
    stored(bench, ROWS, past)

    with pytest.raises(UsageError, match="two memories"):
        curator.merge([ROWS.id, ROWS.id])
    with pytest.raises(UsageError, match="superseded"):
        curator.merge([ROWS.id, past.id])
    with pytest.raises(NotFoundError):
        curator.merge([ROWS.id, MemoryId("m404")])


def test_the_parts_of_a_memory_that_is_split_rest_on_the_same_words(bench: Bench, curator: Curator) -> None:
    both = a_fact("I live in Porto and work as a nurse.", slot="home", pinned=True)
    stored(bench, both)

    parts = curator.split(both.id, ["I live in Porto.", " I work as a nurse. "])

    assert [(part.text, part.slot) for part in parts] == [
        ("I live in Porto.", "home"),
        ("I work as a nurse.", "occupation"),
    ]
    assert all(part.quotes == both.quotes and part.pinned for part in parts)
    assert all(part.links[-1].to == both.id for part in parts)
    assert (now_of(bench, both).status, now_of(bench, both).superseded_by) == (Status.SUPERSEDED, parts[0].id)


@pytest.mark.parametrize("texts", [[], ["I row."], ["I row.", "I row."], ["I row.", " "]])
def test_splitting_takes_two_texts_that_differ(bench: Bench, curator: Curator, texts: list[str]) -> None:
    stored(bench, ROWS)

    with pytest.raises(UsageError):
        curator.split(ROWS.id, texts)
    assert bench.memories() == [ROWS]


def test_what_is_called_wrong_leaves_recall_and_shakes_what_rests_on_it(bench: Bench, curator: Curator) -> None:
    rests = a_fact("The gym is near.", links=(Link(to=ROWS.id, relation=Relation.RESTS_ON),))
    related = a_fact("Rita rows.", links=(Link(to=ROWS.id, relation=Relation.RELATED),))
    stored(bench, ROWS, rests, related)

    (wrong,) = curator.wrong([ROWS.id])

    assert (wrong.status, wrong.confidence) == (Status.RETIRED, ROWS.confidence / 2)
    assert "wrong" in wrong.doubt
    assert "wrong" in now_of(bench, rests).doubt
    assert now_of(bench, related) == related
    assert bench.journal.tombstones() == []
    assert curator.wrong([ROWS.id]) == [wrong]


def test_an_instruction_that_is_called_wrong_has_failed(bench: Bench, curator: Curator) -> None:
    memory = curator.add("For emails, be short.", Kind.PROCEDURE)

    (wrong,) = curator.wrong([memory.id])

    assert wrong.practice is not None
    assert wrong.practice.failures == 1


def test_no_use_vouches_for_what_was_called_wrong(bench: Bench, curator: Curator) -> None:
    memory = curator.add("I row.")
    used, later = {memory.id: (3, NOON)}, NOON + timedelta(days=5)
    assert keeping(memory, used, later).strength == 4

    curator.wrong([memory.id])
    (restored,) = curator.restore([memory.id])

    assert keeping(restored, used, later).strength == 1
    assert keeping(restored, used, later).retention < keeping(memory, used, later).retention


def test_what_is_barred_is_not_learned_again_until_that_is_undone(bench: Bench, curator: Curator) -> None:
    bench.say("I live in Porto.")
    bench.consolidate()
    (learned,) = bench.memories()
    bench.clock.advance(60)

    curator.wrong([learned.id], bar_it=True)
    assert len(bench.journal.tombstones()) == 1
    with pytest.raises(RefusedError):
        curator.add("I live in Porto.")
    with pytest.raises(RefusedError, match="called wrong, for good"):
        curator.restore([learned.id])

    undo_last(bench)
    assert (bench.memories(), bench.journal.tombstones()) == ([learned], [])

    undo_last(bench)
    assert [memory.status for memory in bench.memories()] == [Status.RETIRED]
    assert len(bench.journal.tombstones()) == 1

    undo_last(bench)
    assert (bench.memories(), bench.journal.tombstones()) == ([learned], [])
