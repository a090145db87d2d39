import pytest

from chatmem.conversation.explaining import Explanation
from chatmem.domain.errors import UsageError
from chatmem.domain.memory import Memory
from chatmem.domain.recall import Source, Tier
from chatmem.domain.turn import Role, SessionId, TurnId
from tests.fakes.builders import a_fact, a_quote, a_session, a_turn
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.world import World
from tests.unit.conversing import say

HOME = a_fact("The user lives in Porto.", quotes=(a_quote("I live in Porto.", "s0t1"),))
SNACK = a_fact("The user never eats peanuts where they live.", quotes=())


async def explained(world: World, *memories: Memory, question: str = "Where do I live?") -> Explanation:
    world.remembers(*memories)
    conversation = world.conversation()
    (end,) = await say(conversation, question)
    return world.explaining.explain(end.turn.id, conversation.traces.parts)


async def test_an_answer_is_explained_by_what_it_used_before_what_it_was_only_shown() -> None:
    world = World(chat_model=ScriptedChatModel.of("You live in Porto."))

    explanation = await explained(world, SNACK, HOME)

    assert [(one.item.id, one.item.injected, one.item.used) for one in explanation.citations] == [
        (HOME.id, True, True),
        (SNACK.id, True, False),
    ]
    assert explanation.tier is Tier.LEARNED
    assert explanation.question.text == "Where do I live?"
    assert explanation.answer is not None
    assert explanation.answer.model == "fake"


async def test_the_words_that_only_the_memory_had_and_the_answer_repeats_are_told() -> None:
    world = World(chat_model=ScriptedChatModel.of("You live in Porto."))

    explanation = await explained(world, HOME)

    assert explanation.citations[0].shared == ("porto",)


async def test_a_memory_leads_to_the_very_turn_it_rests_on() -> None:
    world = World(chat_model=ScriptedChatModel.of("You live in Porto."))

    explanation = await explained(world, HOME, SNACK)

    assert {one.item.id: one.turn_id for one in explanation.citations} == {HOME.id: TurnId("s0t1"), SNACK.id: None}


async def test_the_parts_of_a_score_add_up_to_it() -> None:
    world = World(chat_model=ScriptedChatModel.of("You live in Porto."))

    item = (await explained(world, HOME)).citations[0].item

    assert sum(value for _, value in item.parts) == pytest.approx(item.score)
    assert "words" in dict(item.parts)


async def test_how_a_score_came_about_is_known_when_the_conversation_is_taken_up_later() -> None:
    world = World(chat_model=ScriptedChatModel.of("You live in Porto."))
    before = await explained(world, HOME)
    assert before.answer is not None

    item = world.explaining.explain(before.answer.id, {}).citations[0].item

    assert item.parts == before.citations[0].item.parts
    assert item.score > 0


async def test_what_was_forgotten_since_is_not_shown() -> None:
    world = World(chat_model=ScriptedChatModel.of("You live in Porto."))
    answer = (await explained(world, HOME, SNACK)).answer
    assert answer is not None
    world.forgetting.forget([HOME.id])

    explanation = world.explaining.explain(answer.id, {})

    assert [one.item.id for one in explanation.citations] == [SNACK.id]


async def test_what_is_in_no_store_any_more_is_counted() -> None:
    world = World(chat_model=ScriptedChatModel.of("You live in Porto."))
    answer = (await explained(world, HOME, SNACK)).answer
    assert answer is not None
    world.memories.erase([HOME.id])

    assert world.explaining.explain(answer.id, {}).gone == 1


async def test_an_earlier_turn_is_cited_with_who_said_it() -> None:
    world = World(chat_model=ScriptedChatModel.of("Fix the gutter."))
    world.said(
        a_turn(1, "The gutter leaks over the door.", id=TurnId("old"), session_id=SessionId("s9")), session=a_session(9)
    )
    conversation = world.conversation()
    (end,) = await say(conversation, "What leaks over the door?")

    citation = world.explaining.explain(end.turn.id, {}).citations[0]

    assert (citation.item.source, citation.item.speaker, citation.turn_id) == (Source.TURN, "the user", "old")


async def test_a_question_that_waits_for_its_answer_has_none() -> None:
    world = World()
    world.said(a_turn(1, "Where do I live?"))

    explanation = world.explaining.explain(TurnId("s1t1"), {})

    assert explanation.answer is None
    assert explanation.citations == ()


async def test_an_answer_without_a_question_rests_on_nothing_that_could_be_told() -> None:
    world = World()
    world.said(a_turn(1, "Welcome!", role=Role.ASSISTANT))

    with pytest.raises(UsageError, match="no question"):
        world.explaining.explain(TurnId("s1t1"), {})
