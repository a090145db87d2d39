import asyncio

from chatmem.conversation import FellOver, ReasoningGrew, Refitted, ReplyGrew, Retrying
from chatmem.domain.errors import PromptTooLongError, ProviderError
from chatmem.domain.model import ModelFacts
from chatmem.domain.turn import Role, TurnStatus
from tests.fakes.builders import a_choice, a_session, a_turn
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.fakes.world import World
from tests.unit.conversing import all_of, ended, kinds, say, shown

OTHER = a_choice("other", model="openai/other")
TOO_LONG = PromptTooLongError("The prompt is too long for fake.")


def talked(world: World) -> None:
    world.said(*(a_turn(seq, "word " * 40, role=Role.USER if seq % 2 else Role.ASSISTANT) for seq in range(1, 11)))


async def test_what_a_model_thinks_is_told_and_kept_but_never_sent_back() -> None:
    world = World(ScriptedChatModel(always=Script(reasoning="Let me see.", text="Yes.")))
    conversation = world.conversation()

    events = await all_of(conversation.send("Is it?"))
    await say(conversation, "Really?")

    assert "".join(event.text for event in events if isinstance(event, ReasoningGrew)) == "Let me see."
    turn = (await conversation.turns())[1]
    assert (turn.reasoning, turn.text) == ("Let me see.", "Yes.")
    assert shown(world.chat_model.requests[1]) == ["Is it?", "Yes.", "Really?"]


async def test_retries_are_told_as_they_come() -> None:
    world = World(ScriptedChatModel.of(Script(retries=("Too many requests.",), text="Yes.")))

    events = await all_of(world.conversation().send("Is it?"))

    [retrying] = [event for event in events if isinstance(event, Retrying)]
    assert (retrying.error, retrying.attempt) == ("Too many requests.", 2)
    assert kinds(events).index("Retrying") < kinds(events).index("ReplyGrew")


async def test_why_an_answer_ended_is_kept() -> None:
    world = World(ScriptedChatModel.of(Script(text="The quick", reason="length")))
    conversation = world.conversation()

    [end] = await say(conversation, "Tell me")

    assert end.turn.finish_reason == "length"
    assert (await conversation.turns())[1].finish_reason == "length"


async def test_stopping_while_a_model_thinks_keeps_its_thoughts() -> None:
    world = World(ScriptedChatModel.of(Script(reasoning="Hm", hold=asyncio.Event())))
    conversation = world.conversation()
    async for event in conversation.send("Is it?"):
        if isinstance(event, ReasoningGrew):
            conversation.stop()

    turn = (await conversation.turns())[1]
    assert (turn.status, turn.reasoning, turn.text) == (TurnStatus.STOPPED, "Hm", "")


async def test_a_prompt_that_is_refused_as_too_long_is_made_shorter_once() -> None:
    world = World(ScriptedChatModel.of(TOO_LONG, "Fine."))
    talked(world)
    conversation = world.conversation(session=world.log.session(a_session().id))

    events = await all_of(conversation.send("and now?"))

    [event] = [event for event in events if isinstance(event, Refitted)]
    first, second = (shown(request) for request in world.chat_model.requests)
    assert len(first) - len(second) == event.left_out > 0
    assert (await conversation.turns())[-1].text == "Fine."
    assert kinds(events) == [
        "TurnRecorded",
        "MemoriesRecalled",
        "ReplyBegun",
        "Refitted",
        "ReplyGrew",
        "ReplyEnded",
    ]


async def test_a_prompt_that_is_refused_twice_ends_the_reply() -> None:
    world = World(ScriptedChatModel.of(TOO_LONG, TOO_LONG, "Never."))
    talked(world)
    conversation = world.conversation(session=world.log.session(a_session().id))

    end = await ended(conversation.send("and now?"))

    assert len(world.chat_model.requests) == 2
    assert (end.turn.status, end.turn.error) == (TurnStatus.FAILED, str(TOO_LONG))


async def test_a_prompt_that_cannot_be_made_shorter_is_not_sent_again() -> None:
    world = World(ScriptedChatModel.of(TOO_LONG, "Never."))

    end = await ended(world.conversation().send("and now?"))

    assert len(world.chat_model.requests) == 1
    assert end.turn.status is TurnStatus.FAILED


async def test_where_a_model_fails_for_good_the_one_in_its_place_is_asked() -> None:
    world = World(ScriptedChatModel.of(ProviderError("Wrong key."), "Here."))
    conversation = world.conversation()
    conversation.choice = a_choice(fallback=OTHER)

    events = await all_of(conversation.send("Tell me"))

    [fell] = [event for event in events if isinstance(event, FellOver)]
    turn = (await conversation.turns())[1]
    assert (fell.choice, fell.error, fell.turn.id, fell.turn.model) == (OTHER, "Wrong key.", turn.id, "other")
    assert (turn.model, turn.text, turn.status, turn.error) == ("other", "Here.", TurnStatus.COMPLETE, None)
    assert [request.choice.name for request in world.chat_model.requests] == ["fake", "other"]
    assert conversation.choice.name == "fake"


async def test_one_model_after_the_other_is_asked_and_the_last_one_says_why() -> None:
    world = World(ScriptedChatModel.of(ProviderError("One."), ProviderError("Two."), ProviderError("Three.")))
    conversation = world.conversation()
    conversation.choice = a_choice(fallback=a_choice("second", fallback=a_choice("third")))

    end = await ended(conversation.send("Tell me"))

    assert (end.turn.model, end.turn.status, end.turn.error) == ("third", TurnStatus.FAILED, "Three.")


async def test_a_model_that_fails_in_the_middle_is_not_replaced() -> None:
    world = World(ScriptedChatModel.of(Script(text="half a", error=ProviderError("Gone.")), "Never."))
    conversation = world.conversation()
    conversation.choice = a_choice(fallback=OTHER)

    end = await ended(conversation.send("Tell me"))

    assert end.turn.text.startswith("half")
    assert end.turn.model == "fake"
    assert end.turn.status is TurnStatus.FAILED


async def test_a_model_beyond_its_budget_is_not_asked_in_place_of_another() -> None:
    world = World(ScriptedChatModel.of(ProviderError("Crashed."), "Never."), spent="$0.50")
    conversation = world.conversation()
    conversation.choice = a_choice("builtin/small", model="builtin/small", fallback=OTHER)

    end = await ended(conversation.send("Tell me"))

    assert end.turn.error == "Crashed."


async def test_a_smaller_model_in_place_of_another_is_shown_what_fits() -> None:
    world = World(ScriptedChatModel.of(ProviderError("Away."), "Here."))
    talked(world)
    conversation = world.conversation(session=world.log.session(a_session().id))
    conversation.choice = a_choice(fallback=a_choice("small", context_tokens=500))

    events = await all_of(conversation.send("and now?"))

    assert [name for name in kinds(events) if name in {"FellOver", "Refitted"}] == ["FellOver", "Refitted"]
    assert len(shown(world.chat_model.requests[1])) < len(shown(world.chat_model.requests[0]))


async def test_an_answer_whose_end_never_came_is_counted_here() -> None:
    priced = {"openai/fake": ModelFacts(prompt_usd=1e6, completion_usd=1e6)}
    endless = Script(text="the beginning of", hold=asyncio.Event())
    world = World(ScriptedChatModel(always=endless, known=priced))
    conversation = world.conversation()
    async for event in conversation.send("Tell me"):
        if isinstance(event, ReplyGrew):
            conversation.stop()

    [usage] = (await conversation.usage()).values()
    assert usage.completion_tokens >= 1
    assert usage.cost_usd == usage.prompt_tokens + usage.completion_tokens
