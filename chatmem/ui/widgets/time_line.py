"""When a memory was said and learned, when it held, and when what it tells of happened: drawn on one scale."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from chatmem.domain.memory import Memory, Status

LEAST_TRACK = 8
LABEL_WIDTH = 10
MOMENT = "◆"
MUTED, POINT, SPAN = "$foreground-muted", "$text-accent", "$text-primary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A row of the time line.

    Attributes:
        label: What was then.
        starts: The moments at which something was; the first is where a span begins.
        end: Until when a span lasted; `None` for moments.
        goes_on: Whether it lasts.
        dates: In words.
    """

    label: str
    starts: tuple[datetime, ...]
    end: datetime | None = None
    goes_on: bool = False
    dates: str = ""


def stretches(memory: Memory, now: datetime) -> Iterator[Stretch]:
    """What there is to draw of a memory, in the order in which one asks for it."""
    if memory.quotes:
        said = tuple(sorted(quote.said_at for quote in memory.quotes))
        yield Stretch(label="said", starts=said, dates=_dates(said))
    if happened := _period(memory.event_date):
        yield Stretch(label="happened", starts=(happened[0],), end=happened[1], dates=memory.event_date or "")
    holds = memory.valid_to is None and memory.status in {Status.ACTIVE, Status.PENDING}
    end = memory.valid_to or (now if holds else memory.updated_at)
    dates = f"since {_date(memory.valid_from)}" if holds else f"{_date(memory.valid_from)} – {_date(end)}"  # noqa: RUF001
    yield Stretch(
        label="holds" if holds else "held",
        starts=(memory.valid_from,),
        end=max(end, memory.valid_from),
        goes_on=holds,
        dates=dates,
    )
    yield Stretch(label="learned", starts=(memory.created_at,), dates=_date(memory.created_at))
    if memory.updated_at - memory.created_at > timedelta(minutes=1):
        yield Stretch(label="changed", starts=(memory.updated_at,), dates=_date(memory.updated_at))
    if memory.expires_at:
        yield Stretch(label="expires", starts=(memory.expires_at,), dates=_date(memory.expires_at))


def drawn(rows: Sequence[Stretch], now: datetime, width: int) -> Content:
    """The rows one below the other, on one scale.

    Args:
        rows: What to draw.
        now: The present; the scale reaches to it.
        width: Cells there are.
    """
    moments = [now, *(at for row in rows for at in (*row.starts, *((row.end,) if row.end else ())))]
    first, last = min(moments), max(moments)
    dates = max((len(row.dates) for row in rows), default=0)
    track = max(LEAST_TRACK, width - LABEL_WIDTH - dates - 2)

    def place(at: datetime) -> int:
        share: float = (at - first) / max(last - first, timedelta(seconds=1))
        return round(share * (track - 1))

    lines = []
    for row in rows:
        end = None if row.end is None else place(row.end)
        line = _line([place(at) for at in row.starts], end, goes_on=row.goes_on, track=track, present=place(now))
        lines.append(Content.assemble((f"{row.label:<{LABEL_WIDTH}}", MUTED), line, f"  {row.dates}"))
    return Content("\n").join(lines)


def _line(starts: Sequence[int], end: int | None, *, goes_on: bool, track: int, present: int) -> Content:
    """One row: a mark at each moment, or a span; the present is a thin line across all rows."""
    cells = ["·"] * track
    cells[present] = "┊"
    for start in starts:
        cells[start] = MOMENT
    if end is not None and end > starts[0]:
        cells[starts[0] : end + 1] = ["━"] * (end + 1 - starts[0])
        cells[end] = "▶" if goes_on else "━"
    return Content.assemble(*((cell, MUTED if cell in "·┊" else POINT if cell == MOMENT else SPAN) for cell in cells))


class TimeLine(Widget):
    """Draws the time line of a memory in the width there is."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 as Textual calls it
        super().__init__(id=id)
        self._rows: tuple[Stretch, ...] = ()
        self._now = datetime.now(UTC)

    def show(self, memory: Memory | None, now: datetime | None = None) -> None:
        """Draw a memory as of now, or nothing."""
        self._now = now or self._now
        self._rows = tuple(stretches(memory, self._now)) if memory else ()
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A line a row."""
        return len(self._rows)

    def render(self) -> RenderResult:
        """Draw the rows."""
        return drawn(self._rows, self._now, self.content_size.width) if self._rows else ""


def _dates(said: Sequence[datetime]) -> str:
    return _date(said[0]) if len(said) == 1 else f"{_date(said[0])}, {len(said)} times"


def _date(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d}"


def _period(event_date: str | None) -> tuple[datetime, datetime] | None:
    """The first and the last moment of `2025`, `2025-03` or `2025-03-04`; `None` where it is none of these."""
    parts = [int(part) for part in (event_date or "").split("-") if part.isdecimal()]
    try:
        match parts:
            case [year]:
                return datetime(year, 1, 1, tzinfo=UTC), datetime(year, 12, 31, tzinfo=UTC)
            case [year, month]:
                start = datetime(year, month, 1, tzinfo=UTC)
                return start, (start + timedelta(days=31)).replace(day=1) - timedelta(days=1)
            case [year, month, day]:
                return datetime(year, month, day, tzinfo=UTC), datetime(year, month, day, tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return None
