import asyncio
import threading

from chatmem.conversation import Limits, Refitted, ReplyBegun, ReplyGrew, Strategy, TurnEvent
from chatmem.domain.model import Parameters
from chatmem.domain.turn import Role, Session, SessionId, TurnId
from chatmem.ports.clock import Clock
from tests.fakes.builders import a_choice, a_fact, a_session, a_turn
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.fakes.session_log import FakeSessionLog
from tests.fakes.world import World
from tests.unit.conversing import all_of, ended, kinds, say, shown

SMALL = a_choice("small", context_tokens=500)


def refitted(events: list[TurnEvent]) -> list[Refitted]:
    return [event for event in events if isinstance(event, Refitted)]


async def noted() -> None:
    """Wait for what runs beside the test."""
    if others := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait(others)


def talked(world: World, number: int = 10) -> Session:
    """A session of turns of 40 words each."""
    turns = (a_turn(seq, f"I saw {seq}. " + "word " * 37, role=role(seq)) for seq in range(1, number + 1))
    world.said(*turns)
    return world.log.session(a_session().id)


def role(seq: int) -> Role:
    return Role.USER if seq % 2 else Role.ASSISTANT


async def test_a_smaller_model_is_shown_what_fits_and_that_is_said_once() -> None:
    world = World()
    conversation = world.conversation(session=talked(world))
    await say(conversation, "first question")
    conversation.choice = SMALL

    events = await all_of(conversation.send("second question"))
    later = await all_of(conversation.send("third question"))

    [event] = refitted(events)
    assert event.left_out > 0
    assert not event.summarised
    before, after = (shown(request) for request in world.chat_model.requests[:2])
    assert len(before) + 2 - event.left_out == len(after)
    assert kinds(events).index("Refitted") < kinds(events).index("ReplyBegun")
    assert refitted(later) == []


async def test_what_a_smaller_model_is_not_shown_is_folded_into_the_summary_at_once() -> None:
    world = World()
    conversation = world.conversation(Strategy.SUMMARISING, talked(world))
    await say(conversation, "first question")
    conversation.choice = SMALL

    [event] = refitted(await all_of(conversation.send("second question")))

    assert event.summarised
    assert "the user said: I saw" in world.chat_model.requests[1].messages[0].text
    assert len(world.chat_model.requests) == 2


async def test_a_session_that_is_taken_up_with_a_smaller_model_says_so_once() -> None:
    world = World()
    await say(world.conversation(session=talked(world)), "first question")
    conversation = world.conversation(Strategy.SUMMARISING, world.log.session(a_session().id))
    conversation.choice = SMALL

    [event] = refitted(await all_of(conversation.send("second question")))
    later = await all_of(conversation.send("third question"))

    before, after = (shown(request) for request in world.chat_model.requests[:2])
    assert event == Refitted(left_out=len(before) + 2 - len(after), summarised=True)
    assert refitted(later) == []


async def test_nor_does_one_that_is_taken_up_with_the_same_model_say_so() -> None:
    world = World()
    await say(world.conversation(session=talked(world, 30), context=500), "first question")
    conversation = world.conversation(session=world.log.session(a_session().id), context=500)

    assert refitted(await all_of(conversation.send("second question"))) == []


async def test_a_session_that_was_imported_and_a_model_of_no_name_are_taken_up() -> None:
    world = World()
    conversation = world.conversation(session=talked(world), context=500)

    assert refitted(await all_of(conversation.send("second question"))) == []


async def test_a_model_with_more_room_is_shown_what_the_smaller_one_was_not() -> None:
    world = World()
    conversation = world.conversation(session=talked(world), context=500)
    await say(conversation, "first question")
    conversation.choice = a_choice("large")

    events = await all_of(conversation.send("second question"))

    assert refitted(events) == []
    assert len(shown(world.chat_model.requests[1])) == 13


async def test_a_full_window_that_moves_on_is_no_refitting() -> None:
    world = World(ScriptedChatModel(always="word " * 40))
    conversation = world.conversation(context=500)

    for _ in range(6):
        events = await all_of(conversation.send("question " * 20))

    assert refitted(events) == []


async def test_a_switch_while_an_answer_streams_holds_from_the_next_turn() -> None:
    go = asyncio.Event()
    world = World(ScriptedChatModel.of(Script(text="One.", hold=go), "Two."))
    conversation = world.conversation()
    async for event in conversation.send("first question"):
        if isinstance(event, ReplyBegun):
            conversation.choice = a_choice("other", model="openai/other")
        if isinstance(event, ReplyGrew):
            go.set()
    await say(conversation, "second question")

    assert [turn.model for turn in await conversation.turns()] == [None, "fake", None, "other"]
    assert [count.calls for count in world.meter.calls()] == [2]


