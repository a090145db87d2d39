"""What becomes of answers that are on their way while something is forgotten."""

import asyncio
from collections.abc import Callable, Sequence

from chatmem.conversation import Conversation, ReplyBegun, ReplyEnded, ReplyGrew, TurnEvent
from chatmem.domain.errors import ProviderError
from chatmem.domain.memory import MemoryId
from chatmem.domain.recall import Recalled
from chatmem.domain.turn import Role, SessionId, Turn, TurnId, TurnStatus
from chatmem.forgetting.telling import CUT_SHORT
from tests.fakes.builders import a_choice, a_fact, a_quote, a_turn
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.fakes.memory_store import FakeMemoryStore
from tests.fakes.session_log import FakeSessionLog
from tests.fakes.world import World
from tests.unit.conversing import all_of, ended, say

ALLERGY = a_fact("The user is allergic to peanuts.", quotes=(a_quote("I'm allergic to peanuts"),))


def knowing(*replies: Script | str, **changes: object) -> World:
    world = World(ScriptedChatModel.of(*replies), **changes)  # type: ignore[arg-type]  # a builder takes any field
    world.said(a_turn(1, "I'm allergic to peanuts."))
    world.remembers(ALLERGY)
    return world


def going_on(world: World) -> Conversation:
    return world.conversation(session=world.log.session(SessionId("s1")))


def a_reply(text: str = "", **changes: object) -> Turn:
    return a_turn(2, text, **({"role": Role.ASSISTANT, "status": TurnStatus.STREAMING} | changes))


async def forgetting_at(kind: type[TurnEvent], world: World, conversation: Conversation, text: str) -> ReplyEnded:
    """Say something, and forget the allergy when the first event of a kind comes."""
    forgotten = False
    async for event in conversation.send(text):
        if isinstance(event, kind) and not forgotten:
            forgotten = True
            await asyncio.to_thread(world.forgetting.forget, [ALLERGY.id])
    assert isinstance(event, ReplyEnded)
    return event


def everything(world: World) -> str:
    turns = [turn for one in world.log.sessions() for turn in world.log.turns(one.id, every_branch=True)]
    return repr([(turn.text, turn.reasoning, turn.error) for turn in turns])


async def test_an_answer_that_streams_does_not_write_the_forgotten_words_back() -> None:
    world = knowing("You told me: no peanuts for you.")
    conversation = going_on(world)

    end = await forgetting_at(ReplyGrew, world, conversation, "Which snack?")

    assert "peanut" not in everything(world)
    assert (end.turn.status, end.turn.error) == (TurnStatus.FAILED, CUT_SHORT)
    assert end.turn == world.log.turn(end.turn.id)


async def test_what_had_arrived_is_kept_without_them() -> None:
    world = knowing()
    reply = world.log.append(a_reply())
    world.log.save_reply(reply.id, text="Peanuts are out. Try olives.", status=TurnStatus.STREAMING)

    world.forgetting.forget([ALLERGY.id])

    assert world.log.turn(reply.id).text == "[forgotten] Try olives."


async def test_forgetting_before_the_first_word_ends_the_answer_too() -> None:
    world = knowing("You told me: no peanuts for you.")

    end = await forgetting_at(ReplyBegun, world, going_on(world), "Which snack?")

    assert "peanut" not in everything(world)
    assert end.turn.error == CUT_SHORT


async def test_no_other_model_is_asked_after_an_answer_was_ended() -> None:
    world = knowing(Script(error=ProviderError("away")), "No peanuts for you.")
    conversation = going_on(world)
    conversation.choice = a_choice(fallback=a_choice("second"))

    end = await forgetting_at(ReplyBegun, world, conversation, "Which snack?")

    assert len(world.chat_model.requests) == 1
    assert end.turn.error == CUT_SHORT


class ForgetsMeanwhile(FakeSessionLog):
    """Has something forgotten in the middle of a recall, when it was found and before that is noted."""

    world: World | None = None

    def save_recalled(self, turn_id: TurnId, recalled: Sequence[Recalled], *, ms: float) -> None:
        world, self.world = self.world, None
        if world is not None:
            world.forgetting.forget([ALLERGY.id])
        super().save_recalled(turn_id, recalled, ms=ms)


async def test_what_was_recalled_just_before_it_was_forgotten_is_not_said_again() -> None:
    world = World(ScriptedChatModel.of("No peanuts for you."))
    log = ForgetsMeanwhile(world.clock)
    world.__dict__["log"] = log
    world.said(a_turn(1, "I'm allergic to peanuts."))
    world.remembers(ALLERGY)
    log.world = world

    end = await ended(going_on(world).send("Which snack?"))

    assert "peanut" not in everything(world)
    assert end.turn.error == CUT_SHORT


class AsksMeanwhile(FakeMemoryStore):
    """Has something done in another window just before memories are erased."""

    other_window: Callable[[], object] = lambda: None

    def erase(self, ids: Sequence[MemoryId]) -> None:
        self.other_window()
        super().erase(ids)


def test_an_answer_begun_before_the_memory_was_gone_is_ended_as_well() -> None:
    memories = AsksMeanwhile()
    world = knowing(memories=memories)
    reply = a_reply("No peanuts")
    memories.other_window = lambda: world.log.append(reply)

    proof = world.forgetting.forget([ALLERGY.id])

    assert not world.log.save_reply(reply.id, text="No peanuts for you.", status=TurnStatus.COMPLETE)
    assert "peanut" not in everything(world)
    assert proof.turns_redacted == 2


async def test_an_answer_that_was_ended_can_be_given_again() -> None:
    world = knowing("You told me: no peanuts for you.", "Olives.")
    conversation = going_on(world)
    await forgetting_at(ReplyGrew, world, conversation, "Which snack?")

    again = await ended(conversation.regenerate())

    assert (again.turn.text, again.turn.status) == ("Olives.", TurnStatus.COMPLETE)
    assert not any("peanut" in message.text for message in world.chat_model.requests[-1].messages)


async def test_an_older_answer_beside_a_new_one_still_loses_what_it_was_told() -> None:
    world = knowing("Then no peanut butter.", "Olives.")
    conversation = going_on(world)
    [first] = await say(conversation, "Any advice about being allergic to peanuts?")
    world.memories.erase([ALLERGY.id])  # so that the second answer is given without it

    await all_of(conversation.regenerate())
    world.remembers(ALLERGY)
    world.forgetting.forget([ALLERGY.id])

    assert "peanut" not in world.log.turn(first.turn.id).text


async def test_why_an_answer_failed_is_told_without_the_forgotten_words() -> None:
    world = knowing(Script(error=ProviderError("The server broke down. It said: allergic to peanuts.")))
    conversation = going_on(world)
    [failed] = await say(conversation, "Which snack?")

    world.forgetting.forget([ALLERGY.id])

    assert world.log.turn(failed.turn.id).error == "The server broke down. [forgotten]"
    assert "peanut" not in everything(world)


def test_why_an_answer_was_ended_stays_whatever_is_forgotten() -> None:
    world = knowing()
    short = a_fact("The user wants something short for an answer.", quotes=())
    world.remembers(short)
    world.log.append(a_reply("Fine.", status=TurnStatus.FAILED, error=CUT_SHORT))

    world.forgetting.forget([short.id])

    assert world.everything_said()[1].error == CUT_SHORT
