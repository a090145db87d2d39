"""What the memory list shows: found in the store, or ranked by recall."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from chatmem.domain.memory import Kind, Memory, MemoryId, Status
from chatmem.domain.recall import Recalled
from chatmem.domain.text import clean, shortened
from chatmem.ports.memory_store import MemoryFilter, MemoryStore
from chatmem.recall.recall import Recall
from chatmem.ui.widgets.memory_words import memories

SEARCHED = 100
"""Most that a search shows; recall takes no more candidates than that."""

TEXT_LENGTH = 300
"""Wider than any terminal; a row holds no more, so that 100,000 rows stay small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryQuery:
    """What the person asked the list to show; `None` takes all."""

    text: str = ""
    kind: Kind | None = None
    status: Status | None = None
    pinned: bool | None = None

    @property
    def narrowed(self) -> bool:
        """Whether a filter leaves something out."""
        return (self.kind, self.status, self.pinned) != (None, None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRow:
    """One memory as the list shows it.

    Attributes:
        text: On one line, cut to `TEXT_LENGTH`.
        score: Its rank value in a search; `None` outside one.
        parts: The terms of the score, by name.
    """

    id: MemoryId
    kind: Kind
    status: Status
    pinned: bool
    text: str
    created_at: datetime
    score: float | None = None
    parts: tuple[tuple[str, float], ...] = ()


def find_rows(store: MemoryStore, recall: Recall, query: MemoryQuery, *, limit: int) -> list[MemoryRow]:
    """At most `limit` memories of a query: the newest first, or as recall ranks them where it has a text. Blocks.

    Raises:
        StoreError: If the store could not be read.
    """
    if query.text.strip():
        return _searched(store, recall, query)
    where = MemoryFilter(kind=query.kind, status=query.status, pinned=query.pinned)
    return [_row(memory) for memory in store.select(where, limit=limit)]


def _searched(store: MemoryStore, recall: Recall, query: MemoryQuery) -> list[MemoryRow]:
    found = recall.search(query.text, limit=SEARCHED, kind=query.kind)
    there = {memory.id: memory for memory in store.get([MemoryId(item.id) for item in found])}
    rows = [_row(there[MemoryId(item.id)], item) for item in found if item.id in there]
    return [row for row in rows if query.status in {None, row.status} and query.pinned in {None, row.pinned}]


def _row(memory: Memory, found: Recalled | None = None) -> MemoryRow:
    return MemoryRow(
        id=memory.id,
        kind=memory.kind,
        status=memory.status,
        pinned=memory.pinned,
        text=shortened(clean(memory.text[: 2 * TEXT_LENGTH]), TEXT_LENGTH),
        created_at=memory.created_at,
        score=found.score if found else None,
        parts=found.parts if found else (),
    )


def count_line(rows: Sequence[MemoryRow], query: MemoryQuery, *, whole: bool = True) -> str:
    """How many memories the list shows; `whole` says whether these are all."""
    if query.text.strip():
        return f"{len(rows)} found, best first"
    if not whole:
        return f"{memories(len(rows))} and more"
    statuses = Counter(row.status for row in rows)
    others = [f"{statuses[s]:,} {s.value}" for s in (Status.SUPERSEDED, Status.PENDING) if statuses[s]]
    return ", ".join([memories(len(rows)), *others])


def empty_text(query: MemoryQuery) -> str:
    """What an empty list says: why, and what to do."""
    if query.text.strip():
        filters = ", or widen the filters above" if query.narrowed else ""
        return f"Recall finds nothing for this. Search looks at active memories; try other words{filters}."
    if query.narrowed:
        return "No memory passes these filters. Click one, or press k, s or o, to change them."
    return (
        "Nothing is remembered yet.\n\nTalk with the model (Escape goes back): what you say about yourself is learned "
        "while you talk. Or press a to write a memory by hand."
    )
