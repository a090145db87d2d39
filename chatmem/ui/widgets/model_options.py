"""Models as rows of a list."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from textual.content import Content
from textual.widgets.option_list import Option

from chatmem.conversation import Listed
from chatmem.domain.model import ModelFacts
from chatmem.ui.widgets.model_search import found

MOST_FOUND = 50
"""Rows of a search that are shown; the rest is found by typing on."""

LAST_USED = "Last used"

LEGEND = "T calls tools · V looks at pictures · R thinks before it answers"

WIDEST_NAME, NARROWEST_NAME = 56, 24
CONTEXT_CELLS, PRICE_CELLS, MARK_CELLS, NOTE_CELLS = 7, 15, 5, 24

MUTED = "$foreground-muted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which columns there is room for; those that tell least drop out first.

    Attributes:
        name: Cells for the name, with the mark of the current one.
        note: Whether notes are shown.
    """

    name: int
    context: bool
    price: bool
    marks: bool
    note: bool

    @classmethod
    def fitting(cls, models: Sequence[Listed], width: int) -> "Columns":
        """The columns for a list that is so many cells wide."""
        longest = min(WIDEST_NAME, max((len(model.choice.name) for model in models), default=0)) + 2
        name = max(NARROWEST_NAME, min(longest, width - CONTEXT_CELLS - PRICE_CELLS - MARK_CELLS))
        left = width - name
        shown = []
        for cells in (CONTEXT_CELLS, PRICE_CELLS, MARK_CELLS, NOTE_CELLS):
            shown.append(left >= cells)
            left -= cells if left >= cells else 0
        context, price, marks, note = shown
        return cls(name=name, context=context, price=price, marks=marks, note=note)

    def heading(self) -> Content:
        """The names of the columns, over the rows."""
        cells = [" " * self.name]
        if self.context:
            cells.append("context".rjust(CONTEXT_CELLS))
        if self.price:
            cells.append("$/M in, out".rjust(PRICE_CELLS))
        return Content.styled("".join(cells), MUTED)

    def row(self, model: Listed, current: str, note: str) -> Content:
        """One model."""
        facts = model.facts or ModelFacts()
        cells = ""
        if self.context:
            cells += context(facts.context_tokens).rjust(CONTEXT_CELLS)
        if self.price:
            cells += prices(facts).rjust(PRICE_CELLS)
        if self.marks:
            cells += "  " + marks(facts)
        about = f"  {note}" if note and note != model.choice.name and self.note else ""
        mark = "● " if model.choice.name == current else "  "
        name = _cut(model.choice.name, self.name - 2).ljust(self.name - 2)
        return Content.assemble((mark, "$accent"), (name, "$foreground"), (cells, MUTED), (about, MUTED))


def grouped(models: Sequence[Listed], current: str, columns: Columns) -> list[Option]:
    """A row for each model under its provider, those last used first; a row's id is its place in `models`."""
    options: list[Option] = []
    for heading, run in groupby(enumerate(models), key=lambda numbered: _heading(numbered[1])):
        group = list(run)
        notes = {model.note for _, model in group}
        shared = next(iter(notes)) if len(notes) == 1 and len(group) > 1 else ""
        options.append(Option(Content.assemble((heading, f"bold {MUTED}"), (f"  {shared}", MUTED)), disabled=True))
        options += [
            Option(columns.row(model, current, note="" if shared else model.note), id=str(number))
            for number, model in group
        ]
    return options


def matching(models: Sequence[Listed], query: str, current: str, columns: Columns) -> list[Option]:
    """A row for each model that a query finds, best first, up to `MOST_FOUND`."""
    places = found(models, query)
    rows = [
        Option(columns.row(models[place], current, models[place].note), id=str(place)) for place in places[:MOST_FOUND]
    ]
    if len(places) > MOST_FOUND:
        more = f"  and {len(places) - MOST_FOUND} more: type on"
        rows.append(Option(Content.styled(more, MUTED), disabled=True))
    return rows


def told(model: Listed) -> str:
    """All that is known of a model, in a line: what has no room in its row is here."""
    facts = model.facts or ModelFacts()
    parts = [model.choice.name, model.choice.model, model.note]
    if facts.context_tokens:
        parts.append(f"{facts.context_tokens:,} tokens of context")
    if price := prices(facts):
        parts.append("free of charge" if price == FREE else f"${price.replace(' / ', ' in, $')} out per million tokens")
    able = (("tools", facts.tools), ("pictures", facts.vision), ("thinks first", facts.reasoning))
    parts.append(", ".join(name for name, has in able if has))
    return " · ".join(dict.fromkeys(part for part in parts if part))


FREE = "free"


def context(tokens: int | None) -> str:
    """The size of a context in a few characters, `8k`, `128k`, `1M`; empty where it is not known."""
    if tokens is None:
        return ""
    return f"{tokens / 1e6:.3g}M" if tokens >= 1_000_000 else f"{tokens // 1000}k" if tokens >= 1000 else str(tokens)


def prices(facts: ModelFacts) -> str:
    """Dollars for a million tokens of prompt and of reply; empty where they are not known."""
    if facts.prompt_usd is None or facts.completion_usd is None:
        return ""
    if not facts.prompt_usd and not facts.completion_usd:
        return FREE
    return f"{facts.prompt_usd:.2f} / {facts.completion_usd:.2f}"


def marks(facts: ModelFacts) -> str:
    """A letter for each thing that a model can do, each in its own cell."""
    return "".join(
        letter if able else "·" if able is False else " "
        for letter, able in (("T", facts.tools), ("V", facts.vision), ("R", facts.reasoning))
    )


def _heading(model: Listed) -> str:
    return LAST_USED if model.used else model.provider or model.origin.value.capitalize()


def _cut(name: str, cells: int) -> str:
    return name if len(name) <= cells else f"{name[: cells - 1]}…"
