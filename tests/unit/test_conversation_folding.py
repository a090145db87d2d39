from chatmem.conversation import Strategy
from chatmem.domain.memory import Kind
from chatmem.domain.turn import Role
from tests.fakes.builders import a_choice, a_fact, a_session, a_turn
from tests.fakes.chat_model import ScriptedChatModel
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
