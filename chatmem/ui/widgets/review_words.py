"""What waits for the person's word: why, and the words for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content

from chatmem.consolidation.curator import Curator
from chatmem.domain.memory import Memory, Status, Wait
from chatmem.domain.text import clean
from chatmem.ui.services import MemoryDesk
from chatmem.ui.widgets.memory_detail import about_whom, source_content, without_source
from chatmem.ui.widgets.memory_source import Dossier, gather
from chatmem.ui.widgets.memory_words import MARKS, day

GROUPS = {
    Wait.CONFLICT: "Contradicts something",
    Wait.CONSENT: "Kept only if you agree",
    Wait.CONFIDENCE: "Not sure",
    Wait.INSTRUCTION: "Reads like an order to the model",
    Wait.REVIEW: "Looked at first",
}
"""The groups in the order in which they are listed."""

REASONS = {
    Wait.CONFLICT: "It contradicted something that no longer holds.",
    Wait.CONSENT: "It is of a kind that you are asked about first.",
    Wait.CONFIDENCE: "It may have been misunderstood.",
    Wait.INSTRUCTION: "It tells the model what to do, and may not come from you.",
    Wait.REVIEW: "It is recalled once you have looked at it.",
}

NOTHING_WAITS = (
    "Nothing waits for your word.\n\nWhat is private, unsure or contradicts something is asked about here before it is "
    "recalled. F9 in the chat shows what was learned without asking."
)

SOURCES = 5
"""More quotes than this are only counted."""

MUTED = "$foreground-muted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A memory that waits, and those that still hold and that it contradicts."""

    memory: Memory
    against: tuple[Memory, ...] = ()

    @property
    def why(self) -> Wait:
        """The group it is listed in."""
        return Wait.CONFLICT if self.against else self.memory.waits_for or Wait.REVIEW


def find_waiting(curator: Curator) -> list[Waiting]:
    """What waits, group by group, the newest first in each. Blocks.

    Raises:
        StoreError: If the store could not be read.
    """
    conflicts = [Waiting(memory=conflict.new, against=conflict.old) for conflict in curator.conflicts()]
    contradicting = {one.memory.id for one in conflicts}
    others = [Waiting(memory=memory) for memory in curator.waiting() if memory.id not in contradicting]
    return sorted(conflicts + others, key=lambda one: list(GROUPS).index(one.why))


def rows(waiting: Sequence[Waiting]) -> list[tuple[Content, Waiting | None]]:
    """What the list shows: each group under its heading."""
    shown: list[tuple[Content, Waiting | None]] = []
    for why, heading in GROUPS.items():
        if members := [one for one in waiting if one.why is why]:
            shown.append((Content.styled(f"{heading} ({len(members):,})", "bold $accent"), None))
            shown.extend((_row(one.memory), one) for one in members)
    return shown


def _row(memory: Memory) -> Content:
    return Content.assemble((f" {MARKS[memory.kind]} ", "$primary"), " ".join(clean(memory.text).split()))


def sides(desk: MemoryDesk, waiting: Waiting) -> list[Dossier]:
    """What waits with its sources, then what it contradicts; what was forgotten meanwhile is left out. Blocks.

    Raises:
        StoreError: If the store or the log could not be read.
    """
    found = (gather(desk, one.id) for one in (waiting.memory, *waiting.against))
    return [dossier for dossier in found if dossier is not None]


def explained(waiting: Waiting, dossiers: Sequence[Dossier]) -> Content:
    """All that helps to decide."""
    if not waiting.against:
        return Content("\n\n").join(
            [*(_side(dossier) for dossier in dossiers), Content.styled(_reason(waiting), MUTED)]
        )
    new, old = dossiers[:1], dossiers[1:]
    return Content("\n\n").join(
        [
            *(_side(dossier, "New") for dossier in new),
            *(_side(dossier, "Old") for dossier in old),
            Content.styled("n keeps the new, o the old, b both; what goes stays readable.", MUTED),
        ]
    )


def _reason(waiting: Waiting) -> str:
    sensitivity = waiting.memory.sensitivity
    kind = f" ({sensitivity.value.replace('_', ' ')})" if sensitivity else ""
    return f"{REASONS[waiting.why].removesuffix('.')}{kind}."


def _side(dossier: Dossier, name: str = "") -> Content:
    memory = dossier.memory
    known = [
        memory.kind.word.capitalize(),
        f"about {about_whom(memory)}",
        *([clean(memory.slot)] if memory.slot else []),
    ]
    known.append(
        f"since {day(memory.valid_from)}" if memory.status is Status.ACTIVE else f"told {day(memory.valid_from)}"
    )
    return Content("\n").join(
        [
            *([Content.styled(name, "bold $accent")] if name else []),
            Content.styled(clean(memory.text), "bold"),
            Content.styled(" · ".join(known), MUTED),
            *_sources(dossier),
        ]
    )


def _sources(dossier: Dossier) -> Iterator[Content]:
    if not dossier.sources:
        yield Content.styled(without_source(dossier.memory), MUTED)
    for source in dossier.sources[:SOURCES]:
        yield source_content(source)
    if (more := len(dossier.sources) - SOURCES) > 0:
        yield Content.styled(f"and {more} more quotes", MUTED)
