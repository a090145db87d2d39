"""The conversation in the middle of the chat screen: its transcript, and the prompt below it."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static, TextArea

from chatmem.conversation import (
    Conversation,
    Gauge,
    MemoriesRecalled,
    Refitted,
    ReplyEnded,
    Spending,
    TurnEvent,
    TurnRecorded,
)
from chatmem.domain.model import ModelChoice
from chatmem.domain.turn import Turn, TurnId
from chatmem.ui.failures import tell, telling
from chatmem.ui.services import Services
from chatmem.ui.widgets.drafts import Drafts
from chatmem.ui.widgets.find_bar import FindBar
from chatmem.ui.widgets.prompt import PromptBox
from chatmem.ui.widgets.slash_prompt import SlashPrompt
from chatmem.ui.widgets.transcript import Transcript
from chatmem.ui.widgets.turn_course import RECORDING, TurnCourse
from chatmem.ui.widgets.turn_edit import Sent, TurnEdit
from chatmem.ui.widgets.turns import UserTurn

BUSY = "an answer is still arriving: Esc stops it, your words stay here"
EMPTY = "there is nothing to send yet"
OPENING = "sent as soon as the conversation is open"
WAIT = "a conversation is being opened: your words stay here"
NO_MODEL = "choose a model first: F5"
FAR_AWAY = "That turn is far up. It can be shown once the answer has arrived."


Arriving = AsyncGenerator[TurnEvent, None]

REQUEST_FIRST_S = 0.03
"""After Enter the screen is drawn so much later: to draw takes longer than all else on the way to the model."""


class ConversationPane(Vertical):
    """Shows one conversation and carries its turns out.

    Attributes:
        conversation: The one that is shown; `None` until a model was chosen.
        answering: Whether a turn is being carried out.
        expecting: Whether a conversation is being opened; what is sent before it is there waits for it.
    """

    @dataclass
    class AnsweringChanged(Message):
        """A turn has begun, or has ended."""

        answering: bool

    @dataclass
    class Happened(Message):
        """Something has happened in a turn that concerns more than the transcript."""

        event: MemoriesRecalled | Refitted | ReplyEnded | TurnRecorded

    @dataclass
    class Measured(Message):
        """The context and what was spent were measured."""

        gauge: Gauge
        spending: Spending

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.conversation: Conversation | None = None
        self.answering = self._told_answering = self._stale = False
        self.expecting = False
        self._services = services
        self._early: Sent | None = None

    def compose(self) -> ComposeResult:
        """Lay out title, transcript, search and prompt."""
        yield Static(id="title", markup=False)
        yield Transcript()
        yield FindBar(self._services.log)
        yield SlashPrompt(self._services, lambda: self.conversation.choice if self.conversation else None)

    def on_mount(self) -> None:
        """Begin to keep drafts."""
        prompt = self.prompt
        self._edit = TurnEdit(prompt)
        self._drafts = Drafts(self, self._services, self._unsent)

    async def on_unmount(self) -> None:
        """Keep the draft: what was typed last is not saved yet."""
        with telling(self):
            await self._drafts.save()

    @property
    def transcript(self) -> Transcript:
        """The turns."""
        return self.query_one(Transcript)

    @property
    def prompt(self) -> PromptBox:
        """Where the person types."""
        return self.query_one(PromptBox)

    @property
    def editing(self) -> bool:
        """Whether the words of an earlier turn stand in the prompt."""
        return self._edit.turn is not None

    async def show(self, conversation: Conversation, at: TurnId | None = None) -> None:
        """Show a conversation instead of the one before, at its end or with the turn `at` selected.

        Raises:
            StoreError: If its turns or its draft could not be read.
        """
        await self._drafts.save()
        self.cancel_edit()
        turns = await conversation.turns()
        await self._take_up_draft(conversation)
        self.conversation = conversation
        await self._show_turns(turns, at)
        if (early := self._early) is not None:
            self.give_back()
            self._carry_out_sent(conversation, early)

    def expect(self) -> None:
        """Begin to wait for a conversation that is being opened; what was sent for another one comes back."""
        self.give_back()
        self.expecting = True

    def reread(self) -> None:
        """Show the conversation as it is in the log, once no answer arrives any more: words of it were forgotten."""
        self._stale = True
        if not self.answering:
            self._reread()

    def give_back(self) -> None:
        """Wait no longer; what was sent for a conversation that could not be opened comes back."""
        self.expecting = False
        if (early := self._early) is not None:
            self._early = None
            self._restore(early)

    def focus_prompt(self) -> None:
        """Put the cursor where the person types."""
        self.prompt.focus()

    async def step(self, by: int) -> None:
        """Select the turn before for -1, or after for 1."""
        self.transcript.focus(scroll_visible=False)
        await self.transcript.step(by)

    def find(self) -> None:
        """Search in the conversation."""
        if self.conversation is not None:
            self.query_one(FindBar).open(self.conversation.session.id)

    @work(exclusive=True, group="jump")
    async def jump(self, turn_id: TurnId) -> None:
        """Select a turn of the conversation, mounted or not."""
        with telling(self):
            if self.transcript.shows(turn_id):
                self.transcript.select(turn_id)
            elif self.answering:
                tell(self, FAR_AWAY)
            elif self.conversation is not None:
                await self.transcript.show(await self.conversation.turns(), turn_id)

    def stop(self) -> None:
        """Stop the running answer."""
        if self.conversation is not None:
            self.conversation.stop()

    def regenerate(self, turn_id: TurnId, choice: ModelChoice | None = None) -> None:
        """Answer again beside a reply, perhaps with another model."""
        if (conversation := self._ready()) is not None:
            self._carry_out(conversation, conversation.regenerate(turn_id, choice=choice), turn_id)

    def go_on(self, turn_id: TurnId) -> None:
        """Continue a reply that was cut."""
        if (conversation := self._ready()) is not None:
            self._carry_out(conversation, conversation.go_on(turn_id))

    def let_through(self, box: UserTurn) -> None:
        """Have a turn answered again by a model that is shown, for once, what was taken out of it."""
        if box.said and (conversation := self._ready()) is not None:
            said, box.said, reply = box.said, "", self.transcript.after(box.turn.id)
            self._carry_out(conversation, conversation.let_through(box.turn.id, said), reply)

    def follow(self, turn_id: TurnId, step: int) -> None:
        """Go to the alternative before a turn for -1, or after it for 1."""
        other = self.transcript.neighbour(turn_id, step)
        if other is not None and (conversation := self._ready()) is not None:
            self._follow(conversation, other)

    def quote(self, text: str) -> None:
        """Put words into the prompt, as a quotation."""
        quoted = "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())
        self.focus_prompt()
        self.prompt.insert(f"{quoted}\n\n")

    def edit(self, turn: Turn) -> None:
        """Take a turn's words into the prompt; sending them branches off there."""
        if self._ready() is not None:
            self._edit.begin(turn, turn.text)
            self.refresh_bindings()

    def cancel_edit(self) -> None:
        """Leave the turn as it was, and go back to what was typed before."""
        self._edit.cancel()
        self.refresh_bindings()

    @work(exclusive=True, group="measure")
    async def measure(self) -> None:
        """Measure how full the context is, and what was spent."""
        with telling(self):
            if (conversation := self.conversation) is not None and conversation.session.turn_count:
                self.post_message(self.Measured(await conversation.gauge(), await conversation.spending()))

    @on(PromptBox.Submitted)
    def _send(self, event: PromptBox.Submitted) -> None:
        event.stop()
        if self.answering:
            self.prompt.hint(BUSY)
        elif self.expecting and (self._early or self.editing):
            self.prompt.hint(WAIT)
        elif self.expecting:
            self._early = self._edit.sent(event.text, event.images)
            self._edit.take_out(self._early)
            self.prompt.state(OPENING)
        elif self.conversation is None:
            self.prompt.hint(NO_MODEL)
        else:
            self._carry_out_sent(self.conversation, self._edit.sent(event.text, event.images))

    def _unsent(self) -> str:
        early = self._early.text if self._early else ""
        return "\n".join(filter(None, (early, self._edit.unsent)))

    def _carry_out_sent(self, conversation: Conversation, sent: Sent) -> None:
        if sent.edited is None:
            self._carry_out(conversation, conversation.send(sent.text, images=sent.images), sent=sent)
        else:
            arriving = conversation.resend(sent.edited.id, sent.text, images=sent.images)
            self._carry_out(conversation, arriving, sent.edited.id, sent)

    @on(PromptBox.Emptied)
    def _say_empty(self, event: PromptBox.Emptied) -> None:
        event.stop()
        self.prompt.hint(EMPTY)

    @on(PromptBox.PageRequested)
    def _page(self, event: PromptBox.PageRequested) -> None:
        event.stop()
        self.transcript.page(event.direction)

    @on(TextArea.Changed)
    def _typed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._drafts.changed()

    @on(events.DescendantFocus)
    def _unselect(self, event: events.DescendantFocus) -> None:
        if isinstance(event.widget, PromptBox):
            self.transcript.select(None)

    @on(Transcript.Left)
    def _leave(self, event: Transcript.Left) -> None:
        event.stop()
        self.focus_prompt()
        self.prompt.insert(event.typed)

    @on(FindBar.Found)
    def _show_found(self, event: FindBar.Found) -> None:
        event.stop()
        self.jump(event.turn_id)

    @on(FindBar.Closed)
    def _close_search(self, event: FindBar.Closed) -> None:
        event.stop()
        if event.stay:
            self.transcript.focus(scroll_visible=False)
        else:
            self.focus_prompt()

    def _carry_out(
        self,
        conversation: Conversation,
        arriving: Arriving,
        instead_of: TurnId | None = None,
        sent: Sent | None = None,
    ) -> None:
        self.app.delay_update(REQUEST_FIRST_S)
        self.answering = True
        course = TurnCourse(self.transcript, self.prompt, instead_of, sent.text if sent else "")
        self._show_arriving(arriving, course, conversation, sent)
        self.set_timer(REQUEST_FIRST_S / 2, self._tell_answering)  # also where the disk is slow

    @work(group="answer")
    async def _show_arriving(
        self, arriving: Arriving, course: TurnCourse, conversation: Conversation, sent: Sent | None
    ) -> None:
        with telling(self):
            async with aclosing(arriving) as turn:
                async for event in turn:
                    if not course.recorded:
                        await asyncio.sleep(REQUEST_FIRST_S / 2)
                        self._tell_answering()
                        if sent is not None:
                            self._edit.take_out(sent)
                    await course.show(event)
                    self._heed(event)
        # Not reached when the app is left: what had arrived is saved, and there is no screen any more.
        await self.transcript.break_off()
        self.answering = False
        self._tell_answering()
        self._conclude(conversation)
        if self._stale:
            self._reread()

    @work(exclusive=True, group="conclude")
    async def _conclude(self, conversation: Conversation) -> None:
        with telling(self):
            self.transcript.tell(await conversation.usage(), await conversation.alternatives())
            await conversation.compact()
            self.measure()

    @work(exclusive=True, group="follow")
    async def _follow(self, conversation: Conversation, turn_id: TurnId) -> None:
        with telling(self):
            await conversation.follow(turn_id)
            await self._show_turns(await conversation.turns(), turn_id)

    @work(exclusive=True, group="follow")
    async def _reread(self) -> None:
        with telling(self):
            if (conversation := self.conversation) is not None:
                self._stale = False
                await self._show_turns(await conversation.reread())

    async def _show_turns(self, turns: Sequence[Turn], at: TurnId | None = None) -> None:
        self._show_title()
        if self.conversation is not None:
            self.transcript.tell(await self.conversation.usage(), await self.conversation.alternatives())
        await self.transcript.show(turns, at)
        self.measure()

    def _heed(self, event: TurnEvent) -> None:
        if isinstance(event, MemoriesRecalled | Refitted | ReplyEnded | TurnRecorded):
            self.post_message(self.Happened(event))
        if isinstance(event, TurnRecorded):
            self._show_title()
            self._drafts.sent(event.turn.session_id)

    async def _take_up_draft(self, conversation: Conversation) -> None:
        session = conversation.session
        opened = self.conversation is not None
        draft = await self._drafts.turn_to(session.id if session.turn_count else None)
        if opened:
            self.prompt.empty()
        if draft:
            self.prompt.restore(draft)

    def _ready(self) -> Conversation | None:
        if self.answering or self.expecting:
            self.prompt.hint(BUSY if self.answering else WAIT)
            return None
        return self.conversation

    def _restore(self, sent: Sent) -> None:
        if sent.edited is not None:
            self._edit.begin(sent.edited, sent.text, sent.images)
        else:
            self.prompt.restore(sent.text, sent.images)

    def _tell_answering(self) -> None:
        if self._told_answering is self.answering:
            return
        self._told_answering = self.answering
        if not self.editing:
            self.prompt.state(RECORDING if self.answering else "")
        self.post_message(self.AnsweringChanged(self.answering))

    def _show_title(self) -> None:
        if self.conversation is not None:
            self.query_one("#title", Static).update(self.conversation.session.title)
