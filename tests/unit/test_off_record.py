"""Learning can be paused: what is said meanwhile is remembered nowhere else."""

from chatmem.domain.turn import Role, SessionId
from tests.fakes.builders import a_turn
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.world import World
from tests.unit.consolidation_setup import Bench
from tests.unit.conversing import say

S1 = SessionId("s1")


def interrupted() -> Bench:
    """Porto and Rita are on the record, the diagnosis between them is not."""
    bench = Bench()
    bench.say("I live in Porto.")
    bench.log.set_off_record(S1, True)
    bench.say("I am allergic to peanuts.")
    bench.log.set_off_record(S1, False)
    bench.say("My sister is called Rita.")
    return bench


def test_memories_are_drawn_from_what_is_said_before_and_after_alone() -> None:
    bench = interrupted()

    bench.consolidate()

    assert bench.texts() == ["I live in Porto.", "My sister is called Rita."]


def test_a_look_at_what_would_be_learned_passes_it_over_too() -> None:
    bench = interrupted()

    changes = bench.consolidator.dry_run(S1)

    assert not any("peanuts" in change.after.text for change in changes.changes if change.after)


def test_it_is_not_learned_at_once_either() -> None:
    bench = Bench()
    session = bench.say("Hello.")
    bench.log.set_off_record(session, True)
    turn = bench.log.append(a_turn(3, "I live in Porto.", role=Role.USER))

    bench.consolidator.learn_now(turn)

    assert bench.texts() == []


def test_it_is_not_indexed_so_that_recall_finds_it_nowhere() -> None:
    bench = interrupted()

    bench.indexer.index_waiting()

    assert len(bench.index.indexed([turn.id for turn in bench.log.turns(S1)])) == 4


async def test_a_new_conversation_can_begin_off_the_record() -> None:
    world = World(chat_model=ScriptedChatModel.of("ok"))
    conversation = world.conversation()
    await conversation.set_off_record(True)

    await say(conversation, "I live in Porto.")

    assert world.log.session(S1).off_record
    assert [turn.off_record for turn in world.log.turns(S1)] == [True, True]


async def test_an_open_conversation_goes_off_the_record_and_back() -> None:
    world = World(chat_model=ScriptedChatModel.of("a", "b", "c"))
    conversation = world.conversation()

    await say(conversation, "One.")
    await conversation.set_off_record(True)
    await say(conversation, "Two.")
    await conversation.set_off_record(False)
    await say(conversation, "Three.")

    assert [turn.text for turn in world.log.turns(S1) if turn.off_record] == ["Two.", "b"]
    assert not conversation.session.off_record
