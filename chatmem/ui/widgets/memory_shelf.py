"""The memories as the screen last read them, and what it finds among them."""

import threading
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from chatmem.domain.memory import MemoryId
from chatmem.domain.outline import Outline, outlined
from chatmem.domain.recall import Recalled
from chatmem.recall.browsing import arrange
from chatmem.recall.looking_back import looked_back
from chatmem.recall.use import Counts
from chatmem.ui.services import MemoryDesk
from chatmem.ui.widgets.memory_rows import MemoryQuery, MemoryRow, Rows, standing

SEARCHED = 100
"""Most that a search shows; recall takes no more candidates than that."""


@dataclass(slots=True, kw_only=True)
class _Read:
    """All memories and, once they were asked for, how often and when last each was used."""

    edition: int
    as_of: datetime | None
    outline: Outline
    counts: Counts | None = None


class Shelf:
    """Reads memories once, then sorts and filters them by itself. Methods block, and may be called from any thread."""

    def __init__(self, desk: MemoryDesk) -> None:
        self._desk = desk
        self._kept: _Read | None = None
        self._one_at_a_time = threading.Lock()
        self._tickets = count()
        self._newest = -1
        self._edition = 0

    def ticket(self) -> int:
        """A number for a search; whatever was asked with an older one is not looked for any more."""
        self._newest = next(self._tickets)
        return self._newest

    def outdate(self) -> None:
        """Have memories read anew at the next search, as they may have changed. Does not block."""
        self._edition += 1

    def find(self, query: MemoryQuery, ticket: int) -> Rows | None:
        """What a query asks for; `None` where another was asked meanwhile.

        Args:
            query: The query.
            ticket: Of this search.

        Raises:
            StoreError: If the store could not be read.
        """
        with self._one_at_a_time:
            if ticket != self._newest:
                return None
            edition = self._edition
            kept = self._kept
            if kept is None or (kept.edition, kept.as_of) != (edition, query.as_of):
                kept = self._kept = _Read(edition=edition, as_of=query.as_of, outline=self._outline(query.as_of))
            if query.wish.by_use and kept.counts is None:
                kept.counts = self._desk.journal.uses()
            found = self._searched(query) if query.searching else None
            now = self._desk.clock.now()
            places = arrange(kept.outline, query.wish, kept.counts or {}, now)
            if found is not None:
                places = _found_among(places, kept.outline, found, ranked=query.best_first)
            return Rows(
                query=query, outline=kept.outline, places=places, counts=kept.counts or {}, now=now, found=found
            )

    def standing(self, row: MemoryRow) -> str:
        """What speaks for a memory, in words.

        Raises:
            StoreError: If the journal could not be read.
        """
        uses = self._desk.journal.uses([row.id])
        return standing(row, uses, self._desk.clock.now())

    def _outline(self, as_of: datetime | None) -> Outline:
        if as_of is None:
            return self._desk.memories.outline()
        return outlined(looked_back(self._desk.journal, as_of))

    def _searched(self, query: MemoryQuery) -> dict[MemoryId, Recalled]:
        found = self._desk.recall.search(query.text, limit=SEARCHED, kind=query.wish.kind, as_of=query.as_of)
        return {MemoryId(item.id): item for item in found}


def _found_among(
    places: "array[int]", outline: Outline, found: Mapping[MemoryId, Recalled], *, ranked: bool
) -> "array[int]":
    """Those of the places whose memories were found, in their order or as they were ranked."""
    left = {outline.ids[place]: place for place in places if outline.ids[place] in found}
    return array("q", (left[id_] for id_ in found if id_ in left)) if ranked else array("q", left.values())
