"""The pane that shows what was recalled for the answer."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from chatmem.domain.recall import Recalled, Source, Tier
from chatmem.domain.text import shortened
from chatmem.ui.wording import counted, short_date

TEXT_LENGTH = 180

EMPTY = (
    "What chatmem remembers that bears on your words will be listed here, with each answer.\n\n"
    "● was shown to the model\n✓ and the answer used it\n○ was found, but left out"
)
NOTHING = "Nothing that is remembered bears on this."

WORDS = {
    Source.FACT: "fact",
    Source.EPISODE: "episode",
    Source.PROCEDURE: "how to",
    Source.TURN: "said",
    Source.SUMMARY: "summary",
}
TIERS = {
    Tier.WORKING: "in this conversation",
    Tier.LEARNED: "among the memories",
    Tier.SAID: "among earlier words",
}


class RecalledPane(VerticalScroll):
    """Recalled memories and turns, best first."""

    def __init__(self) -> None:
        super().__init__()
        self._items: tuple[Recalled, ...] = ()
        self._tier: Tier | None = None

    def compose(self) -> ComposeResult:
        """Lay out the title and, until there is something, what will be here."""
        yield Static("Recalled for this answer", classes="pane-title")
        yield Static(EMPTY, id="recalled", classes="pane-empty", markup=False)

    def show(self, items: Sequence[Recalled], error: str | None = None, tier: Tier | None = None) -> None:
        """Show what was recalled and where the best of it lay, or why nothing could be."""
        self._items, self._tier = tuple(items), tier
        body = self.query_one("#recalled", Static)
        body.set_class(not items, "pane-empty")
        body.update(Content.styled(error, "$text-warning") if error else self._content())
        self.scroll_home(animate=False)

    def show_used(self, ids: Collection[str]) -> None:
        """Mark what the answer used of that which is shown."""
        self._items = tuple(replace(item, used=item.id in ids) for item in self._items)
        self.query_one("#recalled", Static).update(self._content())

    def reset(self) -> None:
        """Go back to saying what will be here."""
        body = self.query_one("#recalled", Static)
        body.set_class(True, "pane-empty")
        body.update(Content(EMPTY))

    def _content(self) -> Content:
        if not self._items:
            return Content(NOTHING)
        injected = sum(item.injected for item in self._items)
        where = f"Best {TIERS[self._tier]}. " if self._tier else ""
        summary = f"{where}{injected} of {counted(len(self._items), 'item')} shown to the model"
        return Content("\n\n").join([Content.styled(summary, "$foreground-muted"), *map(_item, self._items)])


def _mark(item: Recalled) -> str:
    if item.used:
        return "✓ "
    return "● " if item.injected else "○ "


def _item(item: Recalled) -> Content:
    kind = WORDS[item.source]
    by = f" by {item.speaker}" if item.source is Source.TURN and item.speaker else ""
    score = f" · {item.score:.2f}" if item.score else ""
    return Content.assemble(
        (_mark(item), "$accent" if item.injected else "$foreground-muted"),
        (kind + by, "$accent" if item.injected else "$foreground-muted"),
        (f" · {short_date(item.said_at)}{score}", "$foreground-muted"),
        "\n",
        (shortened(item.text, TEXT_LENGTH), "$foreground" if item.injected else "$foreground-muted"),
    )
