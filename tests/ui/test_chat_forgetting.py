"""What the chat shows after something was forgotten."""

import asyncio

from textual.widgets import Static

from chatmem.domain.turn import SessionId, TurnStatus
from tests.fakes.builders import a_fact, a_quote, a_session, a_turn
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.ui.chatting import chat, chatting, converse, last_mark, say, users_words, words
from tests.ui.driving import AppPilot, settled, until
from tests.ui.memory_hands import Hands
from tests.ui.services import FakeServices

ALLERGY = a_fact("The user is allergic to peanuts.", quotes=(a_quote("I'm allergic to peanuts"),))
S1 = SessionId("s1")


def knowing(services: FakeServices) -> FakeServices:
    services.said(a_turn(1, "I'm allergic to peanuts."), session=a_session(title="I'm allergic to peanuts."))
    services.remembers(ALLERGY)
    return services


async def test_what_was_forgotten_leaves_the_screen_of_the_chat_too() -> None:
    services = knowing(FakeServices(chat_model=ScriptedChatModel.of("No peanuts, then.")))
    async with chatting(services, session_id=S1) as pilot:
        await converse(pilot, "Which snack?")
        hands = Hands(pilot)
        for key in ("f2", "f", "y", "escape", "escape"):
            await hands.press(key)
        await until(pilot, lambda: "peanut" not in "".join(words(pilot)))
        await settled(pilot)

        assert users_words(pilot)[1] == "Which snack?"
        assert "peanut" not in str(chat(pilot).query_one("#title", Static).render())


async def test_an_answer_that_forgetting_ended_says_so_and_shows_what_is_left() -> None:
    held = asyncio.Event()
    services = knowing(FakeServices(chat_model=ScriptedChatModel.of(Script(text="No peanuts, then.", hold=held))))
    async with chatting(services, session_id=S1) as pilot:
        await say(pilot, "Which snack?")
        await until(pilot, lambda: "peanuts" in words(pilot)[-1])
        await asyncio.to_thread(services.forgetting.forget, [ALLERGY.id])
        held.set()
        await settled(pilot)

        assert "Something was forgotten while this answer was on its way" in last_mark(pilot)
        assert services.log.turns(S1)[-1].status is TurnStatus.FAILED


async def test_a_session_can_be_forgotten_from_the_list_and_the_chat_begins_anew() -> None:
    services = knowing(FakeServices())
    async with chatting(services, session_id=S1) as pilot:
        hands = Hands(pilot)
        for key in ("f3", "f"):
            await hands.press(key)
        await until(pilot, lambda: "all its 1 turn" in report(pilot))
        for key in ("y", "escape"):
            await hands.press(key)
        await settled(pilot)

        assert services.log.sessions() == []
        assert services.journal.latest() == []
        assert "peanut" not in "".join(words(pilot))


def report(pilot: AppPilot) -> str:
    return "".join(str(line.render()) for line in pilot.app.screen.query("#forget-report").results(Static))
