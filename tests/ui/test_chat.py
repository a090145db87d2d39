"""The chat screen, driven by keys."""

import asyncio
import threading
from collections.abc import Sequence

import pytest
from textual import events
from textual.widgets import Static

from chatmem.domain.errors import ProviderError, StoreError
from chatmem.domain.turn import SessionId, Turn, TurnId, TurnStatus
from chatmem.ui.app import ChatMemApp
from chatmem.ui.widgets.markdown_text import MarkdownText
from chatmem.ui.widgets.turns import UserTurn
from tests.fakes.builders import a_choice, a_fact
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.fakes.session_log import FakeSessionLog
from tests.ui.chatting import (
    answers,
    chat,
    chatting,
    last_mark,
    prompt,
    recalled_text,
    say,
    status,
    users_words,
)
from tests.ui.driving import notices, settled, until
from tests.ui.services import FakeServices


class FullDisk(FakeSessionLog):
    """A log whose disk fills up at the first, or at a later, write."""

    full = True
    full_for_replies = False

    def append(self, turn: Turn, contents: Sequence[bytes] = ()) -> Turn:
        if self.full:
            raise StoreError("The disk is full. Make room, then send again.")
        return super().append(turn, contents)

    def save_reply(
        self,
        turn_id: TurnId,
        *,
        text: str,
        status: TurnStatus,
        error: str | None = None,
        reasoning: str = "",
        finish_reason: str | None = None,
    ) -> bool:
        if self.full_for_replies:
            raise StoreError("The disk is full. Make room, then send again.")
        return super().save_reply(
            turn_id, text=text, status=status, error=error, reasoning=reasoning, finish_reason=finish_reason
        )


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
    services = FakeServices(chat_model=ScriptedChatModel.of("No, you are allergic."))
    fact = a_fact("The user is allergic to peanuts.")
    services.memories.put([fact], services.embedder.embed([fact.text]))
    async with chatting(services) as pilot:
        assert "will be listed here" in recalled_text(pilot)

        await say(pilot, "May I eat peanuts?")
        await settled(pilot)

        assert "Best among the memories. 1 of 1 item shown to the model" in recalled_text(pilot)
        assert "✓ fact · 4 Mar 2026" in recalled_text(pilot)
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


class SlowToOpen(FakeSessionLog):
    """A log that gives out the draft, and so opens a conversation, when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.let = threading.Event()
        self.broken = False

    def draft(self, session_id: SessionId | None) -> str:
        self.let.wait(10)
        if self.broken:
            raise StoreError("The log can't be read.")
        return super().draft(session_id)


async def test_what_is_sent_before_the_conversation_is_open_is_sent_when_it_is() -> None:
    services = FakeServices()
    services.log = log = SlowToOpen()
    app = ChatMemApp(services, a_choice())
    async with app.run_test(size=(150, 45)) as pilot:
        await until(pilot, lambda: bool(app.screen.query("PromptBox")))
        await say(pilot, "early bird")
        await until(pilot, lambda: prompt(pilot).words == "")
        log.let.set()
        await until(pilot, lambda: users_words(pilot) == ["early bird"])
        await settled(pilot)

        assert answers(pilot) == ["early bird"]


async def test_what_is_sent_too_early_comes_back_if_no_conversation_can_be_opened() -> None:
    services = FakeServices()
    services.log = log = SlowToOpen()
    log.broken = True
    app = ChatMemApp(services, a_choice())
    async with app.run_test(size=(150, 45)) as pilot:
        await until(pilot, lambda: bool(app.screen.query("PromptBox")))
        await say(pilot, "early bird")
        await until(pilot, lambda: prompt(pilot).words == "")
        log.let.set()
        await until(pilot, lambda: prompt(pilot).words == "early bird")

        assert notices(pilot) == ["The log can't be read."]
