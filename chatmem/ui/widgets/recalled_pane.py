"""The pane that shows what was recalled for the answer."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from chatmem.domain.recall import Recalled, Tier
from chatmem.domain.turn import TurnId
from chatmem.ui.widgets.citation_calls import CitationOpened, ForgetAsked, SourceAsked
from chatmem.ui.widgets.citation_words import GROUPS, TIERS, group_of, headline, mark_of, wording
from chatmem.ui.wording import counted

EMPTY = (
    "What chatmem remembers that bears on your words will be listed here, with each answer.\n\n"
    "● was shown to the model\n✓ and the answer used it\n○ was found, but left out\n\n"
    "Tab comes here: Enter opens one, s goes to the words it rests on, + and - tell what was of use."
)
NOTHING = "Nothing that is remembered bears on this."


class RecalledPane(VerticalScroll):
    """Recalled memories and turns, best first; used, shown and only found apart.

    While it has the focus, each can be opened, followed to its source, forgotten, and marked as of use, or of none.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "step(1)", "Next item", key_display="↓"),
        Binding("up,k", "step(-1)", "Item before", show=False),
        Binding("enter", "open", "Open"),
        Binding("s", "source", "Source"),
        Binding("f", "forget", "Forget"),
        Binding("+", "mark(True)", "Of use", key_display="+"),
        Binding("-", "mark(False)", "Of no use", key_display="-"),
        Binding("escape", "leave", "Back", key_display="Esc"),
    ]

    class Marked(Message):
        """The person says of an item whether it was of use."""

        def __init__(self, turn_id: TurnId, item_id: str, *, used: bool) -> None:
            self.turn_id = turn_id
            self.item_id = item_id
            self.used = used
            super().__init__()

    class Left(Message):
        """The person goes back to the prompt."""

    def __init__(self) -> None:
        super().__init__()
        self._question: TurnId | None = None
        self._selected: int | None = None
        self._items: tuple[Recalled, ...] = ()
        self._tier: Tier | None = None

    def compose(self) -> ComposeResult:
        """Lay out the title and, until there is something, what will be here."""
        yield Static("Recalled for this answer", classes="pane-title")
        yield Static(EMPTY, id="recalled", classes="pane-empty", markup=False)

    def show(self, items: Sequence[Recalled], error: str | None = None, tier: Tier | None = None) -> None:
        """Show what was recalled and where the best of it lay, or why nothing could be."""
        self._items, self._tier = _grouped(items), tier
        self._question, self._selected = None, None
        body = self.query_one("#recalled", Static)
        body.set_class(not items, "pane-empty")
        body.update(Content.styled(error, "$text-warning") if error else self._content())
        self.scroll_home(animate=False)

    def show_used(self, question: TurnId | None, ids: Collection[str]) -> None:
        """Mark what the answer to a question used of that which is shown, and let the person say otherwise."""
        self._question = question
        self._rearrange([replace(item, used=item.id in ids) for item in self._items])

    def on_focus(self) -> None:
        """Select the first item."""
        self.action_step(1)

    def on_blur(self) -> None:
        """Select none."""
        self._selected = None
        self._draw()

    def action_step(self, by: int) -> None:
        """Select the next item, or the one before."""
        if self._items:
            last = len(self._items) - 1
            self._selected = min(last, max(0, (-1 if self._selected is None else self._selected) + by))
            self._draw()

    def action_mark(self, used: bool) -> None:
        """Say whether the selected item was of use."""
        item = self._item
        if item is None or self._question is None:
            return
        self._rearrange([replace(one, used=used) if one is item else one for one in self._items])
        self.post_message(self.Marked(self._question, item.id, used=used))

    def action_open(self) -> None:
        """Ask for the selected item to be opened."""
        if item := self._item:
            self.post_message(CitationOpened(item))

    def action_source(self) -> None:
        """Ask for the words that the selected item rests on."""
        if item := self._item:
            self.post_message(SourceAsked(item))

    def action_forget(self) -> None:
        """Ask for the selected item to be forgotten."""
        if item := self._item:
            self.post_message(ForgetAsked(item))

    def action_leave(self) -> None:
        """Go back to the prompt."""
        self.post_message(self.Left())

    def reset(self) -> None:
        """Go back to saying what will be here."""
        self._items, self._question, self._selected = (), None, None
        body = self.query_one("#recalled", Static)
        body.set_class(True, "pane-empty")
        body.update(Content(EMPTY))

    @property
    def _item(self) -> Recalled | None:
        return None if self._selected is None else self._items[self._selected]

    def _rearrange(self, items: Sequence[Recalled]) -> None:
        """Show the same items as they are marked now; the selection stays on its item."""
        selected = self._item.id if self._item else None
        self._items = _grouped(items)
        self._selected = next((at for at, item in enumerate(self._items) if item.id == selected), None)
        self._draw()

    def _draw(self) -> None:
        """Draw the items anew, with the selected one in view."""
        body = self.query_one("#recalled", Static)
        if self._items:
            body.update(self._content())
        if self._selected is not None:
            # Items are about as high as one another, and fewer than fill the pane stand around the middle.
            place = (self._selected + 0.5) / len(self._items) * body.size.height
            self.scroll_to(y=place - self.size.height / 2, animate=False)

    def _content(self) -> Content:
        if not self._items:
            return Content(NOTHING)
        injected = sum(item.injected for item in self._items)
        where = f"Best {TIERS[self._tier]}. " if self._tier else ""
        summary = f"{where}{injected} of {counted(len(self._items), 'item')} shown to the model"
        return Content("\n\n").join([Content.styled(summary, "$foreground-muted"), *self._lines()])

    def _lines(self) -> Iterator[Content]:
        selected = self._item if self.has_focus else None
        for mark, group in groupby(self._items, key=mark_of):
            members = list(group)
            yield Content.styled(f"{GROUPS[mark]}: {len(members)}", "bold")
            for item in members:
                yield _row(item, selected=item is selected)


def _grouped(items: Sequence[Recalled]) -> tuple[Recalled, ...]:
    """What was used, what else was shown, and what was only found; each in its order."""
    return tuple(sorted(items, key=group_of))


def _row(item: Recalled, *, selected: bool) -> Content:
    row = Content.assemble(headline(item), "\n", wording(item))
    return row.stylize("reverse") if selected else row
