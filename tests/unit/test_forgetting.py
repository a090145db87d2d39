from dataclasses import replace

import pytest

from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId
from chatmem.domain.errors import NotFoundError
from chatmem.domain.forgetting import BLOT, text_hash
from chatmem.domain.memory import Kind, Link, MemoryId, Relation
from chatmem.domain.turn import Attachment, AttachmentId, Role, SessionId, TurnId
from chatmem.forgetting.blot import blot_derived, blot_retold, blot_source
from tests.fakes.builders import NOON, a_fact, a_quote, a_session, a_turn
from tests.fakes.world import World

SAID = "I'm Ana. I live in Porto and I'm allergic to peanuts."


def world_with_an_allergy() -> World:
    world = World()
    world.said(
        a_turn(1, SAID),
        a_turn(2, "Nice to meet you, Ana! I will keep peanuts out of recipes. Porto is lovely.", role=Role.ASSISTANT),
        session=a_session(title=SAID),
    )
    world.remembers(
        a_fact("The user is allergic to peanuts.", quotes=(a_quote("I'm allergic to peanuts"),)),
        a_fact("The user lives in Porto.", quotes=(a_quote(SAID),)),
        a_fact("The user told of Porto and an allergy to peanuts.", kind=Kind.EPISODE, quotes=(a_quote(SAID),)),
    )
    return world


def test_only_the_clause_that_tells_it_is_blotted_out_of_its_turn() -> None:
    fact = a_fact("The user is allergic to peanuts.", quotes=(a_quote(SAID),))

    assert blot_source(SAID, fact) == f"I'm Ana. I live in Porto and {BLOT}"


def test_a_quote_without_a_telling_word_goes_whole() -> None:
    fact = a_fact("The user has a nut allergy.", quotes=(a_quote("they make me swell up"),))

    assert blot_source("Not for me, they make me swell up", fact) == f"Not for me, {BLOT}"


def test_another_mention_of_one_word_is_left_alone() -> None:
    fact = a_fact("The user's sister Ana plays the cello.", quotes=())

    assert blot_retold("Ana from work called.", fact) == "Ana from work called."


def test_the_same_thing_told_again_is_blotted() -> None:
    fact = a_fact("The user is allergic to peanuts.", quotes=())

    assert blot_retold("Remember, peanuts: I am allergic!", fact) != "Remember, peanuts: I am allergic!"
    assert blot_retold("As I said, I am allergic to peanuts.", fact) == f"As I said, {BLOT}"


def test_an_answer_given_with_the_memory_in_view_loses_every_clause_that_names_it() -> None:
    fact = a_fact("The user is allergic to peanuts.", quotes=())

    assert blot_derived("Try olives. Peanuts are out.", fact) == f"Try olives. {BLOT}"


def test_forgetting_erases_the_memory_its_episode_its_words_and_the_answers_that_used_it() -> None:
    world = world_with_an_allergy()
    fact = a_fact("The user is allergic to peanuts.")

    proof = world.forgetting.forget([fact.id])

    assert (proof.erased, proof.turns_redacted, proof.residue) == (2, 2, 0)
    assert all("peanut" not in turn.text for turn in world.everything_said())
    assert "peanut" not in world.log.sessions()[0].title
    assert "Porto" in world.everything_said()[0].text


def test_what_is_left_of_a_turn_off_the_record_is_indexed_no_more_than_before() -> None:
    world = world_with_an_allergy()
    aside = a_turn(3, "I'm allergic to peanuts, and my hideout lies in Timbuktu.", off_record=True)
    world.said(aside)

    world.forgetting.forget([a_fact("The user is allergic to peanuts.").id])

    assert "Timbuktu" in world.log.turn(aside.id).text
    assert not world.turns.indexed([aside.id])


