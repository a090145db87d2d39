"""What stands around the conversation: sessions, status line, other screens."""

import asyncio

import pytest
from textual.widgets import OptionList

from chatmem.consolidation.news import (
    ConsolidationFailed,
    ConsolidationNews,
    ConsolidationPostponed,
    ConsolidationStarted,
    SessionConsolidated,
)
from chatmem.conversation import Strategy
from chatmem.domain.errors import StoreError
from chatmem.domain.memory import Extractor
from chatmem.domain.turn import Session, SessionId, TurnId
from chatmem.ui.screens.help import HelpScreen
from chatmem.ui.screens.memory import MemoryScreen
from chatmem.ui.screens.models import ModelPicker
from chatmem.ui.widgets.conversation_pane import ConversationPane
from chatmem.ui.widgets.key_line import KeyLine
from chatmem.ui.widgets.recalled_pane import RecalledPane
from chatmem.ui.widgets.session_list import SessionList
from chatmem.ui.widgets.status_line import StatusLine
from chatmem.ui.widgets.transcript import Transcript
from chatmem.ui.widgets.turn_column import EarlierRow
from chatmem.ui.widgets.turns import UserTurn
from tests.fakes.builders import NOON, a_turn
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.ui.chatting import (
    answers,
    chat,
    chatting,
    press,
    prompt,
    say,
    status,
    users_words,
    with_sessions,
)
from tests.ui.driving import AppPilot, notices, settled, until
from tests.ui.services import FakeServices


async def test_the_strategy_is_changed_while_running_and_saved() -> None:
    services = FakeServices(strategy=Strategy.SLIDING)
    async with chatting(services) as pilot:
        assert "sliding window" in status(pilot)
        await pilot.press("ctrl+t")
        await settled(pilot)

        pane = chat(pilot).query_one(ConversationPane)
        assert pane.conversation is not None
        assert pane.conversation.strategy is Strategy.SUMMARISING
        assert "running summary" in status(pilot)
        assert services.saved == [("working_memory.strategy", "summarising")]


async def test_the_changed_strategy_holds_for_the_next_conversation_too() -> None:
    async with chatting(FakeServices(strategy=Strategy.SLIDING)) as pilot:
        await pilot.press("ctrl+t", "ctrl+n")
        await settled(pilot)

        assert "running summary" in status(pilot)


async def test_the_gauge_shows_the_context_in_use() -> None:
    async with chatting(FakeServices(chat_model=ScriptedChatModel.of("ok"))) as pilot:
        await say(pilot, "one two three")
        await settled(pilot)

        gauge = chat(pilot).query_one(StatusLine).gauge
        assert gauge is not None
        assert gauge.used > 0
        assert f"{gauge.used}/" in status(pilot)


async def test_a_session_is_opened_from_the_list() -> None:
    async with chatting(with_sessions(3)) as pilot:
        await pilot.press("f3", "end", "enter")
        await settled(pilot)

        assert users_words(pilot) == ["words 1"]
        assert prompt(pilot).has_focus


async def test_a_session_given_at_the_start_is_open() -> None:
    async with chatting(with_sessions(2, turns=4), session_id=SessionId("s2")) as pilot:
        assert answers(pilot) == ["words 2", "words 4"]


async def test_the_latest_session_is_resumed() -> None:
    services = with_sessions(1)
    later = Session(id=SessionId("later"), title="Later", started_at=NOON)
    services.log.open_session(later)
    services.log.append(a_turn(99, "newest", id=TurnId("x"), session_id=later.id))
    async with chatting(services, resume_latest=True) as pilot:
        assert users_words(pilot) == ["newest"]


async def test_an_unknown_session_is_told_and_the_app_stays_open() -> None:
    async with chatting(FakeServices(), session_id=SessionId("nowhere")) as pilot:
        assert notices(pilot) == ["There is no session nowhere."]


async def test_only_the_tail_of_a_long_session_is_mounted_until_more_is_asked_for() -> None:
    async with chatting(with_sessions(1, turns=80), session_id=SessionId("s1")) as pilot:
        transcript = chat(pilot).query_one(Transcript)
        assert len(transcript.query("UserTurn, ReplyTurn")) == 30

        transcript.query_one(EarlierRow).on_click()
        await settled(pilot)

        turns = [turn.turn.seq for turn in transcript.query("UserTurn, ReplyTurn").results(UserTurn)]
        assert turns[0] == 21
        assert len(transcript.query("UserTurn, ReplyTurn")) == 60


async def test_scrolling_to_the_top_loads_what_was_before() -> None:
    async with chatting(with_sessions(1, turns=80), size=(80, 24), session_id=SessionId("s1")) as pilot:
        transcript = chat(pilot).query_one(Transcript)
        while transcript.scroll_y > 0 and len(transcript.query("UserTurn, ReplyTurn")) == 30:
            await pilot.press("pageup")
        await until(pilot, lambda: len(transcript.query("UserTurn, ReplyTurn")) == 60 and transcript.scroll_y > 0)


async def test_a_new_conversation_begins_empty_and_the_old_one_is_listed() -> None:
    services = FakeServices(chat_model=ScriptedChatModel.of("ok"))
    async with chatting(services) as pilot:
        await say(pilot, "old words")
        await settled(pilot)
        await pilot.press("ctrl+n")
        await settled(pilot)

        assert users_words(pilot) == []
        assert chat(pilot).query_one(SessionList).query_one(OptionList).option_count == 1


