"""The transcript, shown turn by turn by the events of a conversation."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import PurePath
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from chatmem.conversation import (
    FellOver,
    ReasoningGrew,
    Refitted,
    ReplyBegun,
    ReplyEnded,
    ReplyGrew,
    Retrying,
    Timings,
    TurnEvent,
    TurnRecorded,
)
from chatmem.domain.model import Usage
from chatmem.domain.turn import Attachment, AttachmentId, Role, Turn, TurnId, TurnStatus
from chatmem.ui.widgets.markdown_text import MarkdownText
from chatmem.ui.widgets.prompt import PromptBox
from chatmem.ui.widgets.reasoning import Reasoning
from chatmem.ui.widgets.transcript import Transcript
from chatmem.ui.widgets.turn_course import TurnCourse
from chatmem.ui.widgets.turns import ReplyTurn, UserTurn
from tests.fakes.builders import a_choice, a_turn
from tests.ui.driving import until
from tests.ui.services import FakeServices


class Host(App[None]):
    CSS_PATH: ClassVar[list[str | PurePath]] = ["../../chatmem/ui/app.tcss", "../../chatmem/ui/chat.tcss"]

    def compose(self) -> ComposeResult:
        yield Transcript()
        yield PromptBox(FakeServices())


class Stage:
    """The transcript, and a turn that is shown on it."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot
        self.transcript = pilot.app.query_one(Transcript)
        self.course = TurnCourse(self.transcript, pilot.app.query_one(PromptBox))

    async def show(self, *events: TurnEvent) -> None:
        for event in events:
            await self.course.show(event)
        await self.pilot.pause()

    @property
    def reply(self) -> ReplyTurn:
        return self.transcript.query(ReplyTurn).last()

    def said(self, part: str) -> str:
        shown = self.reply.query(part).last()
        return str(shown.render()) if shown.display else ""

    @property
    def answer(self) -> str:
        return "\n\n".join(str(part.render()) for part in self.reply.query(MarkdownText))


@asynccontextmanager
async def stage() -> AsyncIterator[Stage]:
    async with Host().run_test(size=(100, 30)) as pilot:
        yield Stage(pilot)


def a_reply(text: str = "", **changes: object) -> Turn:
    values: dict[str, object] = {"role": Role.ASSISTANT, "status": TurnStatus.STREAMING, "model": "fake"}
    return a_turn(2, text, **(values | changes))


def ended(turn: Turn, usage: Usage | None = None) -> ReplyEnded:
    return ReplyEnded(turn, usage or Usage(), Timings())


async def test_the_first_piece_is_drawn_at_once_and_the_next_ones_together() -> None:
    async with stage() as shown:
        await shown.show(ReplyBegun(a_reply()), ReplyGrew("0"))
        first, seen = shown.answer, set[str]()
        for number in range(1, 50):
            await shown.course.show(ReplyGrew(f" {number}"))
            await asyncio.sleep(0)
            seen.add(shown.answer)
        await until(shown.pilot, lambda: shown.answer.endswith(" 49"))

        assert first == "0"
        assert len(seen) < 5


async def test_thoughts_show_their_last_line_while_they_come_and_fold_into_a_line_that_opens() -> None:
    async with stage() as shown:
        await shown.show(ReplyBegun(a_reply()), ReasoningGrew("First I look.\nThen I count"))
        thinking = shown.said("Reasoning")
        await shown.show(ReasoningGrew(" to ten."), ReplyGrew("Ten."))
        await until(shown.pilot, lambda: shown.answer == "Ten.")
        folded = shown.said("Reasoning")
        await shown.pilot.click("Reasoning")

        assert thinking == "Thinking ▸ Then I count"
        assert folded == "Thought for 1 s · 8 words ▸"
        assert shown.said("Reasoning") == "Thought for 1 s · 8 words ▾\nFirst I look.\nThen I count to ten."


async def test_thoughts_of_an_earlier_answer_are_folded_and_no_thoughts_show_nothing() -> None:
    async with stage() as shown:
        await shown.transcript.show([a_reply("Ten.", reasoning="I count to ten.", status=TurnStatus.COMPLETE)])
        await shown.pilot.pause()
        told = shown.said("Reasoning")
        await shown.transcript.show([a_reply("Ten.", status=TurnStatus.COMPLETE)])
        await shown.pilot.pause()

        assert told == "Thought · 4 words ▸"
        assert not shown.reply.query(Reasoning)


