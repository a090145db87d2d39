"""How memory does, in figures."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from chatmem.consolidation.hygiene import Stale
from chatmem.consolidation.wording import denies, stems
from chatmem.domain.memory import Kind, Memory, Status
from chatmem.ports.memory_store import MemoryFilter
from chatmem.ports.meter import CallCount, RecallFigures
from chatmem.ui.services import DiskUse, HealthDesk

GROWTH_DAYS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthReport:
    """What the health screen shows.

    Attributes:
        counts: Memories by kind and status.
        learned: Memories learned on each of the last `GROWTH_DAYS` days, the oldest day first.
        last_day: The last of these days.
        repeated: Active memories that say what another one says.
        doubtful: Active memories that are to be checked.
        stale: Memories that were not used for long, the least kept first.
        sessions: Sessions with turns.
        blocked: Secrets that were taken out, by kind.
        calls: Calls to language models by purpose.
    """

    counts: Mapping[tuple[Kind, Status], int]
    learned: tuple[int, ...]
    last_day: date
    repeated: int
    doubtful: int
    stale: tuple[Stale, ...]
    sessions: int
    turns: int
    recall: RecallFigures
    blocked: Mapping[str, int]
    calls: tuple[CallCount, ...]
    disk: DiskUse


def look_over(desk: HealthDesk) -> HealthReport:
    """Read all figures. Blocks, for seconds where there are very many memories.

    Raises:
        StoreError: If the log, the journal or the store could not be read.
    """
    now = desk.clock.now()
    everything = desk.memories.select(MemoryFilter())
    active = [memory for memory in everything if memory.status is Status.ACTIVE]
    sessions, turns = desk.meter.sizes()
    return HealthReport(
        counts=Counter((memory.kind, memory.status) for memory in everything),
        learned=learned_daily(everything, now),
        last_day=now.astimezone().date(),
        repeated=repeated(active),
        doubtful=sum(1 for memory in active if memory.doubt),
        stale=tuple(desk.hygiene.stale(now)),
        sessions=sessions,
        turns=turns,
        recall=desk.meter.recall_figures(),
        blocked=desk.meter.blocked(),
        calls=tuple(desk.meter.calls()),
        disk=desk.disk_use(),
    )


def learned_daily(memories: Sequence[Memory], now: datetime) -> tuple[int, ...]:
    """How many memories were learned on each of the last `GROWTH_DAYS` days, where the person is; today is the last."""
    today = now.astimezone().date()
    on = Counter(memory.created_at.astimezone().date() for memory in memories)
    return tuple(on[today - timedelta(days=ago)] for ago in range(GROWTH_DAYS - 1, -1, -1))


def repeated(memories: Sequence[Memory]) -> int:
    """How many memories have the words of another one of the same kind and subject, and do not deny it."""
    alike = Counter(_claim(memory) for memory in memories)
    return sum(number - 1 for number in alike.values())


def _claim(memory: Memory) -> Hashable:
    whose = (memory.kind, memory.subject.casefold(), memory.event_date)
    return (*whose, stems(memory.text) or memory.text, denies(memory.text))
