"""Editing what was said: a turn's words stand in the prompt, and what was typed before waits aside."""

from collections.abc import Sequence
from dataclasses import dataclass

from chatmem.domain.model import Image
from chatmem.domain.turn import Turn
from chatmem.ui.widgets.prompt import PromptBox

EDITING = "editing what you said · Enter sends it anew · Esc leaves it as it was"
EDITING_WITH_IMAGES = "editing, pictures stay · Enter sends it anew · Esc leaves it as it was"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What stood in the prompt when Enter was pressed; `edited` is the turn it was to replace."""

    text: str
    images: Sequence[Image]
    edited: Turn | None = None


class TurnEdit:
    """One edit at a time.

    Attributes:
        turn: The turn that is edited; `None` while none is.
    """

    def __init__(self, prompt: PromptBox) -> None:
        self.turn: Turn | None = None
        self._prompt = prompt
        self._aside = ""
        self._images_aside: Sequence[Image] = ()

    @property
    def unsent(self) -> str:
        """What was typed and would be lost: in the prompt, unless it is a turn as it was, and aside."""
        typed = self._prompt.unsent
        if self.turn is None:
            return typed
        return "\n".join(filter(None, (self._aside, "" if typed == self.turn.text else typed)))

    def begin(self, turn: Turn, text: str, images: Sequence[Image] = ()) -> None:
        """Put words into the prompt, and what stands there aside."""
        self.cancel()
        self._aside, self._images_aside = self._prompt.unsent, self._prompt.images
        self.turn = turn
        self._prompt.empty()
        self._prompt.restore(text, images)
        self._prompt.state(EDITING_WITH_IMAGES if turn.attachments else EDITING)
        self._prompt.focus()

    def sent(self, text: str, images: Sequence[Image]) -> Sent:
        """What is being sent; it stays in the prompt until it is kept."""
        return Sent(text=text, images=images, edited=self.turn)

    def take_out(self, sent: Sent) -> None:
        """Take what was sent out of the prompt; what was typed and attached since stays."""
        words, images = self._prompt.words, self._prompt.images
        if words.startswith(sent.text):
            self._prompt.empty()
            if len(words) > len(sent.text) or len(images) > len(sent.images):
                self._prompt.restore(words[len(sent.text) :], images[len(sent.images) :])
        if sent.edited is not None:
            self.end()

    def cancel(self) -> None:
        """Leave the turn as it was."""
        if self.turn is not None:
            self._prompt.empty()
            self.end()

    def end(self) -> Turn | None:
        """Put back what was aside, and return the turn that was edited; `None` where none was."""
        turn, self.turn = self.turn, None
        if turn is not None:
            self._prompt.state("")
            if self._aside or self._images_aside:
                self._prompt.restore(self._aside, self._images_aside)
            self._aside, self._images_aside = "", ()
        return turn
