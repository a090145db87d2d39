"""Browsing memories without a question: which are listed, and in which order."""

from array import array
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from chatmem.domain.memory import Kind, MemoryId, Status
from chatmem.domain.outline import KINDS, STATUSES, Outline, microseconds
from chatmem.recall.retention import DAYS
from chatmem.recall.use import Counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

OFTEN = 5
"""Uses from which on a memory is used often."""

LOW, HIGH = 1 / 3, 2 / 3
"""Below the one a value is low, from the other on it is high."""

_DAY = 86_400 * 1_000_000


class Sort(StrEnum):
    """By what memories are ordered; what is alike comes the newest first."""

    TIME = "time"
    USE = "use"
    IMPORTANCE = "importance"
    RETENTION = "retention"
    KIND = "kind"
    SLOT = "slot"


class Age(StrEnum):
    """How long ago a memory was learned."""

    WEEK = "week"
    MONTH = "month"
    YEAR = "year"
    OLDER = "older"


class Use(StrEnum):
    """How often answers used a memory."""

    NEVER = "never"
    SOMETIMES = "sometimes"
    OFTEN = "often"


class Band(StrEnum):
    """Where a value of [0, 1] lies."""

    LOW = "low"
    MIDDLE = "middle"
    HIGH = "high"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Which memories to list, and in which order; `None` takes all.

    Attributes:
        sort: The newest, most used, most important, best retained first; kinds as they are declared, slots by name.
        backwards: The other way round.
        contested: Whether it contradicts another that holds, or is contradicted.
    """

    sort: Sort = Sort.TIME
    backwards: bool = False
    kind: Kind | None = None
    status: Status | None = None
    slot: str | None = None
    pinned: bool | None = None
    age: Age | None = None
    use: Use | None = None
    importance: Band | None = None
    retention: Band | None = None
    contested: bool | None = None

    @property
    def narrowed(self) -> bool:
        """Whether something is left out."""
        return replace(self, sort=Sort.TIME, backwards=False) != Wish()

    @property
    def by_use(self) -> bool:
        """Whether it matters how often memories were used."""
        return self.sort in {Sort.USE, Sort.RETENTION} or (self.use, self.retention) != (None, None)


def arrange(outline: Outline, wish: Wish, counts: Counts, now: datetime) -> "array[int]":
    """The places in the outline of the memories that are wished for, in order. Takes 20 ms for 100,000.

    Args:
        outline: All memories.
        wish: Which of them.
        counts: How often, and when last, each was used.
        now: The present.
    """
    import numpy as np

    columns = _Columns(outline, counts, now)
    places = np.flatnonzero(columns.passing(wish))
    if wish.sort is not Sort.TIME:
        places = places[np.argsort(columns.key(wish.sort, backwards=wish.backwards)[places], kind="stable")]
    elif wish.backwards:
        places = places[::-1]
    made = array("q")
    made.frombytes(places.astype("q").tobytes())
    return made


class _Columns:
    """The columns of an outline as numpy reads them, and what follows from them."""

    def __init__(self, outline: Outline, counts: Counts, now: datetime) -> None:
        self._outline = outline
        self._counts = counts
        self._now = microseconds(now)

    def passing(self, wish: Wish) -> "NDArray[Any]":
        """Whether each memory is wished for."""
        import numpy as np

        passing = np.ones(len(self._outline), dtype=np.bool_)
        for wanted, column, value in (
            (wish.kind, self._outline.kinds, KINDS.index(wish.kind) if wish.kind else -1),
            (wish.status, self._outline.statuses, STATUSES.index(wish.status) if wish.status else -1),
            (wish.slot, self._outline.slots, self._slot(wish.slot)),
            (wish.pinned, self._outline.pinned, bool(wish.pinned)),
        ):
            if wanted is not None:
                passing &= np.asarray(column) == value
        if wish.age is not None:
            passing &= self._aged(wish.age)
        if wish.use is not None:
            passing &= self._used(wish.use)
        if wish.importance is not None:
            passing &= _within(np.asarray(self._outline.importances), wish.importance)
        if wish.retention is not None:
            passing &= _within(self._retained(), wish.retention)
        if wish.contested is not None:
            passing &= self._contested() == wish.contested
        return passing

    def key(self, sort: Sort, *, backwards: bool) -> "NDArray[Any]":
        """Numbers by which memories are ordered, the smallest first."""
        import numpy as np

        match sort:
            case Sort.TIME:
                key = -np.asarray(self._outline.created)
            case Sort.USE:
                key = -self._uses()[0]
            case Sort.IMPORTANCE:
                key = -np.asarray(self._outline.importances)
            case Sort.RETENTION:
                key = -self._retained()
            case Sort.KIND:
                key = np.asarray(self._outline.kinds)
            case Sort.SLOT:
                slots = np.asarray(self._outline.slots)
                # What has none comes last, whichever way round.
                return np.where(slots < 0, len(self._outline.slot_names), -slots if backwards else slots)
        return -key if backwards else key

    def _slot(self, name: str | None) -> int:
        names = self._outline.slot_names
        return names.index(name) if name in names else len(names)

    def _aged(self, age: Age) -> "NDArray[Any]":
        import numpy as np

        days = (self._now - np.asarray(self._outline.created)) / _DAY
        match age:
            case Age.WEEK:
                return np.asarray(days <= 7)
            case Age.MONTH:
                return np.asarray(days <= 30)
            case Age.YEAR:
                return np.asarray(days <= 365)
            case Age.OLDER:
                return np.asarray(days > 365)

    def _used(self, use: Use) -> "NDArray[Any]":
        import numpy as np

        times, _ = self._uses()
        match use:
            case Use.NEVER:
                return np.asarray(times == 0)
            case Use.SOMETIMES:
                return np.asarray((times > 0) & (times < OFTEN))
            case Use.OFTEN:
                return np.asarray(times >= OFTEN)

    def _uses(self) -> "tuple[NDArray[Any], NDArray[Any]]":
        """How often each memory was used; and when it was last used or, if it never was, told."""
        import numpy as np

        times, last = np.zeros(len(self._outline), dtype=np.int64), np.array(self._outline.told, dtype=np.int64)
        if self._counts:
            place = self._places()
            for id_, (count, at) in self._counts.items():
                if (found := place.get(id_)) is not None:
                    times[found], last[found] = count, max(last[found], microseconds(at))
        return times, last

    def _retained(self) -> "NDArray[Any]":
        """As `retention` has it."""
        import numpy as np

        times, last = self._uses()
        days = np.maximum(0, self._now - last) / _DAY
        return np.where(np.asarray(self._outline.pinned) == 1, 1.0, np.exp(-days / (DAYS * (1.0 + times))))

    def _contested(self) -> "NDArray[Any]":
        import numpy as np

        outline, place = self._outline, self._places()
        found = np.zeros(len(outline), dtype=np.bool_)
        for new, old in outline.contradictions:
            at, other = place[new], place.get(old)
            standing = outline.status(at) in {Status.ACTIVE, Status.PENDING}
            if standing and other is not None and outline.status(other) is Status.ACTIVE:
                found[[at, other]] = True
        return found

    def _places(self) -> dict[MemoryId, int]:
        return {id_: at for at, id_ in enumerate(self._outline.ids)}


def _within(values: "NDArray[Any]", band: Band) -> "NDArray[Any]":
    import numpy as np

    match band:
        case Band.LOW:
            return np.asarray(values < LOW)
        case Band.MIDDLE:
            return np.asarray((values >= LOW) & (values < HIGH))
        case Band.HIGH:
            return np.asarray(values >= HIGH)
