"""A list of rows under headings, which stays where it was when its rows are read anew."""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

Item = TypeVar("Item")


class RowList(OptionList, Generic[Item]):
    """Shows items, one a line; headings are passed over.

    Args:
        id: As Textual has it.
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's own word
        super().__init__(id=id, markup=False, compact=True)
        self._items: dict[int, Item] = {}

    @property
    def item(self) -> Item | None:
        """The highlighted item."""
        return None if self.highlighted is None else self._items.get(self.highlighted)

    @property
    def items(self) -> Sequence[Item]:
        """All items, in the order in which they are shown."""
        return list(self._items.values())

    def fill(self, rows: Sequence[tuple[Content, Item | None]], keep: Item | None = None) -> None:
        """Replace all rows.

        Args:
            rows: What each shows, and the item it stands for; `None` for a heading.
            keep: The item to stay at; where it is gone, the place in the list is kept.
        """
        place = self.highlighted or 0
        self._items = {index: item for index, (_, item) in enumerate(rows) if item is not None}
        kept = next((index for index, item in self._items.items() if item == keep), place)
        self.clear_options()
        self.add_options([Option(shown, disabled=item is None) for shown, item in rows])
        self.highlighted = _nearest(self._items, kept)


def _nearest(places: Iterable[int], wanted: int) -> int | None:
    return min(places, key=lambda place: abs(place - wanted), default=None)
