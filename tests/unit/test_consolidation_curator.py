from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from chatmem.consolidation.curator import Curator
from chatmem.consolidation.reconcile import change_set, job_change_set
from chatmem.consolidation.reviewing import Conflict, Keep
from chatmem.consolidation.writer import MemoryWriter
from chatmem.conversation.screening import Screening
from chatmem.domain.change import Cause, Change, JobId
from chatmem.domain.errors import NotFoundError, RefusedError, UsageError
from chatmem.domain.forgetting import Tombstone, TombstoneId, text_hash
from chatmem.domain.memory import Extractor, Kind, Link, Memory, MemoryId, Practice, Relation, Status, Wait
from tests.fakes.builders import NOON, a_fact, a_quote
from tests.fakes.meter import FakeMeter
from tests.fakes.secret_detector import HUSH, FakeSecretDetector
from tests.unit.consolidation_setup import Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def curator(bench: Bench) -> Curator:
    return Curator(bench.writer, Screening(FakeSecretDetector(), FakeMeter()).screened)


def test_what_is_added_by_hand_is_stored_as_the_persons_own(bench: Bench, curator: Curator) -> None:
    memory = curator.add("  I'm allergic to nuts. ", Kind.FACT)

    assert bench.memories() == [memory]
    assert (memory.extractor, memory.slot, memory.quotes) == (Extractor.USER, "allergy", ())
    assert [changes.cause for changes in bench.journal.change_sets()] == [Cause.ADD]


def test_adding_what_is_remembered_gives_back_the_one_that_is_there(bench: Bench, curator: Curator) -> None:
    bench.say("I live in Porto.")
    bench.consolidate()

    memory = curator.add("The user lives in Porto.")

    assert bench.memories() == [memory]
    assert memory.text == "I live in Porto."


def test_an_edited_memory_keeps_its_id_and_its_history(bench: Bench, curator: Curator) -> None:
    before = curator.add("The user lives in Porto.")
    bench.clock.advance(60)

    after = curator.edit(before.id, "The user lives in Braga.")

    assert bench.memories() == [after]
    assert (after.id, after.created_at) == (before.id, before.created_at)
    assert bench.journal.change_sets()[0].changes[0].before == before
    assert bench.store.by_words("Braga", limit=1)[0].id == after.id


def test_what_is_drawn_from_a_text_follows_its_edit(bench: Bench, curator: Curator) -> None:
    old = replace(
        a_fact("When I ask for code reviews, answer in French.", kind=Kind.PROCEDURE),
        tags=("french", "reviews", "code"),
        practice=Practice(trigger="When I ask for code reviews", successes=2),
    )
    bench.writer.write(change_set(Cause.ADD, [Change(before=None, after=old)], NOON, "test"))

    edited = curator.edit(old.id, "When I ask for emails, answer in German.")

    assert edited.practice is not None
    assert (edited.practice.trigger, edited.practice.successes) == ("When I ask for emails", 2)
    assert not {"french", "reviews", "code"} & set(edited.tags)


def test_editing_without_a_change_records_nothing(bench: Bench, curator: Curator) -> None:
    memory = curator.add("The user lives in Porto.")

    assert curator.edit(memory.id, memory.text) == memory
    assert len(bench.journal.change_sets()) == 1


def test_a_memory_can_be_pinned_and_unpinned(bench: Bench, curator: Curator) -> None:
    memory = curator.add("The user lives in Porto.")

    assert curator.pin(memory.id).pinned
    assert not curator.unpin(memory.id).pinned
    assert bench.memories() == [memory]


@pytest.mark.parametrize("text", ["", " \n\x00", "x" * 2001])
def test_a_text_that_is_empty_or_too_long_is_refused(curator: Curator, text: str) -> None:
    with pytest.raises(UsageError):
        curator.add(text)


def test_an_unknown_id_is_not_found(curator: Curator) -> None:
    with pytest.raises(NotFoundError):
        curator.pin(MemoryId("m404"))


