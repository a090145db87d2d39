"""The list of what was recalled for an answer."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from chatmem.domain.recall import Recalled
from chatmem.ui.widgets.citation_calls import CitationOpened, ForgetAsked, SourceAsked
from chatmem.ui.widgets.citation_words import (
    GROUPS,
    MUTED,
    group_of,
    headline,
    mark_of,
    score_in_words,
    shared_in_words,
    wording,
)


class Citations(OptionList):
    """Citations in three groups: what the answer used, what else the model was shown, what was only found."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "source", "Source"),
        Binding("f", "forget", "Forget"),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 as Textual calls it
        super().__init__(id=id, markup=False, compact=True)
        self._items: dict[str, Recalled] = {}

    def show(self, rows: Sequence[tuple[Recalled, Sequence[str]]]) -> None:
        """List citations, those that the answer used first.

        Args:
            rows: Each with the words that the answer shares with it.
        """
        kept = self.highlighted_option.id if self.highlighted_option else None
        ordered = sorted(rows, key=lambda row: group_of(row[0]))
        self._items = {item.id: item for item, _ in ordered}
        self.clear_options()
        self.add_options(_options(ordered))
        if kept in self._items:
            self.highlighted = self.get_option_index(kept)

    def focus_first(self) -> None:
        """Put the cursor into the list."""
        self.focus()
        if self.highlighted is None:
            self.action_first()

    def action_source(self) -> None:
        """Ask for the words it rests on."""
        if item := self._item:
            self.post_message(SourceAsked(item))

    def action_forget(self) -> None:
        """Ask for it to be forgotten."""
        if item := self._item:
            self.post_message(ForgetAsked(item))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask for it to be opened."""
        event.stop()
        if event.option_id in self._items:
            self.post_message(CitationOpened(self._items[event.option_id]))

    @property
    def _item(self) -> Recalled | None:
        option = self.highlighted_option
        return self._items.get(option.id) if option and option.id else None


def _options(rows: Sequence[tuple[Recalled, Sequence[str]]]) -> Iterator[Option]:
    for mark, group in groupby(rows, key=lambda row: mark_of(row[0])):
        members = list(group)
        yield Option(Content.styled(f"{mark} {GROUPS[mark]}: {len(members)}", "bold"), disabled=True)
        for item, shared in members:
            yield Option(_row(item, shared), id=item.id)


def _row(item: Recalled, shared: Sequence[str]) -> Content:
    lines = [headline(item), wording(item)]
    lines += [Content.styled(said, MUTED) for said in (score_in_words(item.parts), shared_in_words(shared)) if said]
    return Content("\n").join(lines)
