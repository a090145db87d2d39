"""What the model is told of the user with every question, where that is set."""

from datetime import timedelta

import pytest

from chatmem.consolidation.profile_card import card_memories
from chatmem.domain.memory import Kind, Memory, Status
from chatmem.domain.recall import Recalled
from chatmem.domain.turn import TurnId
from chatmem.recall.recall import Card, Indexes, Recall
from tests.fakes.builders import NOON, a_fact, a_quote
from tests.fakes.talk import FakeTalk
from tests.fakes.world import World

HOME = a_fact("I live in Porto.", slot="home", importance=0.8)
DIET = a_fact("I'm vegan.", slot="diet", importance=0.85)
PAST = a_fact("I live in Braga.", slot="home", status=Status.SUPERSEDED, valid_to=NOON + timedelta(days=1))
BRIEF = a_fact("Answer in one sentence.", kind=Kind.PROCEDURE)


def recalled(
    world: World, question: str, *, tokens: int, budget_tokens: int = 500, exclude: tuple[TurnId, ...] = ()
) -> list[Recalled]:
    indexes = Indexes(
        memories=world.memories,
        turns=world.turns,
        journal=world.journal,
        feedback=world.feedback,
        talk=FakeTalk(world.log),
    )
    card = Card(memories=lambda: card_memories(world.memories, tokens), tokens=tokens)
    recall = Recall(indexes, world.embedder, world.counter, world.clock, card=card)
    return recall.find(question, exclude=exclude, budget_tokens=budget_tokens)


@pytest.fixture
def world() -> World:
    made = World()
    keep(made, HOME, DIET, PAST, BRIEF)
    return made


def keep(world: World, *memories: Memory) -> None:
    world.memories.put(memories, world.embedder.embed([memory.text for memory in memories]))


def test_the_card_goes_with_a_question_that_has_nothing_to_do_with_it(world: World) -> None:
    found = recalled(world, "What is a lintel?", tokens=200)

    assert [item.text for item in found if item.injected] == [HOME.text, DIET.text, BRIEF.text]


def test_what_is_on_the_card_is_not_told_twice(world: World) -> None:
    found = recalled(world, "Do I live in Porto, and am I vegan?", tokens=200)

    assert sorted(item.id for item in found if item.text == HOME.text) == [HOME.id]


def test_the_card_takes_no_more_than_it_may_nor_more_than_half_of_all(world: World) -> None:
    few = recalled(world, "What is a lintel?", tokens=17)
    small = recalled(world, "What is a lintel?", tokens=200, budget_tokens=34)

    assert [item.text for item in few if item.injected] == [HOME.text, BRIEF.text]
    assert [item.text for item in small if item.injected] == [HOME.text, BRIEF.text]


def test_what_has_expired_is_not_on_the_card(world: World) -> None:
    keep(world, a_fact("I am allergic to penicillin.", slot="allergy", expires_at=NOON - timedelta(days=3)))

    found = recalled(world, "What is a lintel?", tokens=200)

    assert "I am allergic to penicillin." not in [item.text for item in found]


def test_a_question_about_another_time_gets_no_card(world: World) -> None:
    found = recalled(world, "as-of:2020-01-01 What is a lintel?", tokens=200)

    assert HOME.text not in [item.text for item in found]


def test_what_was_said_in_the_window_is_not_on_the_card(world: World) -> None:
    said = a_fact("I have a cat called Mosi.", slot="pet", quotes=(a_quote("I have a cat called Mosi.", "s9t1"),))
    keep(world, said)

    elsewhere = recalled(world, "What is a lintel?", tokens=200)
    here = recalled(world, "What is a lintel?", tokens=200, exclude=(TurnId("s9t1"),))

    assert said.id in {item.id for item in elsewhere}
    assert said.id not in {item.id for item in here}
