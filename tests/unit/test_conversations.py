import pytest

from chatmem.conversation import Conversations, Strategy
from chatmem.domain.errors import NotFoundError
from chatmem.domain.turn import Role, SessionId, TurnStatus
from tests.fakes.builders import a_choice, a_session, a_turn
from tests.fakes.world import World


def conversations(world: World) -> Conversations:
    return Conversations(world.parts, Strategy.SLIDING)


async def test_a_new_conversation_touches_no_file() -> None:
    world = World()

    conversation = conversations(world).begin(a_choice())

    assert world.log.sessions() == []
    assert conversation.session.turn_count == 0


async def test_a_session_is_taken_up_again_with_the_replies_marked_that_nobody_gives_any_more() -> None:
    world = World()
    world.said(a_turn(1), a_turn(2, "Porto", role=Role.ASSISTANT, status=TurnStatus.STREAMING))
    world.clock.advance(60)

    conversation = conversations(world).resume(a_session().id, a_choice())

    assert [turn.status for turn in await conversation.turns()] == [TurnStatus.COMPLETE, TurnStatus.INTERRUPTED]


async def test_the_session_last_spoken_in_is_the_latest() -> None:
    world = World()
    with pytest.raises(NotFoundError):
        conversations(world).latest(a_choice())
    world.said(a_turn(1))

    assert conversations(world).latest(a_choice()).session.id == a_session().id
    with pytest.raises(NotFoundError):
        conversations(world).resume(SessionId("nowhere"), a_choice())
