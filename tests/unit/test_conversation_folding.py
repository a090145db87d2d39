import asyncio
from typing import Literal

from chatmem.conversation import Strategy
from chatmem.domain.errors import ProviderError
from chatmem.domain.memory import Kind
from chatmem.domain.model import ModelFacts
from chatmem.domain.turn import Role
from tests.fakes.builders import a_choice, a_fact, a_session, a_turn
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.fakes.world import World
from tests.unit.conversing import say


def talked(world: World, number: int) -> None:
    world.said(
        *(
            a_turn(seq, f"I saw {seq}. " + "word " * 37, role=Role.USER if seq % 2 else Role.ASSISTANT)
            for seq in range(1, number + 1)
        )
    )


async def test_nothing_is_folded_while_there_is_room() -> None:
    world = World()
    talked(world, 4)
    conversation = world.conversation(Strategy.SUMMARISING, world.log.session(a_session().id))

    assert await conversation.compact() == 0
    assert world.chat_model.requests == []


async def test_the_model_for_background_work_folds_and_its_call_is_counted() -> None:
    world = World(ScriptedChatModel.of("They saw things."), background=a_choice("small", context_tokens=300))
    world.chat_model.context = 500
    talked(world, 10)
    conversation = world.conversation(Strategy.SUMMARISING, world.log.session(a_session().id))

    folded = await conversation.compact()

    [request] = world.chat_model.requests
    assert folded > 0
    assert request.choice.name == "small"
    assert len(request.messages[0].text.split()) + request.max_reply_tokens <= 300
    assert conversation.session.summary == "They saw things."
    assert [count.purpose for count in world.meter.calls()] == ["summary"]


class Held(asyncio.Event):
    """Never set, and tells when it is waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.awaited = asyncio.Event()

    async def wait(self) -> Literal[True]:
        self.awaited.set()
        return await super().wait()


async def test_a_summary_that_the_next_turn_cancels_is_counted_as_far_as_it_came() -> None:
    held = Held()
    world = World(ScriptedChatModel.of(Script(reasoning="So…", text="They saw", hold=held)))
    world.chat_model.context = 500
    world.chat_model.known = {a_choice().model: ModelFacts(prompt_usd=1.0, completion_usd=2.0)}
    talked(world, 10)
    conversation = world.conversation(Strategy.SUMMARISING, world.log.session(a_session().id))
    folding = asyncio.create_task(conversation.compact())
    await held.awaited.wait()

    folding.cancel()
    await asyncio.wait([folding])

    [count] = world.meter.calls()
    [request] = world.chat_model.requests
    assert (count.purpose, count.prompt_tokens) == ("summary", len(request.messages[0].text.split()))
    assert count.completion_tokens == 2
    assert count.cost_usd == (count.prompt_tokens + 2 * count.completion_tokens) / 1e6


async def test_a_summary_that_fails_in_the_middle_is_counted_too() -> None:
    world = World(ScriptedChatModel.of(Script(text="They saw", error=ProviderError("gone"))))
    world.chat_model.context = 500
    talked(world, 10)
    conversation = world.conversation(Strategy.SUMMARISING, world.log.session(a_session().id))

    await conversation.compact()

    assert [(count.purpose, count.completion_tokens) for count in world.meter.calls()] == [("summary", 2)]


async def test_what_the_model_thinks_is_no_part_of_the_summary() -> None:
    world = World(ScriptedChatModel.of(Script(reasoning="Let me see.", text="They saw things.")))
    world.chat_model.context = 500
    talked(world, 10)
    conversation = world.conversation(Strategy.SUMMARISING, world.log.session(a_session().id))

    await conversation.compact()

    assert conversation.session.summary == "They saw things."


async def test_of_a_turn_that_alone_is_too_large_for_the_model_the_beginning_is_summarised() -> None:
    world = World(ScriptedChatModel.of("They saw things."), background=a_choice("small", context_tokens=300))
    world.chat_model.context = 2000
    world.said(a_turn(1, "First. " + "word " * 1500), a_turn(2, "So?", role=Role.ASSISTANT), a_turn(3, "word " * 500))
    conversation = world.conversation(Strategy.SUMMARISING, world.log.session(a_session().id))

    folded = await conversation.compact()

    [request] = world.chat_model.requests
    assert folded == 1
    assert "User: First. word" in request.messages[0].text
    assert len(request.messages[0].text.split()) + request.max_reply_tokens <= 300


async def test_without_a_model_for_background_work_turns_are_folded_by_extracting() -> None:
    world = World(background=None)
    world.chat_model.context = 500
    talked(world, 10)
    conversation = world.conversation(Strategy.SUMMARISING, world.log.session(a_session().id))

    folded = await conversation.compact()

    assert folded > 0
    assert world.chat_model.requests == []
    assert "the user said: I saw 1." in conversation.session.summary


async def test_instructions_and_what_happened_stand_where_they_belong() -> None:
    world = World(ScriptedChatModel.of("Fine."))
    world.remembers(
        a_fact("Answer in one line.", kind=Kind.PROCEDURE), a_fact("The user moved to Porto.", kind=Kind.EPISODE)
    )

    await say(world.conversation(), "When did I move to Porto?")

    system, asked = world.chat_model.requests[0].messages
    assert "How the user wants things done:\n- Answer in one line." in system.text
    assert 'What happened, as the user told it on 4 March 2026: "The user moved to Porto."' in asked.text
