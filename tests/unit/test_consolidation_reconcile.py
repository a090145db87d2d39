from dataclasses import replace
from datetime import timedelta

import pytest

from chatmem.consolidation.reconcile import Conflicts, Neighbour, is_same, job_change_set, reconcile
from chatmem.domain.change import Change, JobId
from chatmem.domain.memory import Extractor, Kind, Memory, MemoryId, Relation, Status, Wait
from tests.fakes.builders import NOON, a_fact, a_quote

LATER = NOON + timedelta(days=1)


def test_something_new_is_added() -> None:
    new = a_fact("The user plays the oboe.")

    changes = reconcile(new, [Neighbour(memory=a_fact(), similarity=0.3)], LATER, "newest")

    assert changes == (Change(before=None, after=new),)


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ("The user lives in Porto.", "the user lives in porto"),
        ("The user lives in Porto.", "I live in Porto."),
        ("My cat Minka likes tuna.", "My cat Minka likes tuna a lot, also."),
    ],
)
def test_the_same_in_nearly_the_same_words_is_not_stored_twice(known: str, told: str) -> None:
    new = a_fact(told, quotes=(a_quote(told, "s1t9"),))

    assert is_same(new, Neighbour(memory=a_fact(known)))


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ("The user drinks tea in the morning at work.", "The user drinks coffee in the morning at work."),
        ("The user has 2 cats and one dog at home.", "The user has 3 cats and one dog at home."),
        ("The user eats pork.", "The user does not eat pork."),
        ("The user loves long walks by the sea.", "The user hates long walks by the sea."),
        ("The user likes the friend called Ida a lot.", "The user likes the friend called Eda a lot."),
    ],
)
def test_what_differs_in_what_matters_is_kept_apart_however_similar(known: str, told: str) -> None:
    assert not is_same(a_fact(told), Neighbour(memory=a_fact(known), similarity=0.91))


def test_numbers_names_and_denial_outweigh_any_similarity() -> None:
    known, told = a_fact("The user pays 20 euros."), a_fact("The user pays 30 euros.")

    assert not is_same(told, Neighbour(memory=known, similarity=0.99))


def test_the_same_words_about_someone_else_are_another_matter() -> None:
    about_ana = a_fact("She is vegan and lives there.", subject="sister Ana")
    about_eva = a_fact("She is vegan, and lives there too.", subject="sister Eva")

    assert not is_same(about_eva, Neighbour(memory=about_ana, similarity=0.99))


def test_what_is_told_again_adds_its_quote_and_makes_surer() -> None:
    known = a_fact()
    again = replace(a_quote("i live in porto", "s2t1"), said_at=LATER)

    (change,) = reconcile(a_fact("I live in Porto", quotes=(again,)), [Neighbour(memory=known)], LATER, "newest")

    assert change.before == known
    assert change.after is not None
    assert change.after.quotes == (*known.quotes, again)
    assert change.after.confidence > known.confidence
    assert (change.after.id, change.after.text, change.after.updated_at) == (known.id, known.text, LATER)


def test_the_same_words_of_the_same_turn_change_nothing() -> None:
    assert reconcile(a_fact(), [Neighbour(memory=a_fact())], LATER, "newest") == ()


def test_a_procedure_and_a_fact_are_not_one() -> None:
    assert not is_same(
        a_fact("Answer in short sentences, please.", kind=Kind.PROCEDURE),
        Neighbour(memory=a_fact("Answers in short sentences please."), similarity=0.95),
    )


def test_a_change_set_of_a_job_has_one_id_and_one_change_for_each_memory() -> None:
    first, second = a_fact(), a_fact(confidence=0.9)
    changes = [Change(before=None, after=first), Change(before=first, after=second)]

    made = job_change_set(JobId("j1"), (1, 40), Extractor.RULES, changes, NOON)

    assert made.changes == (Change(before=None, after=second),)
    assert made.id == job_change_set(JobId("j1"), (1, 40), Extractor.RULES, [], LATER).id
    assert made.id != job_change_set(JobId("j1"), (41, 80), Extractor.RULES, [], NOON).id
    assert made.id != job_change_set(JobId("j1"), (1, 40), Extractor.MODEL, [], NOON).id


