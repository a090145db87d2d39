"""Driving the chat screen, and reading what it shows."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.widgets import Static

from chatmem.domain.model import ModelChoice
from chatmem.domain.turn import Role, SessionId, TurnId
from chatmem.ui.app import ChatMemApp
from chatmem.ui.screens.chat import ChatScreen
from chatmem.ui.widgets.prompt import PromptBox
from chatmem.ui.widgets.recalled_pane import RecalledPane
from chatmem.ui.widgets.status_line import StatusLine
from chatmem.ui.widgets.transcript import Transcript
from chatmem.ui.widgets.turn_keys import TurnKeys
from chatmem.ui.widgets.turns import ReplyTurn, TurnBox, UserTurn
from tests.fakes.builders import a_choice, a_session, a_turn
from tests.ui.driving import AppPilot, settled
from tests.ui.services import FakeServices


@asynccontextmanager
async def chatting(
    services: FakeServices,
    *,
    size: tuple[int, int] = (150, 45),
    session_id: SessionId | None = None,
    resume_latest: bool = False,
    choice: ModelChoice | None = None,
) -> AsyncIterator[AppPilot]:
    app = ChatMemApp(services, choice or a_choice(), session_id, resume_latest)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        yield pilot


async def say(pilot: AppPilot, text: str) -> None:
    await pilot.press(*text, "enter")


async def press(pilot: AppPilot, *keys: str) -> None:
    """Press keys, and wait until nothing goes on any more."""
    await pilot.press(*keys)
    await settled(pilot)


async def converse(pilot: AppPilot, *texts: str) -> None:
    """Say something, wait for the answer, and so on."""
    for text in texts:
        await say(pilot, text)
        await settled(pilot)


def chat(pilot: AppPilot) -> ChatScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, ChatScreen)
    return screen


def prompt(pilot: AppPilot) -> PromptBox:
    return chat(pilot).query_one(PromptBox)


def selected(pilot: AppPilot) -> str | None:
    """The words of the selected turn."""
    box = chat(pilot).query_one(Transcript).selected
    return box.words if box else None


def header(pilot: AppPilot, number: int = -1) -> str:
    """The line above the words of a turn."""
    box = list(chat(pilot).query(TurnBox))[number]
    return str(box.query_one(".who", Static).render())


def keys(pilot: AppPilot) -> str:
    """The keys of the selected turn, as the hint line tells them."""
    line = chat(pilot).query_one(TurnKeys)
    return str(line.render()) if line.display else ""


def words(pilot: AppPilot) -> list[str]:
    """What was said and answered, as far as it is mounted."""
    return [box.words for box in chat(pilot).query(TurnBox)]


def users_words(pilot: AppPilot) -> list[str]:
    return [user.turn.text for user in chat(pilot).query(UserTurn)]


def answers(pilot: AppPilot) -> list[str]:
    return [reply.words for reply in chat(pilot).query(ReplyTurn)]


def last_mark(pilot: AppPilot) -> str:
    return str(chat(pilot).query(ReplyTurn).last().query_one(".mark", Static).render())


def recalled_text(pilot: AppPilot) -> str:
    return str(chat(pilot).query_one(RecalledPane).query_one("#recalled", Static).render())


def status(pilot: AppPilot) -> str:
    return str(chat(pilot).query_one(StatusLine).render())


def with_sessions(count: int, turns: int = 2, model: str | None = None) -> FakeServices:
    services = FakeServices()
    for number in range(1, count + 1):
        session = a_session(number, model=model)
        services.log.open_session(session)
        for seq in range(1, turns + 1):
            role = Role.USER if seq % 2 else Role.ASSISTANT
            identity = TurnId(f"s{number}t{seq}")
            services.log.append(a_turn(seq, f"words {seq}", id=identity, session_id=session.id, role=role))
    return services
