"""The pane that shows what was recalled for the answer."""

from collections.abc import Sequence

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
    "● was shown to the model\n○ was found, but left out"
)
NOTHING = "Nothing that is remembered bears on this."

WORDS = {Source.FACT: "fact", Source.EPISODE: "episode", Source.PROCEDURE: "how to", Source.TURN: "said"}
TIERS = {
    Tier.WORKING: "in this conversation",
    Tier.LEARNED: "among the memories",
    Tier.SAID: "among earlier words",
}


class RecalledPane(VerticalScroll):
    """Recalled memories and turns, best first."""

    def compose(self) -> ComposeResult:
        """Lay out the title and, until there is something, what will be here."""
        yield Static("Recalled for this answer", classes="pane-title")
        yield Static(EMPTY, id="recalled", classes="pane-empty", markup=False)

    def show(self, items: Sequence[Recalled], error: str | None = None, tier: Tier | None = None) -> None:
        """Show what was recalled and where the best of it lay, or why nothing could be."""
        body = self.query_one("#recalled", Static)
        body.set_class(not items, "pane-empty")
        if error:
            body.update(Content.styled(error, "$text-warning"))
        elif not items:
            body.update(Content(NOTHING))
        else:
            used = sum(item.injected for item in items)
            where = f"best {TIERS[tier]}; " if tier else ""
            shown = f"{where}{used} of {counted(len(items), 'item')} shown to the model"
            summary = Content.styled(shown, "$foreground-muted")
            body.update(Content("\n\n").join([summary, *map(_item, items)]))
        self.scroll_home(animate=False)

    def reset(self) -> None:
        """Go back to saying what will be here."""
        body = self.query_one("#recalled", Static)
        body.set_class(True, "pane-empty")
        body.update(Content(EMPTY))


def _item(item: Recalled) -> Content:
    kind = WORDS[item.source]
    by = f" by {item.speaker}" if item.source is Source.TURN and item.speaker else ""
    score = f" · {item.score:.2f}" if item.score else ""
    return Content.assemble(
        ("● " if item.injected else "○ ", "$accent" if item.injected else "$foreground-muted"),
        (kind + by, "$accent" if item.injected else "$foreground-muted"),
        (f" · {short_date(item.said_at)}{score}", "$foreground-muted"),
        "\n",
        (shortened(item.text, TEXT_LENGTH), "$foreground" if item.injected else "$foreground-muted"),
    )