def test_what_was_forgotten_is_neither_added_nor_edited_in(bench: Bench, curator: Curator) -> None:
    other = curator.add("The user rows.")
    gone = "The user lives in Porto."
    hashes = (text_hash(gone, bench.journal.tombstone_key()),)
    bench.journal.bury([Tombstone(id=TombstoneId("t"), made_at=NOON, turn_ids=(), hashes=hashes)])

    with pytest.raises(RefusedError):
        curator.add("the user lives in PORTO")
    with pytest.raises(RefusedError):
        curator.edit(other.id, gone)

    assert bench.memories() == [other]


def test_a_memory_is_kept_without_the_secrets_in_it(bench: Bench, curator: Curator) -> None:
    added = curator.add(f"The staging token is {HUSH}a1b2c3.")

    assert added.text == "The staging token is [token removed]."
    assert bench.memories() == [added]


def test_a_text_with_a_secret_does_not_replace_a_good_one(bench: Bench, curator: Curator) -> None:
    good = curator.add("The staging token is in the vault.")

    with pytest.raises(RefusedError, match=r"It holds a secret, and secrets are never kept\."):
        curator.edit(good.id, f"The staging token is {HUSH}d4e5f6.")

    assert bench.memories() == [good]


def test_a_memory_that_is_nothing_but_a_secret_is_refused(bench: Bench, curator: Curator) -> None:
    with pytest.raises(RefusedError, match="never kept"):
        curator.add(HUSH + "a1b2c3")

    assert bench.memories() == []


def a_waiting(text: str, wait: Wait = Wait.CONSENT, **changes: object) -> Memory:
    return a_fact(text, status=Status.PENDING, waits_for=wait, **changes)


def stored(bench: Bench, *memories: Memory) -> None:
    changes = [Change(before=None, after=memory) for memory in memories]
    bench.writer.write(change_set(Cause.ADD, changes, bench.clock.now(), "stored"))


def by_text(bench: Bench) -> dict[str, Memory]:
    return {memory.text: memory for memory in bench.memories()}


def test_what_is_added_by_hand_takes_the_place_of_what_it_contradicts(bench: Bench, curator: Curator) -> None:
    before = curator.add("I live in Ghent.")
    bench.clock.advance(60)

    after = curator.add("I live in Antwerp.")

    assert (by_text(bench)[before.text].superseded_by, after.status) == (after.id, Status.ACTIVE)


def test_what_held_before_can_be_added_again(bench: Bench, curator: Curator) -> None:
    for text in ("I live in Ghent.", "I live in Antwerp.", "I live in Ghent."):
        bench.clock.advance(60)
        last = curator.add(text)

    assert last.status is Status.ACTIVE
    assert len(bench.memories()) == 3


def test_accepting_lets_a_memory_take_its_place(bench: Bench, curator: Curator) -> None:
    later = NOON + timedelta(days=1)
    old, waiting = a_fact("I live in Ghent."), a_waiting("I live in Antwerp.", valid_from=later)
    stored(bench, old, waiting)

    (accepted,) = curator.accept([waiting.id])

    assert (accepted.status, accepted.waits_for) == (Status.ACTIVE, None)
    assert by_text(bench)[old.text].superseded_by == waiting.id
    assert curator.waiting() == []


def test_accepting_what_is_known_meanwhile_strengthens_what_is_known(bench: Bench, curator: Curator) -> None:
    known, waiting = a_fact("I live in Ghent."), a_waiting("i live in ghent", quotes=(a_quote("i live", "s2t1"),))
    stored(bench, known, waiting)

    curator.accept([waiting.id])

    assert len(by_text(bench)[known.text].quotes) == 2
    assert by_text(bench)[waiting.text].superseded_by == known.id


def test_what_is_rejected_stays_out_and_can_be_restored(bench: Bench, curator: Curator) -> None:
    waiting = a_waiting("I live in Ghent.")
    stored(bench, waiting)

    (rejected,) = curator.reject([waiting.id])
    (restored,) = curator.restore([waiting.id])

    assert (rejected.status, restored.status) == (Status.RETIRED, Status.ACTIVE)
    assert [changes.cause for changes in bench.journal.change_sets()][:2] == [Cause.RESTORE, Cause.REJECT]


