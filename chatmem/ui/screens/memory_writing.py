"""The dialogs in which a person writes memories: one anew, one in other words, one of several, several of one."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, RadioButton, RadioSet, Static, TextArea

from chatmem.domain.memory import Kind, Memory
from chatmem.domain.text import clean, sentences
from chatmem.ui.widgets.memory_calls import tried
from chatmem.ui.widgets.memory_words import MARKS

MEANING = {
    Kind.FACT: "holds until something newer is learned",
    Kind.EPISODE: "happened once",
    Kind.PROCEDURE: "how to answer, always in view of the model",
}

MUTED = "$foreground-muted"
SHOWN = 12
"""Memories that are listed in a dialog; more are only counted."""

WHAT_WRONG_DOES = """\
It leaves recall and stays readable; what rests on it is to be checked. F9 in the chat takes it back.
With a tombstone it is not learned again either, in these or other words."""

Save = Callable[[str, Kind, str], Memory]
"""Stores a text as a memory of a kind and a slot (empty for none); blocks, and raises a `ChatMemError`."""


class WriteDialog(ModalScreen[Memory | None]):
    """Lets the person write a memory, or change one; gives the memory as it was saved, `None` if it was not."""

    CSS_PATH = "memory.tcss"
    AUTO_FOCUS = "TextArea"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "Save"),
        Binding("escape", "cancel", "Cancel"),
    ]

    def __init__(self, save: Save, memory: Memory | None = None) -> None:
        """Open the dialog.

        Args:
            save: Stores what was written.
            memory: The memory to change; `None` to write a new one.
        """
        super().__init__()
        self._save = save
        self._memory = memory

    def compose(self) -> ComposeResult:
        """Lay out the text, the kind and the slot."""
        memory = self._memory
        with Vertical(classes="memory-dialog"):
            yield Static("Edit memory" if memory else "Add a memory", classes="title")
            yield TextArea(clean(memory.text) if memory else "", soft_wrap=True, compact=True)
            with RadioSet(compact=True):
                chosen = memory.kind if memory else Kind.FACT
                for kind in Kind:
                    yield RadioButton(f"{kind.word.capitalize()}: {MEANING[kind]}", value=kind is chosen)
            yield Input(
                clean(memory.slot or "") if memory else "",
                placeholder="What it is about, where that has a name: home, diet, name …",
                compact=True,
                id="slot",
            )
            with Horizontal(classes="buttons"):
                yield Button("Save  ^s", variant="primary", id="save", compact=True)
                yield Button("Cancel  esc", id="cancel", compact=True)

    def on_mount(self) -> None:
        """Put the cursor behind the text."""
        text = self.query_one(TextArea)
        text.move_cursor(text.document.end)

    @on(Button.Pressed, "#save")
    @on(Input.Submitted)
    def action_save(self) -> None:
        """Save, and close if that went well."""
        kind = list(Kind)[max(0, self.query_one(RadioSet).pressed_index)]
        self._try_to_save(self.query_one(TextArea).text, kind, self.query_one(Input).value)

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        """Close without saving."""
        self.dismiss(None)

    @work(exclusive=True, group="save")
    async def _try_to_save(self, text: str, kind: Kind, slot: str) -> None:
        if memory := await tried(self, lambda: self._save(text, kind, slot)):
            self.dismiss(memory)


class ReshapeDialog(ModalScreen[list[Memory] | None]):
    """Lets the person merge memories into one, or split one into several; gives what came of it, `None` for nothing.

    Args:
        title: What is done.
        memories: What it is done to.
        text: What is in the text area at first; when several are made, a line each.
        hint: How to write it.
        save: Does it with what was written; blocks, and raises a `ChatMemError`.
    """

    CSS_PATH = "memory.tcss"
    AUTO_FOCUS = "TextArea"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "Save"),
        Binding("escape", "cancel", "Cancel"),
    ]

    def __init__(
        self, title: str, memories: Sequence[Memory], text: str, *, hint: str, save: Callable[[str], list[Memory]]
    ) -> None:
        super().__init__()
        self._title = title
        self._memories = memories
        self._text = text
        self._hint = hint
        self._save = save

    def compose(self) -> ComposeResult:
        """Lay out what there is, and the text."""
        with Vertical(classes="memory-dialog"):
            yield Static(self._title, classes="title", markup=False)
            yield Static(listing(self._memories), classes="listed", markup=False)
            yield Static(self._hint, classes="hint", markup=False)
            yield TextArea(self._text, soft_wrap=True, compact=True)
            with Horizontal(classes="buttons"):
                yield Button("Save  ^s", variant="primary", id="save", compact=True)
                yield Button("Cancel  esc", id="cancel", compact=True)

    def on_mount(self) -> None:
        """Put the cursor behind the text."""
        text = self.query_one(TextArea)
        text.move_cursor(text.document.end)

    @on(Button.Pressed, "#save")
    def action_save(self) -> None:
        """Save, and close if that went well."""
        self._try_to_save(self.query_one(TextArea).text)

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        """Close, and change nothing."""
        self.dismiss(None)

    @work(exclusive=True, group="save")
    async def _try_to_save(self, text: str) -> None:
        if made := await tried(self, lambda: self._save(text)):
            self.dismiss(made)


class WrongDialog(ModalScreen[bool | None]):
    """Asks whether what is wrong may be learned again; gives whether a tombstone is wanted, `None` to leave it be.

    Args:
        memories: What is called wrong.
    """

    CSS_PATH = "memory.tcss"
    AUTO_FOCUS = "#once"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "answer(False)", "Wrong"),
        Binding("n", "answer(True)", "Wrong, and never again"),
        Binding("escape", "cancel", "Cancel"),
    ]

    def __init__(self, memories: Sequence[Memory]) -> None:
        super().__init__()
        self._memories = memories

    def compose(self) -> ComposeResult:
        """Lay out what is called wrong, and the ways to do so."""
        with Vertical(classes="memory-dialog"):
            yield Static("Call this wrong?", classes="title")
            yield Static(listing(self._memories), classes="listed", markup=False)
            yield Static(
                WHAT_WRONG_DOES,
                classes="hint",
            )
            with Horizontal(classes="buttons"):
                yield Button("Wrong  w", variant="primary", id="once", compact=True)
                yield Button("Wrong, leave a tombstone  n", id="never", compact=True)
                yield Button("Cancel  esc", id="cancel", compact=True)

    def action_answer(self, bar_it: bool) -> None:
        """Close with the answer."""
        self.dismiss(bar_it)

    def action_cancel(self) -> None:
        """Close, and change nothing."""
        self.dismiss(None)

    @on(Button.Pressed)
    def _press(self, event: Button.Pressed) -> None:
        self.dismiss({"once": False, "never": True}.get(event.button.id or ""))


def listing(memories: Sequence[Memory]) -> Content:
    """Memories, a line each."""
    lines = [f"{MARKS[memory.kind]} {clean(memory.text)}" for memory in memories[:SHOWN]]
    if (more := len(memories) - SHOWN) > 0:
        lines.append(f"… and {more:,} more")
    return Content("\n".join(lines))


def parts_of(text: str) -> str:
    """A text as it may be split, a line each: by its sentences or, where it is one, at the word that joins two."""
    found = [" ".join(one.split()) for one in sentences(clean(text)) if one.strip()]
    if len(found) == 1:
        head, joint, tail = clean(text).partition(" and ")
        found = [head.strip(), tail.strip()] if joint else found
    return "\n".join(found)