@pytest.mark.parametrize(("width", "sessions", "recalled"), [(80, False, False), (104, True, False), (120, True, True)])
async def test_panes_are_shown_where_there_is_room(width: int, sessions: bool, recalled: bool) -> None:
    async with chatting(FakeServices(), size=(width, 30)) as pilot:
        assert chat(pilot).query_one(SessionList).display is sessions
        assert chat(pilot).query_one(RecalledPane).display is recalled


async def test_panes_are_toggled_by_keys_at_any_width() -> None:
    async with chatting(with_sessions(1), size=(80, 24)) as pilot:
        await pilot.press("f4", "f3")
        shown = chat(pilot).query_one(RecalledPane).display, chat(pilot).query_one(SessionList).display
        await pilot.press("f4", "f3")

        assert shown == (True, True)
        assert not chat(pilot).query_one(RecalledPane).display
        assert not chat(pilot).query_one(SessionList).display
        assert prompt(pilot).has_focus


@pytest.mark.parametrize(
    ("news", "said"),
    [
        (ConsolidationStarted(session_id=SessionId("s1")), "learning…"),
        (SessionConsolidated(session_id=SessionId("s1"), added=3, strengthened=0, extractor=Extractor.MODEL), "3 new"),
        (
            SessionConsolidated(session_id=SessionId("s1"), added=0, strengthened=1, extractor=Extractor.RULES),
            "nothing",
        ),
        (ConsolidationPostponed(reason="the model is away."), "waiting: the model is away."),
        (ConsolidationFailed(reason="no room."), "not learning: no room."),
    ],
)
async def test_the_status_line_tells_what_consolidation_does(news: ConsolidationNews, said: str) -> None:
    services = FakeServices()
    async with chatting(services) as pilot:
        await until(pilot, services.warmed_up.is_set)
        services.news(news)
        await pilot.pause()

        assert said in status(pilot)


async def test_the_status_line_tells_what_is_being_loaded() -> None:
    services = FakeServices()
    async with chatting(services) as pilot:
        await until(pilot, services.warmed_up.is_set)
        services.status("loading the embedder")
        await pilot.pause()

        assert "loading the embedder" in status(pilot)


async def test_a_failing_warm_up_is_told_and_the_app_stays_open() -> None:
    class Failing(FakeServices):
        def warm_up(self, news: object, status: object) -> None:
            raise StoreError("The memories can't be read.")

    async with chatting(Failing()) as pilot:
        await until(pilot, lambda: notices(pilot) == ["The memories can't be read."])


async def test_the_last_answer_is_copied() -> None:
    async with chatting(FakeServices(chat_model=ScriptedChatModel.of("**Copy** me"))) as pilot:
        await say(pilot, "hello")
        await settled(pilot)
        await pilot.press("ctrl+y")

        assert pilot.app.clipboard == "**Copy** me"


@pytest.mark.parametrize(("key", "screen"), [("f1", HelpScreen), ("f2", MemoryScreen), ("f5", ModelPicker)])
async def test_keys_open_the_other_screens_and_escape_comes_back(key: str, screen: type) -> None:
    async with chatting(FakeServices()) as pilot:
        await pilot.press(key)
        await settled(pilot)
        opened = pilot.app.screen
        await pilot.press("escape")
        await settled(pilot)

        assert isinstance(opened, screen)
        assert pilot.app.screen is chat(pilot)


async def test_the_command_palette_offers_everything_the_chat_can_do() -> None:
    async with chatting(FakeServices()) as pilot:
        titles = {command.title for command in pilot.app.get_system_commands(chat(pilot))}

        assert titles >= {
            "New conversation",
            "Switch the model",
            "Memories",
            "Sessions",
            "Stop the answer",
            "Theme",
            "Quit",
        }


async def test_learning_now_queues_what_waits() -> None:
    services = FakeServices()
    async with chatting(services) as pilot:
        chat(pilot).action_learn()
        await settled(pilot)

        assert services.consolidated == [None]


def line(pilot: AppPilot) -> str:
    """The line of keys, as wide as it wants to be."""
    return chat(pilot).query_one(KeyLine).render().plain


@pytest.mark.parametrize("width", [80, 100, 150])
async def test_the_footer_is_not_cut_whatever_goes_on(width: int) -> None:
    hold = asyncio.Event()
    services = FakeServices(chat_model=ScriptedChatModel.of(Script(text="One", hold=hold)))
    async with chatting(services, size=(width, 24)) as pilot:
        idle = line(pilot)
        await say(pilot, "first")
        await until(pilot, lambda: "Stop" in line(pilot))
        answering = line(pilot)
        hold.set()
        await settled(pilot)
        await press(pilot, "ctrl+up", "up", "e")
        await until(pilot, lambda: "Back" in line(pilot))

        assert max(map(len, (idle, answering, line(pilot)))) <= width
        assert all("Palette" in shown for shown in (idle, answering, line(pilot)))
        assert ("Turns" in line(pilot)) is (width >= 100)


async def test_a_key_of_the_line_is_pressed_by_a_click() -> None:
    async with chatting(FakeServices()) as pilot:
        at = line(pilot).index("F2")
        await pilot.click(KeyLine, offset=(at, 0))
        await settled(pilot)

        assert type(pilot.app.screen).__name__ == "MemoryScreen"