async def test_a_switch_is_remembered_before_anything_is_said() -> None:
    world = World()
    conversation = world.conversation(session=talked(world))

    conversation.choice = a_choice("other")
    await noted()

    assert world.log.session(conversation.session.id).model == "other"


class SlowLog(FakeSessionLog):
    """Takes its time to note the first model, unless another one is noted meanwhile."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.begun, self.overtaken = threading.Event(), threading.Event()

    def set_model(self, session_id: SessionId, model: str) -> None:
        if model == "one":
            self.begun.set()
            self.overtaken.wait(0.2)
        super().set_model(session_id, model)
        if model == "two":
            self.overtaken.set()


async def test_of_two_quick_switches_the_last_one_is_remembered() -> None:
    world = World()
    world.__dict__["log"] = log = SlowLog(world.clock)
    conversation = world.conversation(session=talked(world))

    conversation.choice = a_choice("one")
    await asyncio.to_thread(log.begun.wait)
    conversation.choice = a_choice("two")
    await noted()

    assert log.session(conversation.session.id).model == "two"


async def test_a_switch_while_a_turn_is_recorded_is_remembered() -> None:
    world = World(ScriptedChatModel.of("Fine."))
    world.__dict__["log"] = log = SlowLog(world.clock)
    conversation = world.conversation(session=talked(world))
    conversation.choice = a_choice("one")
    await asyncio.to_thread(log.begun.wait)
    sending = asyncio.create_task(say(conversation, "first question"))
    await asyncio.sleep(0)

    conversation.choice = a_choice("two")
    await sending
    await noted()

    assert log.session(conversation.session.id).model == "two"


async def test_a_switch_in_a_new_conversation_writes_nothing() -> None:
    world = World()
    conversation = world.conversation()

    conversation.choice = a_choice("other")

    assert world.log.sessions() == []
    await say(conversation, "first question")
    assert world.log.session(conversation.session.id).model == "other"


async def test_a_switch_that_cannot_be_written_is_written_with_the_next_turn() -> None:
    world = World()
    conversation = world.conversation(session=talked(world))
    known = conversation.session
    conversation.session = a_session(9, turn_count=1)
    conversation.choice = a_choice("other")
    await noted()
    conversation.session = known

    await say(conversation, "second question")

    assert world.log.session(known.id).model == "other"


class CountingLog(FakeSessionLog):
    """Counts the turns that are read of it."""

    read = 0

    def turns(self, session_id: object, **which: object) -> list[object]:  # type: ignore[override]
        found = super().turns(session_id, **which)  # type: ignore[arg-type]
        self.read += len(found)
        return found  # type: ignore[return-value]


async def test_a_long_session_is_not_read_to_its_beginning() -> None:
    world = World(limits=Limits(reply=100, recalled=100, summary=50))
    log = CountingLog(world.clock)
    world.__dict__["log"] = log
    conversation = world.conversation(session=talked(world, 1000), context=500)
    log.read = 0

    await all_of(conversation.send("and now?", recall=False))

    assert log.read < 150
    assert shown(world.chat_model.requests[0])[0].startswith("I saw 99")


async def test_a_reply_may_be_as_long_as_was_set_for_the_model() -> None:
    world = World()
    conversation = world.conversation()
    conversation.choice = a_choice(parameters=Parameters(reply_tokens=777))

    await say(conversation, "first question")

    assert world.chat_model.requests[0].max_reply_tokens == 777


async def test_a_summary_never_takes_more_than_its_share() -> None:
    world = World()
    world.said(a_turn(1, "I saw it."), a_turn(2, "So?", role=Role.ASSISTANT))
    world.log.save_summary(a_session().id, "word " * 400, 1)
    conversation = world.conversation(Strategy.SUMMARISING, world.log.session(a_session().id))

    await say(conversation, "and then?")

    system = world.chat_model.requests[0].messages[0].text
    assert 40 < system.count("word") <= 50


async def test_memories_that_are_recalled_stay_within_the_window_of_a_smaller_model() -> None:
    world = World()
    world.remembers(a_fact("The user is allergic to peanuts."))
    conversation = world.conversation(session=talked(world), context=500)

    end = await ended(conversation.send("Are peanuts fine?"))

    assert "allergic" in world.chat_model.requests[0].messages[-1].text
    assert end.turn.id != TurnId("")
