"""The prompt box."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea

from chatmem.domain.model import Image
from chatmem.ui.wording import counted, size

LARGE_PASTE_CHARACTERS = 8_000
LARGE_PASTE_LINES = 100
"""Above this a paste is shown as one line: wrapping and drawing a megabyte would hold up typing."""

PLACEHOLDER = "Say something. Enter sends, Shift+Enter or Ctrl+J makes a new line."


class PromptBox(TextArea):
    """Takes what the person types; grows with it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+shift+z", "redo", "Redo", show=False)]

    class Submitted(Message):
        """The person wants to send `text` and `images`; whoever takes it calls `empty`."""

        def __init__(self, text: str, images: Sequence[Image] = ()) -> None:
            self.text = text
            self.images = tuple(images)
            super().__init__()

    class Emptied(Message):
        """The person pressed Enter with nothing typed."""

    class PageRequested(Message):
        """The person wants to scroll the transcript; `direction` is -1 for up, 1 for down."""

        def __init__(self, direction: int) -> None:
            self.direction = direction
            super().__init__()

    def __init__(self) -> None:
        super().__init__(placeholder=PLACEHOLDER, compact=True, highlight_cursor_line=False)
        self._pastes: dict[str, str] = {}
        self._state = ""

    @property
    def words(self) -> str:
        """What was typed, with large pastes in full."""
        text = self.text
        for label, paste in self._pastes.items():
            text = text.replace(label, paste)
        return text

    def restore(self, text: str) -> None:
        """Put back what could not be sent, before what was typed since."""
        typed = self.words
        self.empty()
        self.insert(self._shown(text + ("\n" + typed if typed else "")))

    def empty(self) -> None:
        """Begin anew."""
        self.clear()
        self.history.clear()
        self._pastes.clear()

    def state(self, text: str) -> None:
        """Say at the frame what is going on."""
        self._state = self.border_subtitle = text

    def hint(self, text: str) -> None:
        """Say something at the frame until the next key."""
        self.border_subtitle = text

    def on_key(self, event: events.Key) -> None:
        """Send on Enter; make a new line on its relatives."""
        self.border_subtitle = self._state
        if event.key == "enter":
            event.prevent_default().stop()
            self.post_message(self.Submitted(self.words) if self.words.strip() else self.Emptied())
        elif event.key in {"shift+enter", "ctrl+j", "alt+enter"}:
            event.prevent_default().stop()
            self.insert("\n")

    def on_paste(self, event: events.Paste) -> None:
        """Take a paste; a large one is kept aside and shown as one line."""
        event.prevent_default().stop()
        self.replace(self._shown(event.text), *self.selection)

    def action_cursor_page_up(self) -> None:
        """Scroll the transcript rather than the prompt."""
        self.post_message(self.PageRequested(-1))

    def action_cursor_page_down(self) -> None:
        """Scroll the transcript rather than the prompt."""
        self.post_message(self.PageRequested(1))

    def _shown(self, text: str) -> str:
        lines = text.count("\n") + 1
        if len(text) <= LARGE_PASTE_CHARACTERS and lines <= LARGE_PASTE_LINES:
            return text
        label = f"[pasted {len(self._pastes) + 1}: {counted(lines, 'line')}, {size(len(text))}]"
        self._pastes[label] = text
        return label
