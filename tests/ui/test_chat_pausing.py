"""Pausing learning, and conversations of which nothing is kept, on the chat screen."""

import pytest

from chatmem.conversation import Spending, Strategy
from chatmem.domain.model import Usage
from chatmem.domain.turn import SessionId
from chatmem.ui.widgets.status_line import StatusLine
from tests.fakes.chat_model import ScriptedChatModel
from tests.ui.chatting import chat, chatting, converse, prompt, say, status, with_sessions
from tests.ui.driving import AppPilot, notices, settled
from tests.ui.services import FakeServices


async def command(pilot: AppPilot, text: str) -> None:
    await say(pilot, text)
    await settled(pilot)


async def test_learning_is_paused_by_a_command_and_the_status_line_says_so() -> None:
    services = FakeServices(chat_model=ScriptedChatModel.of("One.", "Two."))
    async with chatting(services) as pilot:
        await converse(pilot, "hello")
        await command(pilot, "/pause")
        await converse(pilot, "secretly")

        assert "learning paused" in status(pilot)
        assert "Learning is paused here" in notices(pilot)[0]
        session = chat(pilot).pane.conversation
        assert session is not None
        off_record = [turn.off_record for turn in services.log.turns(session.session.id)]
        assert off_record == [False, False, True, True]


async def test_the_same_command_goes_on_with_it() -> None:
    async with chatting(FakeServices()) as pilot:
        await command(pilot, "/pause")
        await command(pilot, "/pause")

        assert "learning paused" not in status(pilot)


async def test_a_session_that_is_opened_again_is_still_paused_and_a_new_one_is_not() -> None:
    services = with_sessions(2)
    services.log.set_off_record(SessionId("s1"), True)
    async with chatting(services, session_id=SessionId("s1")) as pilot:
        assert "learning paused" in status(pilot)

        await pilot.press("ctrl+n")
        await settled(pilot)
        assert "learning paused" not in status(pilot)


async def test_incognito_is_in_the_status_line() -> None:
    async with chatting(FakeServices(incognito=True)) as pilot:
        assert "incognito" in status(pilot)


@pytest.mark.parametrize("news", ["3 new memories", "3 new memories, by rules"])
async def test_news_is_not_cut_at_80_columns(news: str) -> None:
    async with chatting(FakeServices(strategy=Strategy.SUMMARISING), size=(80, 24)) as pilot:
        line = chat(pilot).query_one(StatusLine)
        line.model = "gpt-oss-120b-of-ours"
        line.spending = Spending(session=Usage(cost_usd=0.04), today=Usage(cost_usd=0.31))
        line.learning = news

        assert status(pilot).endswith(news)
        assert prompt(pilot).has_focus
