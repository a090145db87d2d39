import pytest

from chatmem.domain.memory import Kind
from chatmem.recall.asked import attribute
from chatmem.recall.wording import akin
from tests.fakes.builders import a_fact, a_turn
from tests.fakes.world import World


def test_nothing_is_shown_for_a_colour_that_was_never_named() -> None:
    world = World()
    world.said(a_turn(1, "I moved to Porto in spring."), a_turn(2, "My sister plays the cello."))
    world.remembers(a_fact("I live in Porto.", slot="home"))

    assert world.recall.find("What is my favourite colour?", budget_tokens=200) == []
    assert world.recall.judge("What is my favourite colour?").abstained


def test_standing_instructions_stay_when_all_else_is_left_out() -> None:
    world = World()
    world.remembers(a_fact("Always answer in French.", kind=Kind.PROCEDURE))

    recalled = world.recall.find("What is my favourite colour?", budget_tokens=200)

    assert [item.text for item in recalled] == ["Always answer in French."]


def test_a_memory_in_the_slot_that_is_asked_for_is_an_answer() -> None:
    world = World()
    world.remembers(a_fact("I moved to Porto.", slot="home"))

    verdict = world.recall.judge("Which city do I live in?")

    assert verdict.confidence > 0.4
    assert not verdict.abstained


def test_what_is_known_of_another_is_no_answer_about_oneself() -> None:
    world = World()
    world.remembers(a_fact("Ewan is allergic to egg.", slot="allergy", subject="friend Ewan"))

    about_me, about_him = (
        world.recall.judge(q).confidence for q in ("What am I allergic to?", "What is Ewan allergic to?")
    )

    assert about_me < about_him


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        ("If I had a million I would buy a boat.", "do I have a boat?"),
        ("My sister has a boat.", "do I have a boat?"),
        ("I have a boat.", "when do I get the boat?"),
        ("I have a boat.", "how many boats do I have?"),
        ("I have a boat.", "what is my boat called?"),
        ("I have a boat.", "which brand is my boat?"),
        ("I have a boat.", "does Ewan have a boat?"),
    ],
)
def test_a_statement_that_leaves_the_question_open_is_doubted(statement: str, question: str) -> None:
    doubted, plain = World(), World()
    doubted.said(a_turn(1, statement))
    plain.said(a_turn(1, "I have a boat."))

    assert doubted.recall.judge(question).confidence < plain.recall.judge("do I have a boat?").confidence


def test_what_the_assistant_said_is_no_evidence() -> None:
    from chatmem.domain.turn import Role

    world = World()
    world.said(a_turn(1, "You have a boat.", role=Role.ASSISTANT))

    assert world.recall.judge("do I have a boat?").confidence == 0.0


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which brand is my bike?", "brand"),
        ("what's my start number?", "number"),
        ("what is my favourite colour?", "colour"),
        ("what do I do for work?", None),
        ("where do I live?", None),
    ],
)
def test_the_thing_asked_for_is_known(question: str, expected: str | None) -> None:
    assert attribute(question) == expected


def test_forms_of_one_word_are_akin() -> None:
    assert akin("live", "living")
    assert akin("creaks", "creaking")
    assert not akin("start", "stand")
