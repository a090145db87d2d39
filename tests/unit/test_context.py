import pytest

from chatmem.conversation import Conversation
from chatmem.conversation.assembly import Label
from chatmem.conversation.context import Basis, Context, ContextPart
from chatmem.domain.errors import UsageError
from chatmem.domain.memory import Kind
from chatmem.domain.turn import SessionId, TurnId
from tests.fakes.builders import a_fact, a_session, a_turn
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.secret_detector import HUSH
from tests.fakes.world import World
from tests.unit.conversing import all_of, say

HOME = a_fact("The user lives in Porto.", quotes=())
SHORT = a_fact("Keep answers short.", kind=Kind.PROCEDURE, quotes=())


def labels(context: Context) -> list[Label]:
    return [part.label for part in context.parts]


def part(context: Context, label: Label) -> ContextPart:
    return next(one for one in context.parts if one.label is label)


async def last_context(world: World, conversation: Conversation) -> Context:
    answer = world.log.turns(conversation.session.id)[-1]
    return await conversation.context_of(answer.id, world.explaining.recalled)


async def test_the_pieces_are_what_the_model_was_sent() -> None:
    world = World(chat_model=ScriptedChatModel.of("Porto.", "Yes."))
    world.remembers(HOME, SHORT)
    conversation = world.conversation()
    await say(conversation, "Hello", "Where do I live?")

    context = await last_context(world, conversation)

    assert context.basis is Basis.SENT
    assert labels(context) == [
        Label.SYSTEM,
        Label.PROCEDURES,
        Label.WINDOW,
        Label.WINDOW,
        Label.RECALLED,
        Label.TURN,
    ]
    sent = "\n\n".join(message.text for message in world.chat_model.requests[-1].messages)
    assert "\n\n".join(one.text for one in context.parts) == sent
    assert context.tokens == sum(world.counter.count(one.text) for one in context.parts)


async def test_of_an_answer_before_the_last_the_prompt_is_made_again_and_says_so() -> None:
    world = World(chat_model=ScriptedChatModel.of("Porto.", "Yes."))
    world.remembers(HOME)
    conversation = world.conversation()
    (first, _) = await say(conversation, "Where do I live?", "Sure?")

    context = await conversation.context_of(first.turn.id, world.explaining.recalled)

    assert context.basis is Basis.REBUILT
    sent = "\n\n".join(message.text for message in world.chat_model.requests[0].messages)
    assert "\n\n".join(one.text for one in context.parts) == sent


async def test_after_something_was_forgotten_the_prompt_is_no_longer_kept() -> None:
    world = World(chat_model=ScriptedChatModel.of("Porto."))
    world.remembers(HOME)
    conversation = world.conversation()
    await say(conversation, "Where do I live?")
    world.forgetting.forget([HOME.id])
    await conversation.reread()

    context = await last_context(world, conversation)

    assert context.basis is Basis.REBUILT
    assert "Porto" not in "".join(one.text for one in context.parts)


async def test_a_secret_that_was_let_through_is_masked() -> None:
    world = World(chat_model=ScriptedChatModel.of("Noted."))
    conversation = world.conversation()
    secret = f"{HUSH}hush4"
    await all_of(conversation.send(f"My key is {secret}", let_through=True))

    context = await last_context(world, conversation)

    assert secret in world.chat_model.requests[0].messages[-1].text
    assert context.basis is Basis.SENT
    assert secret not in part(context, Label.TURN).text


async def test_what_comes_next_has_the_talk_so_far_and_the_place_of_what_is_typed() -> None:
    world = World(chat_model=ScriptedChatModel.of("Hello!"))
    conversation = world.conversation()
    await say(conversation, "Hi")

    context = await conversation.next_context()

    assert context.basis is Basis.NEXT
    assert [(one.label, one.text) for one in context.parts[1:]] == [
        (Label.WINDOW, "Hi"),
        (Label.WINDOW, "Hello!"),
        (Label.TURN, "…"),
    ]


async def test_what_is_typed_already_recalls_as_it_would() -> None:
    world = World()
    world.remembers(HOME)
    conversation = world.conversation()

    context = await conversation.next_context("Where do I live?")

    assert labels(context) == [Label.SYSTEM, Label.RECALLED, Label.TURN]
    assert "The user lives in Porto." in part(context, Label.RECALLED).text
    assert world.log.sessions() == []


async def test_to_look_at_what_comes_changes_nothing() -> None:
    world = World(chat_model=ScriptedChatModel.of("Hello!"))
    conversation = world.conversation()
    await say(conversation, "Hi")
    await conversation.next_context("And now?")

    context = await last_context(world, conversation)

    assert context.basis is Basis.SENT
    assert part(context, Label.TURN).text == "Hi"


async def test_a_turn_that_is_no_answer_was_sent_to_nobody() -> None:
    world = World()
    world.said(a_turn(1, "Hi"))
    conversation = world.conversation(session=a_session())

    with pytest.raises(UsageError, match="no answer"):
        await conversation.context_of(TurnId("s1t1"), world.explaining.recalled)


async def test_a_long_recalled_turn_is_as_long_again_as_it_was_shown() -> None:
    world = World(chat_model=ScriptedChatModel.of("Yes.", "Sure."))
    long = "The gutter leaks " + "drip " * 300
    world.said(a_turn(1, long, id=TurnId("old"), session_id=SessionId("s9")), session=a_session(9))
    conversation = world.conversation()
    (first, _) = await say(conversation, "What leaks?", "Sure?")

    context = await conversation.context_of(first.turn.id, world.explaining.recalled)

    sent = "\n\n".join(message.text for message in world.chat_model.requests[0].messages)
    assert "\n\n".join(one.text for one in context.parts) == sent
