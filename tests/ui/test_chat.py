"""The chat screen, driven by keys."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual import events
from textual.widgets import OptionList, Static

from chatmem.consolidation.news import (
    ConsolidationFailed,
    ConsolidationNews,
    ConsolidationPostponed,
    ConsolidationStarted,
    SessionConsolidated,
)
from chatmem.conversation import Strategy
from chatmem.domain.errors import ProviderError, StoreError
from chatmem.domain.memory import Extractor
from chatmem.domain.turn import Role, Session, SessionId, Turn, TurnId, TurnStatus
from chatmem.ui.app import ChatMemApp
from chatmem.ui.screens.chat import ChatScreen
from chatmem.ui.screens.help import HelpScreen
from chatmem.ui.screens.memory import MemoryScreen
from chatmem.ui.screens.models import ModelPicker
from chatmem.ui.widgets.conversation_pane import ConversationPane
from chatmem.ui.widgets.markdown_text import MarkdownText
from chatmem.ui.widgets.prompt import PromptBox
from chatmem.ui.widgets.recalled_pane import RecalledPane
from chatmem.ui.widgets.session_list import SessionList
from chatmem.ui.widgets.status_line import StatusLine
from chatmem.ui.widgets.transcript import EarlierRow, Transcript
from chatmem.ui.widgets.turns import ReplyTurn, UserTurn
from tests.fakes.builders import NOON, a_choice, a_fact, a_session, a_turn
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.fakes.session_log import FakeSessionLog
from tests.ui.driving import AppPilot, notices, settled, until
from tests.ui.services import FakeServices


class FullDisk(FakeSessionLog):
    """A log whose disk fills up at the first, or at a later, write."""

    full = True
    full_for_replies = False

    def append(self, turn: Turn) -> Turn:
        if self.full:
            raise StoreError("The disk is full. Make room, then send again.")
        return super().append(turn)

    def save_reply(self, turn_id: TurnId, *, text: str, status: TurnStatus, error: str | None = None) -> None:
        if self.full_for_replies:
            raise StoreError("The disk is full. Make room, then send again.")
        super().save_reply(turn_id, text=text, status=status, error=error)


@asynccontextmanager
async def chatting(
    services: FakeServices,
    *,
    size: tuple[int, int] = (150, 45),
    session_id: SessionId | None = None,
    resume_latest: bool = False,
) -> AsyncIterator[AppPilot]:
    app = ChatMemApp(services, a_choice(), session_id, resume_latest)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        yield pilot


async def say(pilot: AppPilot, text: str) -> None:
    await pilot.press(*text, "enter")


def chat(pilot: AppPilot) -> ChatScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, ChatScreen)
    return screen


def prompt(pilot: AppPilot) -> PromptBox:
    return chat(pilot).query_one(PromptBox)


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


def with_sessions(count: int, turns: int = 2) -> FakeServices:
    services = FakeServices()
    for number in range(1, count + 1):
        session = a_session(number)
        services.log.open_session(session)
        for seq in range(1, turns + 1):
            role = Role.USER if seq % 2 else Role.ASSISTANT
            identity = TurnId(f"s{number}t{seq}")
            services.log.append(a_turn(seq, f"words {seq}", id=identity, session_id=session.id, role=role))
    return services


async def test_the_prompt_takes_typing_as_soon_as_the_screen_is_there() -> None:
    async with chatting(FakeServices()) as pilot:
        await pilot.press(*"hi")

        assert prompt(pilot).text == "hi"


async def test_what_is_said_and_answered_stands_in_the_transcript_and_in_the_log() -> None:
    services = FakeServices(chat_model=ScriptedChatModel.of("Hello, Ana."))
    async with chatting(services) as pilot:
        await say(pilot, "I am Ana")
        await settled(pilot)

        assert (users_words(pilot), answers(pilot)) == (["I am Ana"], ["Hello, Ana."])
        assert [turn.text for turn in services.log.turns(services.log.sessions()[0].id)] == ["I am Ana", "Hello, Ana."]
        assert prompt(pilot).text == ""


async def test_shift_enter_and_ctrl_j_make_new_lines() -> None:
    async with chatting(FakeServices()) as pilot:
        await pilot.press("a", "shift+enter", "b", "ctrl+j", "c")

        assert prompt(pilot).text == "a\nb\nc"


async def test_the_prompt_grows_up_to_eight_lines() -> None:
    async with chatting(FakeServices()) as pilot:
        small = prompt(pilot).outer_size.height
        await pilot.press(*["ctrl+j"] * 20)
        await pilot.pause()

        assert (small, prompt(pilot).outer_size.height) == (3, 10)


async def test_an_empty_prompt_sends_nothing_and_says_so() -> None:
    services = FakeServices()
    async with chatting(services) as pilot:
        await pilot.press("space", "enter")
        await settled(pilot)

        assert services.log.sessions() == []
        assert "nothing to send" in str(prompt(pilot).border_subtitle)


async def test_an_answer_can_be_stopped_and_what_had_arrived_is_kept_and_marked() -> None:
    services = FakeServices(chat_model=ScriptedChatModel.of(Script(text="One two", hold=asyncio.Event())))
    async with chatting(services) as pilot:
        await say(pilot, "count")
        await until(pilot, lambda: answers(pilot) == ["One two"])
        await pilot.press("escape")
        await settled(pilot)

        assert answers(pilot) == ["One two"]
        assert last_mark(pilot).startswith("Stopped by you")
        assert services.log.turns(services.log.sessions()[0].id)[-1].status is TurnStatus.STOPPED


async def test_enter_during_an_answer_keeps_the_words_and_says_why() -> None:
    hold = asyncio.Event()
    services = FakeServices(chat_model=ScriptedChatModel.of(Script(text="One", hold=hold), "Two"))
    async with chatting(services) as pilot:
        await say(pilot, "first")
        await until(pilot, lambda: bool(answers(pilot)))
        await say(pilot, "second")

        assert prompt(pilot).text == "second"
        assert "still arriving" in str(prompt(pilot).border_subtitle)

        hold.set()
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert users_words(pilot) == ["first", "second"]


async def test_a_failed_answer_is_kept_and_marked_with_the_reason() -> None:
    failure = ProviderError("The key was refused. Look at OPENAI_API_KEY.")
    services = FakeServices(chat_model=ScriptedChatModel.of(Script(text="Well", error=failure)))
    async with chatting(services) as pilot:
        await say(pilot, "hello")
        await settled(pilot)

        assert answers(pilot) == ["Well"]
        assert "The key was refused. Look at OPENAI_API_KEY." in last_mark(pilot)


async def test_what_could_not_be_recorded_is_put_back_into_the_prompt() -> None:
    services = FakeServices()
    services.log = FullDisk(services.clock)
    async with chatting(services) as pilot:
        await say(pilot, "precious")
        await settled(pilot)

        assert prompt(pilot).text == "precious"
        assert "The disk is full. Make room, then send again." in notices(pilot)


async def test_a_reply_whose_end_could_not_be_recorded_stays_on_the_screen() -> None:
    log = FullDisk()
    log.full, log.full_for_replies = False, True
    services = FakeServices(chat_model=ScriptedChatModel.of("Fine."))
    services.log = log
    async with chatting(services) as pilot:
        await say(pilot, "hello")
        await settled(pilot)

        assert answers(pilot) == ["Fine."]
        assert "could not be recorded" in last_mark(pilot)


async def test_leaving_in_the_middle_of_an_answer_keeps_what_had_arrived() -> None:
    services = FakeServices(chat_model=ScriptedChatModel.of(Script(text="One two", hold=asyncio.Event())))
    async with chatting(services) as pilot:
        await say(pilot, "count")
        await until(pilot, lambda: answers(pilot) == ["One two"])
        await pilot.press("ctrl+q")

    last = services.log.turns(services.log.sessions()[0].id)[-1]
    assert (last.text, last.status) == ("One two", TurnStatus.STOPPED)


@pytest.mark.parametrize("paste", ["x" * 1_000_000, "line\n" * 5_000])
async def test_a_large_paste_is_shown_as_one_line_and_sent_in_full(paste: str) -> None:
    services = FakeServices(chat_model=ScriptedChatModel.of("Long."))
    async with chatting(services) as pilot:
        prompt(pilot).post_message(events.Paste(paste))
        await pilot.pause()
        assert prompt(pilot).text.startswith("[pasted 1: ")
        await pilot.press("enter")
        await settled(pilot)

        assert services.log.turns(services.log.sessions()[0].id)[0].text == paste.strip()
        shown = chat(pilot).query_one(UserTurn).query_one(".words", Static).render()
        assert len(str(shown)) < 5_000


async def test_a_long_answer_grows_in_few_pieces_that_together_say_it_all() -> None:
    answer = "\n\n".join(f"Paragraph {number} of **many**, with some words to fill it." for number in range(200))
    async with chatting(FakeServices(chat_model=ScriptedChatModel.of(answer))) as pilot:
        await say(pilot, "at length")
        await settled(pilot)

        pieces = [str(piece.render()) for piece in chat(pilot).query(MarkdownText)]
        assert 1 < len(pieces) < 10
        assert "\n\n".join(pieces) == answer.replace("**", "")


async def test_text_of_users_is_never_markup() -> None:
    async with chatting(FakeServices(chat_model=ScriptedChatModel.of("ok"))) as pilot:
        await say(pilot, "[bold]x[/bold] [/nonsense]")
        await settled(pilot)

        words = chat(pilot).query_one(UserTurn).query_one(".words", Static)
        assert str(words.render()) == "[bold]x[/bold] [/nonsense]"


async def test_the_pane_shows_what_was_recalled_for_the_answer() -> None:
    services = FakeServices(chat_model=ScriptedChatModel.of("Peanuts."))
    fact = a_fact("The user is allergic to peanuts.")
    services.memories.put([fact], services.embedder.embed([fact.text]))
    async with chatting(services) as pilot:
        assert "will be listed here" in recalled_text(pilot)

        await say(pilot, "May I eat peanuts?")
        await settled(pilot)

        assert "● fact · 4 Mar 2026" in recalled_text(pilot)
        assert "The user is allergic to peanuts." in recalled_text(pilot)


async def test_a_model_is_switched_in_the_middle_of_a_conversation() -> None:
    other = a_choice("other", model="openai/other")
    services = FakeServices(chat_model=ScriptedChatModel.of("One.", "Two."), configured={"other": other})
    async with chatting(services) as pilot:
        await say(pilot, "first")
        await settled(pilot)
        await pilot.press("f5")
        await settled(pilot)
        await pilot.press(*"other", "enter")
        await settled(pilot)
        await say(pilot, "second")
        await settled(pilot)

        assert [request.choice.name for request in services.chat_model.requests] == ["fake", "other"]
        assert [message.text for message in services.chat_model.requests[1].messages[1:]] == ["first", "One.", "second"]
        assert ("model", "other") in services.saved
        assert status(pilot).startswith("other")


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
