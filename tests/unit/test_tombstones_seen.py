"""Tombstones as the person sees them, and what becomes of what they stood for."""

import pytest

from chatmem.domain.errors import NotFoundError
from chatmem.domain.forgetting import forbids
from chatmem.domain.turn import SessionId
from chatmem.forgetting.tombstones import Tombstones
from tests.fakes.builders import a_fact, a_quote, a_session, a_turn
from tests.fakes.world import World

SAID = "I'm allergic to peanuts."
FACT = a_fact("The user is allergic to peanuts.", quotes=(a_quote("I'm allergic to peanuts"),))


def world_that_forgot() -> tuple[World, Tombstones]:
    world = World()
    world.said(a_turn(1, SAID), session=a_session(title="Food"))
    world.remembers(FACT)
    world.forgetting.forget([FACT.id])
    return world, Tombstones(world.journal, world.eraser)


def test_a_tombstone_tells_when_of_what_kind_and_how_many_marks_but_no_word() -> None:
    _, tombstones = world_that_forgot()

    (seen,) = tombstones.list()

    assert (seen.of, seen.marks, seen.paraphrases) == ("fact", 3, True)
    assert "peanut" not in str(seen)


def test_what_a_removed_tombstone_stood_for_may_be_learned_again() -> None:
    world, tombstones = world_that_forgot()
    key = world.journal.tombstone_key()
    before = [forbids(one, key, FACT, None) for one in world.journal.tombstones()]

    tombstones.remove([tombstones.list()[0].id])

    assert before == [True]
    assert tombstones.list() == []
    assert world.journal.tombstones() == []


def test_sessions_that_were_forgotten_together_have_one_that_can_be_removed() -> None:
    world, tombstones = world_that_forgot()
    world.forgetting.forget([], [SessionId("s1")])
    seen = tombstones.list()

    tombstones.remove([one.id for one in seen if one.of == "sessions"])

    assert [one.of for one in seen if one.of == "sessions"] == ["sessions"]
    assert [one.of for one in tombstones.list()] == ["fact"]
    assert world.eraser.known() == frozenset()


def test_an_unknown_tombstone_removes_none() -> None:
    _, tombstones = world_that_forgot()

    with pytest.raises(NotFoundError, match="no tombstone nothing"):
        tombstones.remove([tombstones.list()[0].id, "nothing"])

    assert len(tombstones.list()) == 1
