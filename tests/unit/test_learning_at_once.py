"""What is said may be learned from before it is answered."""

from dataclasses import replace

from chatmem.bootstrap.background import at_once
from chatmem.consolidation.consolidator import Consolidator
from chatmem.conversation import Conversation, Strategy
from chatmem.domain.errors import StoreError
from chatmem.domain.turn import Turn
from tests.fakes.builders import a_choice, a_session
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.world import World
from tests.unit.consolidation_setup import Bench
from tests.unit.conversing import say


async def test_a_turn_is_told_before_the_model_is_asked_and_an_answer_is_not() -> None:
    world = World(chat_model=ScriptedChatModel.of("ok"))
    told: list[tuple[str, int]] = []
    parts = replace(world.parts, said=lambda turn: told.append((turn.text, len(world.chat_model.requests))))
    conversation = Conversation(parts, session=a_session(), choice=a_choice(), strategy=Strategy.SLIDING)

    await say(conversation, "I live in Porto.")

    assert told == [("I live in Porto.", 0)]


def test_what_fails_at_once_is_left_to_the_job() -> None:
    class Failing(Consolidator):
        def learn_now(self, turn: Turn) -> None:  # type: ignore[override]  # it fails before it could tell
            raise StoreError("The disk is full.")

    bench = Bench()
    session = bench.say("I live in Porto.")
    failing = Failing(log=bench.log, queue=bench.queue, writer=bench.writer)

    at_once(failing)(bench.log.turns(session)[0])
    bench.consolidate()

    assert bench.texts() == ["I live in Porto."]


def test_while_what_is_remembered_cannot_be_found_a_turn_is_left_to_its_job() -> None:
    bench = Bench()
    session = bench.say("I live in Porto.")

    at_once(bench.consolidator, lambda: False)(bench.log.turns(session)[0])
    before = bench.texts()
    bench.consolidate()

    assert before == []
    assert bench.texts() == ["I live in Porto."]
