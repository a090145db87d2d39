"""Memories that come from elsewhere, and what is found of each before it is taken over."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.text import normalised

EXAMPLES = 20
"""Of each verdict; more are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arriving:
    """A memory as a file holds it.

    Attributes:
        place: Where it stands in the file, in words: `line 12`.
        memory: As it would be stored, if nothing speaks against it.
        whole: Whether the file tells all of it, with its status, validity and links, as chatmem's own do.
    """

    place: str
    memory: Memory
    whole: bool = False


class Verdict(StrEnum):
    """What was found of a memory from elsewhere."""

    NEW = "new"
    SAME = "same"
    """One that is here says the same in other words, and rests on its quotes too from now on."""

    ORDER = "order"
    """It tells the model what to do, and waits for the person."""

    SENSITIVE = "sensitive"
    """It is of a sensitive kind, and waits for the person or leaves recall by itself, as the profile has it."""

    HERE = "here"
    """It is here already, or was once and was put aside."""

    REPEATED = "repeated"
    """The file says it before, in these words."""

    FORGOTTEN = "forgotten"
    SECRET = "secret"  # noqa: S105 the name of a verdict
    REFUSED = "refused"
    """It is of a kind that this profile never keeps."""

    LONG = "long"

    @property
    def is_taken(self) -> bool:
        """Whether such a memory is written."""
        return self in {Verdict.NEW, Verdict.SAME, Verdict.ORDER, Verdict.SENSITIVE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A memory from elsewhere and what was found of it.

    Attributes:
        memory: As it is to be stored.
        told: What to show of it; never the text of what holds a secret or was forgotten.
    """

    arriving: Arriving
    verdict: Verdict
    memory: Memory
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What was found in a file.

    Attributes:
        counts: How many memories of each verdict.
        examples: The first of each verdict but `NEW`, in the order of the file.
    """

    counts: Mapping[Verdict, int]
    examples: tuple[Judged, ...]

    @property
    def total(self) -> int:
        """All memories of the file."""
        return sum(self.counts.values())

    @property
    def added(self) -> int:
        """Those that are memories of their own."""
        return sum(count for verdict, count in self.counts.items() if verdict.is_taken and verdict is not Verdict.SAME)


class Tally:
    """Counts verdicts, and keeps the first of each to be shown."""

    def __init__(self) -> None:
        self._counts: Counter[Verdict] = Counter()
        self._examples: list[Judged] = []

    def add(self, judged: Iterable[Judged]) -> None:
        """Count some."""
        for one in judged:
            self._counts[one.verdict] += 1
            if one.verdict is not Verdict.NEW and self._counts[one.verdict] <= EXAMPLES:
                self._examples.append(one)

    def audit(self) -> Audit:
        """What was counted so far."""
        return Audit(counts=dict(self._counts), examples=tuple(self._examples))


class Sieve:
    """Knows what is here, and what of a file was seen; it holds a few bytes a memory, whatever their length.

    Args:
        here: The memories that are here, of every status.
    """

    def __init__(self, here: Iterable[Memory]) -> None:
        self._ids: set[MemoryId] = set()
        self._texts: set[int] = set()
        for memory in here:
            self._ids.add(memory.id)
            self._texts |= {_print(memory, whole=False), _print(memory, whole=True)}
        self._seen: set[int] = set()

    def verdict(self, arriving: Arriving) -> Verdict | None:
        """Whether a memory of the file is no news; the next of its words is a repetition from now on."""
        said = _print(arriving.memory, whole=arriving.whole)
        if arriving.memory.id in self._ids or said in self._texts:
            return Verdict.HERE
        if said in self._seen:
            return Verdict.REPEATED
        self._seen.add(said)
        return None


def _print(memory: Memory, *, whole: bool) -> int:
    """What tells one text from another; where all is told of a memory, it may have held twice, at two times."""
    text = normalised(memory.text)
    return hash((text, memory.valid_from)) if whole else hash(text)
