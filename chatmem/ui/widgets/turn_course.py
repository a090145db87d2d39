"""Showing one turn while it is carried out."""

from chatmem.conversation import (
    FellOver,
    MemoriesRecalled,
    ReasoningGrew,
    Refitted,
    ReplyBegun,
    ReplyEnded,
    ReplyGrew,
    Retrying,
    TurnEvent,
    TurnRecorded,
)
from chatmem.domain.turn import TurnId
from chatmem.ui.widgets.prompt import PromptBox
from chatmem.ui.widgets.transcript import Transcript
from chatmem.ui.widgets.turn_words import recorded, refitted

RECORDING = "keeping what you said…"
RECALLING = "remembering…"
ANSWERING = "answering · Esc stops"


class TurnCourse:
    """Shows one turn while it is carried out.

    Args:
        transcript: Where it is shown.
        prompt: Where is said how far it has come.
        instead_of: The turn that leaves the screen for this one, with all after it.
        said: What the person said, in case something is taken out of it.

    Attributes:
        recorded: Whether anything of it is in the session log.
    """

    def __init__(
        self, transcript: Transcript, prompt: PromptBox, instead_of: TurnId | None = None, said: str = ""
    ) -> None:
        self.recorded = False
        self._transcript = transcript
        self._prompt = prompt
        self._instead_of = instead_of
        self._said = said
        self._recalled = 0
        self._notes: list[str] = []
        self._begun = False

    async def show(self, event: TurnEvent) -> None:
        """Show what has happened."""
        match event:
            case TurnRecorded() | ReplyBegun():
                await self._show_turn(event)
            case MemoriesRecalled():
                self._recalled = sum(item.injected for item in event.items)
            case Refitted():
                self._note(refitted(event))
            case ReplyEnded(turn, usage):
                await self._transcript.end_reply(turn, usage)
            case _:
                self._show_piece(event)

    async def _show_turn(self, event: TurnRecorded | ReplyBegun) -> None:
        self.recorded = True
        if self._instead_of is not None:
            await self._transcript.drop_from(self._instead_of)
            self._instead_of = None
        if isinstance(event, ReplyBegun):
            self._begun = True
            self._prompt.state(ANSWERING)
            await self._transcript.begin_reply(event.turn, self._recalled, self._notes)
        else:
            self._prompt.state(RECALLING)
            await self._transcript.add(event.turn, recorded(event), self._said if event.removed else "")

    def _show_piece(self, event: TurnEvent) -> None:
        reply = self._transcript.reply
        match event:
            case ReplyGrew(text):
                reply.grow(text)
            case ReasoningGrew(text):
                reply.think(text)
            case Retrying():
                reply.retry(event)
            case FellOver():
                reply.fall_over(event)

    def _note(self, text: str) -> None:
        if self._begun:
            self._transcript.reply.note(text)
        else:
            self._notes.append(text)