def test_an_answer_in_another_session_that_was_given_the_memory_loses_it_too() -> None:
    world = world_with_an_allergy()
    fact = a_fact("The user is allergic to peanuts.")
    later = a_session(2)
    question = a_turn(1, "Which snack?", id=TurnId("s2t1"), session_id=later.id)
    answer = a_turn(2, "Olives. No peanut butter!", id=TurnId("s2t2"), session_id=later.id, role=Role.ASSISTANT)
    world.said(question, answer, session=later)
    shown = [replace(item, injected=True) for item in world.recall.search("peanuts", limit=3)]
    world.log.save_recalled(question.id, shown, ms=1.0)

    world.forgetting.forget([fact.id])

    assert world.log.turn(answer.id).text == f"Olives. {BLOT}"


def test_words_in_an_answer_that_was_given_again_go_too() -> None:
    world = world_with_an_allergy()
    beside = a_turn(3, "No peanuts, I see.", role=Role.ASSISTANT)
    world.log.append_beside(beside, TurnId("s1t2"))

    proof = world.forgetting.forget([a_fact("The user is allergic to peanuts.").id])

    assert proof.turns_redacted == 3
    assert all("peanut" not in turn.text for turn in world.log.turns(SessionId("s1"), every_branch=True))


def test_an_answer_of_a_branch_that_was_not_told_is_left_alone() -> None:
    world = world_with_an_allergy()
    edited = a_turn(3, "What is in satay?", id=TurnId("q"))
    world.log.append_beside(edited, TurnId("s1t1"))
    answer = world.log.append(a_turn(4, "Peanuts, mostly.", role=Role.ASSISTANT))

    world.forgetting.forget([a_fact("The user is allergic to peanuts.").id])

    assert world.log.turn(answer.id).text == "Peanuts, mostly."


def test_what_the_model_thought_of_it_goes_though_the_answer_stays() -> None:
    world = world_with_an_allergy()
    thought = a_turn(3, "Try olives.", role=Role.ASSISTANT, reasoning="No peanuts for this user.")
    other = a_turn(4, "Or grapes.", role=Role.ASSISTANT, reasoning="Fruit is always good.")
    world.said(thought, other)

    world.forgetting.forget([a_fact("The user is allergic to peanuts.").id])

    assert (world.log.turn(thought.id).text, world.log.turn(thought.id).reasoning) == ("Try olives.", "")
    assert world.log.turn(other.id).reasoning == "Fruit is always good."


def test_images_of_a_turn_that_tells_it_go() -> None:
    world = world_with_an_allergy()
    told = Attachment(id=AttachmentId("i1"), name="rash.png", media_type="image/png", size=1)
    named = Attachment(id=AttachmentId("i2"), name="allergic to peanuts.png", media_type="image/png", size=1)
    world.log.append(a_turn(3, "Again: I am allergic to peanuts.", attachments=(told,)), [b"1"])
    world.log.append(a_turn(4, "Look.", attachments=(named,)), [b"2"])

    world.forgetting.forget([a_fact("The user is allergic to peanuts.").id])

    assert [turn.attachments for turn in world.everything_said()] == [()] * 4
    assert world.log.turn(TurnId("s1t4")).text == "Look."


def test_drafts_that_tell_it_are_dropped() -> None:
    world = world_with_an_allergy()
    world.log.save_draft(SessionId("s1"), "By the way, I am allergic to peanuts")
    world.log.save_draft(None, "What is for dinner?")

    world.forgetting.forget([a_fact("The user is allergic to peanuts.").id])

    assert world.log.draft(SessionId("s1")) == ""
    assert world.log.draft(None) == "What is for dinner?"


def test_the_draft_of_the_next_session_is_dropped_too() -> None:
    world = world_with_an_allergy()
    world.log.save_draft(None, "I am allergic to peanuts!")

    world.forgetting.forget([a_fact("The user is allergic to peanuts.").id])

    assert world.log.draft(None) == ""


def test_a_memory_that_shares_the_quote_stays_without_the_forgotten_words() -> None:
    world = world_with_an_allergy()
    fact = a_fact("The user is allergic to peanuts.")

    world.forgetting.forget([fact.id])

    (left,) = world.journal.latest()
    assert left.text == "The user lives in Porto."
    assert "peanuts" not in left.quotes[0].text