def test_only_what_waits_is_accepted_and_only_what_was_retired_restored(bench: Bench, curator: Curator) -> None:
    active = curator.add("I row.")

    with pytest.raises(UsageError, match="only pending"):
        curator.accept([active.id])
    with pytest.raises(UsageError, match="only retired"):
        curator.restore([active.id])


@pytest.mark.parametrize(
    ("keep", "old_status", "new_status"),
    [
        ("new", Status.SUPERSEDED, Status.ACTIVE),
        ("old", Status.ACTIVE, Status.RETIRED),
        ("both", Status.ACTIVE, Status.ACTIVE),
    ],
)
def test_a_conflict_is_settled_as_the_person_says(
    bench: Bench, keep: Keep, old_status: Status, new_status: Status
) -> None:
    writer = MemoryWriter(
        journal=bench.journal, store=bench.store, embedder=bench.embedder, clock=bench.clock, conflicts="ask"
    )
    curator = Curator(writer)
    old = curator.add("I live in Ghent.")
    bench.clock.advance(60)
    new = curator.add("I live in Antwerp.")
    assert curator.conflicts() == [Conflict(new=new, old=(old,))]

    curator.resolve(new.id, keep)

    assert (by_text(bench)[old.text].status, by_text(bench)[new.text].status) == (old_status, new_status)
    assert curator.conflicts() == []


def test_confirming_settles_a_doubt(bench: Bench, curator: Curator) -> None:
    doubted = a_fact("The tram stops in front.", doubt="The home it rests on has changed.")
    stored(bench, doubted)
    bench.clock.advance(60)

    (confirmed,) = curator.confirm([doubted.id])

    assert (confirmed.doubt, confirmed.updated_at) == ("", bench.clock.now())


def test_in_review_first_mode_all_that_is_learned_waits(bench: Bench) -> None:
    writer = MemoryWriter(
        journal=bench.journal, store=bench.store, embedder=bench.embedder, clock=bench.clock, review=True
    )

    (change,) = writer.plan([a_fact()])

    assert (change.memory.status, change.memory.waits_for) == (Status.PENDING, Wait.REVIEW)


def test_a_job_that_would_retire_much_of_what_is_remembered_waits(bench: Bench) -> None:
    known = [a_fact(f"Fact {number} is so.") for number in range(8)]
    stored(bench, *known)
    new = a_fact("All is other.", links=tuple(Link(to=one.id, relation=Relation.REPLACES) for one in known))
    changes = [Change(before=one, after=replace(one, status=Status.SUPERSEDED, superseded_by=new.id)) for one in known]

    bench.writer.write(change_set(Cause.CONSOLIDATION, [Change(before=None, after=new), *changes], NOON, "j1"))

    statuses = Counter(memory.status for memory in bench.memories())
    assert statuses == {Status.ACTIVE: 8, Status.PENDING: 1}


def test_what_a_job_retires_is_counted_over_all_its_parts(bench: Bench) -> None:
    known = [a_fact(f"Fact {number} is so.") for number in range(8)]
    stored(bench, *known)

    for part, some in enumerate((known[:4], known[4:])):
        new = a_fact(f"All is other, part {part}.", links=tuple(_replaced(one) for one in some))
        closed = [replace(one, status=Status.SUPERSEDED, superseded_by=new.id) for one in some]
        changes = [
            Change(before=None, after=new),
            *(Change(before=one, after=two) for one, two in zip(some, closed, strict=True)),
        ]
        bench.writer.write(job_change_set(JobId("j1"), (part, part), Extractor.RULES, changes, NOON))

    statuses = Counter(memory.status for memory in bench.memories())
    assert statuses == {Status.SUPERSEDED: 4, Status.ACTIVE: 5, Status.PENDING: 1}


def _replaced(memory: Memory) -> Link:
    return Link(to=memory.id, relation=Relation.REPLACES)
