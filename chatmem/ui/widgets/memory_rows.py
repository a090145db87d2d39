"""What the memory list shows: rows that are made when they are drawn, so that 100,000 of them take no time."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import overload

from chatmem.domain.memory import Kind, MemoryId, Status
from chatmem.domain.outline import STATUSES, Outline, moment
from chatmem.domain.recall import Recalled
from chatmem.domain.text import clean, shortened
from chatmem.recall.browsing import Sort, Wish
from chatmem.recall.retention import retention
from chatmem.recall.terms import age_days
from chatmem.recall.use import Counts
from chatmem.ui.widgets.memory_words import day, memories
from chatmem.ui.wording import counted

TEXT_LENGTH = 300
"""Wider than any terminal."""

SLOT_WIDTH, VALUE_WIDTH = 14, 7


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryQuery:
    """What the person asked the list to show.

    Attributes:
        as_of: The moment to look back to; `None` for the present.
    """

    text: str = ""
    as_of: datetime | None = None
    wish: Wish = field(default_factory=Wish)

    @property
    def searching(self) -> bool:
        """Whether recall is asked."""
        return bool(self.text.strip())

    @property
    def best_first(self) -> bool:
        """Whether the ranking of recall is the order."""
        return self.searching and self.wish.sort is Sort.TIME and not self.wish.backwards


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRow:
    """One memory as the list shows it.

    Attributes:
        text: On one line, cut to `TEXT_LENGTH`.
        told_at: When the words that it rests on were last said.
        score: Its rank value in a search; `None` outside one.
        parts: The terms of the score, by name.
    """

    id: MemoryId
    kind: Kind
    status: Status
    pinned: bool
    text: str
    created_at: datetime
    told_at: datetime
    slot: str | None
    importance: float
    score: float | None = None
    parts: tuple[tuple[str, float], ...] = ()


class Rows(Sequence[MemoryRow]):
    """The memories that the list shows, in order.

    Attributes:
        query: What was asked for.
        outline: All memories, shown or not.
    """

    def __init__(
        self,
        *,
        query: MemoryQuery,
        outline: Outline,
        places: "array[int]",
        counts: Counts,
        now: datetime,
        found: Mapping[MemoryId, Recalled] | None = None,
    ) -> None:
        """Keep what rows are made of.

        Args:
            query: What was asked for.
            outline: All memories.
            places: Those to show, by their places in the outline, in order.
            counts: How often, and when last, each memory was used.
            now: When this was read.
            found: What recall found, by id.
        """
        self.query = query
        self.outline = outline
        self._places = places
        self._counts = counts
        self._now = now
        self._found = found or {}

    def __len__(self) -> int:
        """Number of rows."""
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> MemoryRow: ...
    @overload
    def __getitem__(self, at: slice) -> list[MemoryRow]: ...
    def __getitem__(self, at: int | slice) -> MemoryRow | list[MemoryRow]:
        """One row, or some, made now."""
        if isinstance(at, slice):
            return [self._row(place) for place in self._places[at]]
        return self._row(self._places[at])

    def id(self, at: int) -> MemoryId:
        """The memory of a row."""
        return self.outline.ids[self._places[at]]

    @property
    def ids(self) -> list[MemoryId]:
        """The memories of all rows, in order."""
        return [self.outline.ids[place] for place in self._places]

    def place_of(self, id_: MemoryId) -> int | None:
        """The row of a memory; `None` where it is not shown."""
        try:
            return self._places.index(self.outline.ids.index(id_))
        except ValueError:
            return None

    @property
    def value_width(self) -> int:
        """Cells of what the rows are ordered by; 0 where it is shown anyway."""
        if self.query.best_first:
            return VALUE_WIDTH
        if self.query.wish.sort is Sort.SLOT:
            return SLOT_WIDTH
        return VALUE_WIDTH if self.query.wish.sort in {Sort.USE, Sort.IMPORTANCE, Sort.RETENTION} else 0

    def value(self, row: MemoryRow) -> str:
        """What a row is ordered by, in words; empty where it is shown anyway."""
        if self.query.best_first:
            return "" if row.score is None else f"{row.score:+.2f}"
        match self.query.wish.sort:
            case Sort.USE:
                return f"{self._counts[row.id][0]:,} ×" if row.id in self._counts else "never"  # noqa: RUF001 times
            case Sort.IMPORTANCE:
                return f"{row.importance:.2f}"
            case Sort.RETENTION:
                return f"{left(row, self._counts, self._now):.0%}"
            case Sort.SLOT:
                return row.slot or "no slot"
            case _:
                return ""

    def _row(self, place: int) -> MemoryRow:
        outline, id_ = self.outline, self.outline.ids[place]
        item = self._found.get(id_)
        return MemoryRow(
            id=id_,
            kind=outline.kind(place),
            status=outline.status(place),
            pinned=bool(outline.pinned[place]),
            text=shortened(clean(outline.texts[place][: 2 * TEXT_LENGTH]), TEXT_LENGTH),
            created_at=moment(outline.created[place]),
            told_at=moment(outline.told[place]),
            slot=outline.slot(place),
            importance=outline.importances[place],
            score=item.score if item else None,
            parts=item.parts if item else (),
        )


def count_line(rows: Rows, marked: int = 0) -> str:
    """How many memories the list shows, and how many are marked."""
    shown = f"{marked:,} marked of " if marked else ""
    if rows.query.as_of is not None:
        shown = f"as of {day(rows.query.as_of)}: {shown}"
    if rows.query.searching:
        return f"{shown}{len(rows)} found"
    everything = len(rows.outline)
    if rows.query.wish.narrowed:
        return f"{shown}{len(rows):,} of {memories(everything)}"
    if marked:
        return shown + memories(everything)
    numbers = {status: rows.outline.statuses.count(STATUSES.index(status)) for status in Status}
    others = [f"{numbers[s]:,} {s.value}" for s in (Status.SUPERSEDED, Status.PENDING) if numbers[s]]
    return shown + ", ".join([memories(everything), *others])


def standing(row: MemoryRow, counts: Counts, now: datetime) -> str:
    """What speaks for a memory: the parts of its score in a search, else what keeps it."""
    if row.score is not None:
        parts = " ".join(f"{name} {value:+.2f}" for name, value in row.parts)
        return f"Score {row.score:+.2f} = {parts}"
    uses, _ = counts.get(row.id, (0, now))
    used = f"used {counted(uses, 'time')}" if uses else "never used"
    kept = "pinned, does not fade" if row.pinned else f"retention {left(row, counts, now):.0%}"
    return f"Importance {row.importance:.2f} · {used} · {kept}" + (f" · {clean(row.slot)}" if row.slot else "")


def left(row: MemoryRow, counts: Counts, now: datetime) -> float:
    """How much of a memory is left, (0, 1]."""
    uses, last = counts.get(row.id, (0, row.told_at))
    return retention(age_days(max(last, row.told_at), now), uses, pinned=row.pinned)


def empty_text(query: MemoryQuery) -> str:
    """What an empty list says: why, and what to do."""
    if query.as_of is not None:
        return "Nothing was known that held on this day.\n\nPress d and Enter to come back to the present."
    if query.searching:
        filters = " Or press x: the filters above leave memories out." if query.wish.narrowed else ""
        return f"Recall finds nothing for this. It looks at what holds, or held; try other words.{filters}"
    if query.wish.narrowed:
        return "No memory passes these filters.\n\nPress x to clear them, or v to choose others."
    return (
        "Nothing is remembered yet.\n\nTalk with the model (Escape goes back): what you say about yourself is learned "
        "while you talk. Or press n to write a memory by hand."
    )
