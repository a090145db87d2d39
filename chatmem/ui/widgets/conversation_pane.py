"""The conversation in the middle of the chat screen: its transcript, and the prompt below it."""

from contextlib import aclosing
from dataclasses import dataclass

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from chatmem.conversation import (
    Conversation,
    Gauge,
    MemoriesRecalled,
    ReplyBegun,
    ReplyEnded,
    ReplyGrew,
    TurnEvent,
    TurnRecorded,
)
from chatmem.ui.failures import telling
from chatmem.ui.widgets.prompt import PromptBox
from chatmem.ui.widgets.transcript import Transcript
from chatmem.ui.wording import counted

RECORDING = "keeping what you said…"
RECALLING = "remembering…"
ANSWERING = "answering · Esc stops"
BUSY = "an answer is still arriving: Esc stops it, your words stay here"
EMPTY = "there is nothing to send yet"
NO_MODEL = "choose a model first: F5"


class ConversationPane(Vertical):
    """Shows one conversation and carries its turns out.

    Attributes:
        conversation: The one that is shown; `None` until a model was chosen.
        answering: Whether a turn is being carried out.
    """

    @dataclass
    class AnsweringChanged(Message):
        """A turn has begun, or has ended."""

        answering: bool

    @dataclass
    class Recalled(Message):
        """Recall has looked for the turn that is being carried out."""

        event: MemoriesRecalled

    @dataclass
    class Measured(Message):
        """The context was measured."""

        gauge: Gauge

    def __init__(self) -> None:
        super().__init__()
        self.conversation: Conversation | None = None
        self.answering = False
        self._recalled = 0

    def compose(self) -> ComposeResult:
        """Lay out title, transcript and prompt."""
        yield Static(id="title", markup=False)
        yield Transcript()
        yield PromptBox()

    @property
    def last_answer(self) -> str:
        """The words of the newest reply; empty where there is none."""
        return self.query_one(Transcript).last_answer

    async def show(self, conversation: Conversation) -> None:
        """Show a conversation instead of the one before.

        Raises:
            StoreError: If its turns could not be read.
        """
        turns = await conversation.turns()
        self.conversation = conversation
        self._show_title()
        await self.query_one(Transcript).show(turns)
        self.measure()

    def focus_prompt(self) -> None:
        """Put the cursor where the person types."""
        self.query_one(PromptBox).focus()

    def stop(self) -> None:
        """Stop the running answer."""
        if self.conversation is not None:
            self.conversation.stop()

    @work(exclusive=True, group="measure")
    async def measure(self) -> None:
        """Measure how full the context is."""
        with telling(self):
            if self.conversation is not None and self.conversation.session.turn_count:
                self.post_message(self.Measured(await self.conversation.gauge()))

    @on(PromptBox.Submitted)
    def _send(self, event: PromptBox.Submitted) -> None:
        event.stop()
        prompt = self.query_one(PromptBox)
        if self.conversation is None:
            prompt.hint(NO_MODEL)
        elif self.answering:
            prompt.hint(BUSY)
        else:
            prompt.empty()
            self._set_answering(True)
            self._answer(self.conversation, event.text)

    @on(PromptBox.Emptied)
    def _say_empty(self, event: PromptBox.Emptied) -> None:
        event.stop()
        self.query_one(PromptBox).hint(EMPTY)

    @on(PromptBox.PageRequested)
    def _page(self, event: PromptBox.PageRequested) -> None:
        event.stop()
        self.query_one(Transcript).page(event.direction)

    @work(group="answer")
    async def _answer(self, conversation: Conversation, text: str) -> None:
        recorded = False
        with telling(self):
            async with aclosing(conversation.send(text)) as events:
                async for event in events:
                    recorded = True
                    await self._show_event(event)
        # Not reached when the app is left: what had arrived is saved, and there is no screen any more.
        if not recorded:
            self.query_one(PromptBox).restore(text)
        await self.query_one(Transcript).break_off()
        self._set_answering(False)
        self._compact(conversation)

    @work(exclusive=True, group="compact")
    async def _compact(self, conversation: Conversation) -> None:
        with telling(self):
            await conversation.compact()
            self.measure()

    async def _show_event(self, event: TurnEvent) -> None:
        transcript, prompt = self.query_one(Transcript), self.query_one(PromptBox)
        match event:
            case TurnRecorded(turn, cut_tokens):
                note = (
                    f"too long for this model: {counted(cut_tokens, 'token')} at its end stay out" if cut_tokens else ""
                )
                await transcript.add(turn, note)
                prompt.state(RECALLING)
                self._recalled = 0
                self._show_title()
            case MemoriesRecalled():
                self._recalled = sum(item.injected for item in event.items)
                self.post_message(self.Recalled(event))
            case ReplyBegun(turn):
                prompt.state(ANSWERING)
                await transcript.begin_reply(turn, self._recalled)
            case ReplyGrew(text):
                transcript.grow(text)
            case ReplyEnded(turn):
                await transcript.end_reply(turn)

    def _set_answering(self, answering: bool) -> None:
        self.answering = answering
        self.query_one(PromptBox).state(RECORDING if answering else "")
        self.post_message(self.AnsweringChanged(answering))

    def _show_title(self) -> None:
        if self.conversation is not None:
            self.query_one("#title", Static).update(self.conversation.session.title)