GHENT = a_fact("I live in Ghent.")
ANTWERP = a_fact("I live in Antwerp.", valid_from=LATER)


def settled(new: Memory, *known: Memory, conflicts: Conflicts = "newest") -> dict[str, Memory]:
    """All memories by text, after `new` was told beside those that are known."""
    store = {memory.text: memory for memory in known}
    for change in reconcile(new, [Neighbour(memory=memory) for memory in known], LATER, conflicts):
        assert change.after is not None
        store[change.after.text] = change.after
    return store


def test_a_later_value_closes_the_time_of_the_one_before() -> None:
    store = settled(ANTWERP, GHENT)

    old, new = store[GHENT.text], store[ANTWERP.text]
    assert (old.status, old.valid_to, old.superseded_by) == (Status.SUPERSEDED, LATER, ANTWERP.id)
    assert (new.status, new.valid_to) == (Status.ACTIVE, None)
    assert [(link.to, link.relation) for link in new.links] == [(GHENT.id, Relation.REPLACES)]


def test_an_older_value_that_is_told_late_is_filed_as_history() -> None:
    store = settled(GHENT, ANTWERP)

    old, new = store[GHENT.text], store[ANTWERP.text]
    assert (old.status, old.valid_to, old.superseded_by) == (Status.SUPERSEDED, LATER, ANTWERP.id)
    assert new.status is Status.ACTIVE


def test_a_value_between_two_others_is_put_between_them() -> None:
    between = a_fact("I live in Bruges.", valid_from=NOON + timedelta(hours=1))
    closed = replace(GHENT, status=Status.SUPERSEDED, valid_to=LATER, superseded_by=ANTWERP.id)

    store = settled(between, closed, ANTWERP)

    assert [(store[text].superseded_by, store[text].valid_to) for text in (GHENT.text, between.text)] == [
        (between.id, between.valid_from),
        (ANTWERP.id, LATER),
    ]


def test_a_value_that_holds_again_is_a_memory_of_its_own() -> None:
    closed = replace(GHENT, status=Status.SUPERSEDED, valid_to=NOON + timedelta(hours=1), superseded_by=ANTWERP.id)
    again = a_fact("I live in Ghent", id=MemoryId("m2"), valid_from=LATER)

    assert settled(again, closed)[again.text].status is Status.ACTIVE


def test_with_both_wanted_a_contradiction_is_linked_and_retires_nothing() -> None:
    store = settled(ANTWERP, GHENT, conflicts="both")

    assert [memory.status for memory in store.values()] == [Status.ACTIVE, Status.ACTIVE]
    assert store[ANTWERP.text].links[0].relation is Relation.CONTRADICTS


def test_where_the_person_is_asked_the_new_one_waits() -> None:
    store = settled(ANTWERP, GHENT, conflicts="ask")

    assert store[GHENT.text] == GHENT
    assert (store[ANTWERP.text].status, store[ANTWERP.text].waits_for) == (Status.PENDING, Wait.CONFLICT)
    assert [link.to for link in store[ANTWERP.text].links] == [GHENT.id]


def test_what_waits_supersedes_nothing() -> None:
    waiting = replace(ANTWERP, status=Status.PENDING, waits_for=Wait.CONSENT)

    assert settled(waiting, GHENT) == {GHENT.text: GHENT, ANTWERP.text: waiting}


def test_what_is_told_again_is_in_doubt_no_more() -> None:
    doubted = replace(GHENT, doubt="The home it rests on has changed.")
    again = a_fact("I live in Ghent", quotes=(a_quote("I live in Ghent", "s2t1"),))

    assert settled(again, doubted)[GHENT.text].doubt == ""
