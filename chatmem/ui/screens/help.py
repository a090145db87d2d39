"""The help screen: every key and command, and what the marks mean."""

from collections.abc import Sequence
from textwrap import wrap
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from chatmem.ui.services import ScreenSettings
from chatmem.ui.widgets.prompt import writing_keys
from chatmem.ui.widgets.slash_commands import COMMANDS
from chatmem.ui.widgets.turn_actions import ACTIONS

KEYS = (
    (
        "Turns",
        (
            ("Esc", "stop the answer; what has arrived is kept"),
            ("Page Up, Page Down", "scroll the conversation"),
            ("Ctrl+Up, Ctrl+Down", "select a turn; so do Alt+Up, Alt+Down, and a click"),
            *((action.shown_key, action.told or action.title.lower()) for action in ACTIONS if action.shown_key),
            ("Esc", "with a turn selected: back to the prompt, as by typing"),
            ("Ctrl+R", "regenerate the newest answer"),
            ("Ctrl+Y", "copy the newest answer"),
            ("Mouse, then Ctrl+C", "copy what is marked"),
        ),
    ),
    (
        "Going places",
        (
            ("F1", "this help"),
            ("F2", "memories: see, trace, correct, forget"),
            ("F3, Ctrl+B", "sessions; once more hides them"),
            ("F4", "what was recalled for the answer"),
            ("F5, Ctrl+L", "switch the model"),
            ("Ctrl+F", "search this conversation"),
            ("F6, Ctrl+G", "search all conversations"),
            ("F7", "review: memories that wait for your word"),
            ("F9", "changes in memory, and undo"),
            ("Ctrl+S", "write this conversation to a file"),
            ("Ctrl+N", "new conversation"),
            ("Ctrl+T", "sliding window, or running summary"),
            ("Ctrl+P", "everything, by name"),
            ("Ctrl+Q", "quit"),
        ),
    ),
    (
        "Memories (F2)",
        (
            ("↑ ↓ Page Home End", "walk through the list"),
            ("/", "search, as recall ranks; Enter goes to the list"),
            ("Space, Shift+↑ ↓, a", "mark a memory, several, all: p, m, w, f take them"),
            ("Enter", "one memory by itself"),
            ("e", "edit"),
            ("n", "write a new one"),
            ("p", "pin, or take the pin off"),
            ("m", "merge the marked ones into one"),
            ("S", "split into several"),
            ("w", "wrong: out of recall, but readable"),
            ("f", "forget for good; what goes is shown first"),
            ("F", "forget all that is shown"),
            ("t, T", "the next order; the other way round"),
            ("k, s, o", "the next kind, status; only pinned ones"),
            ("v", "all orders and filters"),
            ("x", "clear the filters"),
            ("d", "what was remembered on a day"),
            ("r", "read anew"),
        ),
    ),
    (
        "One memory",
        (
            ("s", "go to the words it rests on"),
            ("1 to 9", "go to a neighbour"),
            ("Backspace", "back to the memory before"),
            ("e, p, S, w, f", "as in the list"),
            ("Esc, q", "leave"),
        ),
    ),
    (
        "Forget for good?",
        (
            ("y", "forget what is shown"),
            ("t", "leave the turns as they are, or redact them"),
            ("Esc", "keep all"),
        ),
    ),
    (
        "Marks",
        (
            ("●", "recalled, and shown to the model"),
            ("○", "recalled, but left out of the prompt"),
            ("‹ 2/3 ›", "the second of three alternatives"),  # noqa: RUF001 the marks point to both sides
            ("1,240 + 310 tokens", "of the prompt, and of the reply"),
            ("━━━━", "how full the model's context is"),
        ),
    ),
)

KEY_CELLS = 22

_COMMANDS = tuple((command.usage, f"{command.title} · {command.meaning}") for command in COMMANDS)


class KeyTable(Widget):
    """Keys and what they do, in two columns; what takes more than a line stays in its column."""

    def __init__(self, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._keys = keys

    def render(self) -> Content:
        """Draw the rows as wide as there is room."""
        return Content("\n").join(self._lines(self.content_size.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the rows take."""
        return len(self._lines(width))

    def _lines(self, width: int) -> list[Content]:
        room = max(width - KEY_CELLS, 1)
        return [line for key, meaning in self._keys for line in _row(key, wrap(meaning, room))]


class HelpScreen(ModalScreen[None]):
    """Lists the keys."""

    CSS_PATH = "../dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,question_mark,enter,q", "leave", "Back")]

    def __init__(self, settings: ScreenSettings) -> None:
        super().__init__()
        self._settings = settings

    def compose(self) -> ComposeResult:
        """Lay out the sections."""
        with VerticalScroll(classes="dialog", id="help"):
            yield Static("Help", classes="dialog-title")
            for title, keys in (("Writing", writing_keys(self._settings)), *KEYS, ("Commands", _COMMANDS)):
                yield Static(Content.styled(title, "bold $accent"))
                yield KeyTable(keys)
            yield Static("Esc goes back", classes="dialog-hint")

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss()


def _row(key: str, lines: Sequence[str]) -> list[Content]:
    keys = [key, *("" for _ in lines[1:])]
    return [
        Content.assemble((told.ljust(KEY_CELLS), "$primary"), (line, "$foreground"))
        for told, line in zip(keys, lines, strict=True)
    ]