async def test_a_retry_is_told_and_counts_down_until_the_answer_comes() -> None:
    async with stage() as shown:
        busy = Retrying(error="gpt-x takes no more requests.", wait_s=1.5, attempt=2, attempts=3)
        await shown.show(ReplyBegun(a_reply()), busy)
        first = shown.said(".mark")
        await until(shown.pilot, lambda: "again in 1 s" in shown.said(".mark"))
        await until(shown.pilot, lambda: "asking again (2 of 3)" in shown.said(".mark"))
        await shown.show(ReplyGrew("Here."))

        assert first == "gpt-x takes no more requests… asking again in 2 s (2 of 3) · Esc stops"
        assert shown.said(".mark") == ""


async def test_falling_over_is_told_for_good_and_the_header_names_who_answers() -> None:
    async with stage() as shown:
        over = FellOver(choice=a_choice("other"), error="The key was refused.", turn=a_reply("", model="other"))
        await shown.show(ReplyBegun(a_reply()), over, ReplyGrew("Here."))
        await shown.show(ended(a_reply("Here.", model="other", status=TurnStatus.COMPLETE)))

        assert shown.said(".note") == "fake failed: The key was refused; other answers instead"
        assert shown.said(".who").startswith("other · ")


async def test_turns_that_no_longer_fit_are_told_with_the_reply_before_it_begins_and_after() -> None:
    async with stage() as shown:
        before, after = Refitted(left_out=6, summarised=True), Refitted(left_out=1, summarised=False)
        await shown.show(before, ReplyBegun(a_reply()), after)

        assert shown.said(".note").splitlines() == [
            "6 earlier turns no longer fit this model: folded into the summary",
            "1 earlier turn no longer fits this model: left out, and only recalled where they bear on your words",
        ]


async def test_an_answer_cut_by_its_length_says_so_and_offers_to_continue() -> None:
    async with stage() as shown:
        cut = a_reply("One two", finish_reason="length", status=TurnStatus.COMPLETE)
        await shown.show(ReplyBegun(a_reply()), ReplyGrew("One two"), ended(cut))

        assert shown.said(".mark").startswith("Cut off: the answer reached the limit of its length.")
        assert "n continues it" in shown.said(".mark")


async def test_a_continued_answer_grows_where_it_stood() -> None:
    async with stage() as shown:
        cut = a_reply("One two", finish_reason="length", status=TurnStatus.COMPLETE)
        await shown.transcript.show([cut])
        await shown.show(ReplyBegun(a_reply("One two")), ReplyGrew(" three"))
        growing = shown.reply.words
        await shown.show(ended(a_reply("One two three", finish_reason="stop", status=TurnStatus.COMPLETE)))

        assert len(shown.transcript.query(ReplyTurn)) == 1
        assert (growing, shown.answer, shown.said(".mark")) == ("One two three", "One two three", "")


async def test_usage_and_cost_stand_in_the_header_and_nothing_where_they_are_unknown() -> None:
    async with stage() as shown:
        whole = a_reply("Hi", status=TurnStatus.COMPLETE)
        await shown.show(ReplyBegun(a_reply()), ReplyGrew("Hi"))
        await shown.show(ended(whole, Usage(prompt_tokens=1240, completion_tokens=310, cost_usd=0.0042)))
        known = shown.said(".who")
        await shown.transcript.show([whole])
        await shown.pilot.pause()

        assert known.endswith(" · 1,240 + 310 tokens · $0.0042")
        assert "tokens" not in shown.said(".who")


async def test_images_stand_as_chips_under_the_turn() -> None:
    async with stage() as shown:
        boat = Attachment(id=AttachmentId("a1"), name="boat.png", media_type="image/png", size=120_000)
        await shown.show(TurnRecorded(a_turn(1, "Look", attachments=(boat,))))

        chips = shown.transcript.query_one(UserTurn).query_one(".chips", Static)
        assert str(chips.render()) == "▣ boat.png (120 kB)"


async def test_what_a_turn_took_and_its_alternatives_are_told_of_turns_mounted_later_too() -> None:
    async with stage() as shown:
        turns = [a_reply(f"{number}", id=TurnId(f"t{number}"), status=TurnStatus.COMPLETE) for number in range(60)]
        await shown.transcript.show(turns)
        first = TurnId("t0")
        shown.transcript.tell({first: Usage(prompt_tokens=1, completion_tokens=2)}, {first: (first, TurnId("other"))})
        await shown.transcript.load_earlier()
        await shown.pilot.pause()

        header = str(shown.transcript.query(ReplyTurn).first().query_one(".who", Static).render())
        assert "‹ 1/2 ›" in header  # noqa: RUF001 the marks point to both sides
        assert "1 + 2 tokens" in header