def test_a_tombstone_holds_hashes_and_no_text() -> None:
    world = world_with_an_allergy()
    fact = a_fact("The user is allergic to peanuts.")

    world.forgetting.forget([fact.id])

    hashes = {hash_ for tombstone in world.journal.tombstones() for hash_ in tombstone.hashes}
    assert text_hash("the user is ALLERGIC to peanuts.", world.journal.tombstone_key()) in hashes


def test_forgetting_something_unknown_changes_nothing() -> None:
    world = world_with_an_allergy()

    with pytest.raises(NotFoundError, match="no memory m0"):
        world.forgetting.forget([MemoryId("m0")])

    assert len(world.journal.latest()) == 3


def test_a_crash_in_the_middle_is_made_good() -> None:
    world = world_with_an_allergy()
    fact = a_fact("The user is allergic to peanuts.")
    world.journal.begin_forgetting([fact.id], [])

    assert world.forgetting.resume()

    assert all("peanut" not in turn.text for turn in world.everything_said())
    assert world.journal.unfinished_forgetting() == ([], [])
    assert not world.forgetting.resume()


def test_the_preview_changes_nothing() -> None:
    world = world_with_an_allergy()
    fact = a_fact("The user is allergic to peanuts.")

    preview = world.forgetting.preview([fact.id])

    assert len(preview.memories) == 2
    assert len(preview.redactions) == 2
    assert len(world.journal.latest()) == 3


def test_what_was_taken_back_can_be_forgotten_and_loses_its_words_with_others() -> None:
    world = world_with_an_allergy()
    fact = a_fact("The user is allergic to peanuts.", quotes=(a_quote("I'm allergic to peanuts"),))
    home = a_fact("The user lives in Porto.", quotes=(a_quote(SAID),))
    gone = tuple(Change(before=one, after=None) for one in (fact, home))
    world.journal.record(ChangeSet(id=ChangeSetId("c2"), made_at=NOON, cause=Cause.UNDO, changes=gone))
    world.memories.erase([fact.id, home.id])

    proof = world.forgetting.forget([fact.id])

    assert proof.erased == 2
    assert [one.text for one in world.journal.taken_back()] == [home.text]
    assert "peanuts" not in world.journal.taken_back()[0].quotes[0].text
    assert world.memories.get([home.id]) == []


def test_what_a_memory_said_before_it_was_edited_goes_too() -> None:
    world = world_with_an_allergy()
    now = a_fact("The user rows.", id=MemoryId("edited"))
    before = replace(now, text="The user's allergic to peanuts, the nuts")
    for number, change in enumerate((Change(before=None, after=before), Change(before=before, after=now))):
        changes = ChangeSet(id=ChangeSetId(f"e{number}"), made_at=NOON, cause=Cause.EDIT, changes=(change,))
        world.journal.record(changes)
    world.memories.put([now], [None])

    world.forgetting.forget([a_fact("The user is allergic to peanuts.").id])

    told = [str(changes) for changes in world.journal.change_sets()]
    assert not [one for one in told if "peanuts" in one]
    assert [memory.text for memory in world.memories.get([now.id])] == ["The user rows."]


def test_what_was_drawn_from_a_forgotten_memory_goes_with_it() -> None:
    world = World()
    told = a_fact("Went climbing with Eva.", kind=Kind.EPISODE)
    link = Link(to=told.id, relation=Relation.DERIVED_FROM)
    drawn = a_fact("The user often speaks of climbing.", quotes=(), links=(link,))
    world.remembers(told, drawn)

    assert set(world.forgetting.preview([told.id]).memories) == {told, drawn}


def test_an_answer_to_a_turn_that_tells_it_again_loses_every_clause_that_names_it() -> None:
    world = world_with_an_allergy()
    world.log.append_beside(a_turn(3, f"{SAID} And I cook.", id=TurnId("edited")), TurnId("s1t1"))
    answer = world.log.append(a_turn(4, "Try olives. Peanuts are out.", id=TurnId("a"), role=Role.ASSISTANT))

    world.forgetting.forget([a_fact("The user is allergic to peanuts.").id])

    assert world.log.turn(answer.id).text == f"Try olives. {BLOT}"
