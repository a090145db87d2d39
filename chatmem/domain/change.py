"""Change sets: what one consolidation, or one edit, changed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NewType

from chatmem.domain.memory import Memory, MemoryId

ChangeSetId = NewType("ChangeSetId", str)
JobId = NewType("JobId", str)


class Cause(StrEnum):
    """What made a change set."""

    CONSOLIDATION = "consolidation"
    EDIT = "edit"
    ADD = "add"
    IMPORT = "import"
    """Taken over from a file, or told by another program."""

    ACCEPT = "accept"
    """The person accepted, or chose between, memories that waited."""

    REJECT = "reject"
    RETIRE = "retire"
    RESTORE = "restore"
    MERGE = "merge"
    SPLIT = "split"
    WRONG = "wrong"
    """The person said that a memory is not so."""

    BARRED = "barred"
    """The same, and that it may not be learned again: a tombstone was left."""

    CONFIRM = "confirm"
    PRUNE = "prune"
    FEEDBACK = "feedback"
    """What the person thinks of an answer told how the instructions in it do."""

    UPKEEP = "upkeep"
    UNDO = "undo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One memory before and after; `before` is `None` where it is new, `after` where it was taken back."""

    before: Memory | None
    after: Memory | None

    def __post_init__(self) -> None:
        """Refuse a change of nothing."""
        if self.before is None and self.after is None:
            raise ValueError("a change needs a memory")

    @property
    def memory(self) -> Memory:
        """The memory as it is after the change or, of one that was taken back, as it was before."""
        memory = self.after or self.before
        assert memory is not None  # noqa: S101 checked when the change was made
        return memory

    @property
    def memory_id(self) -> MemoryId:
        """The memory that changed."""
        return self.memory.id


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSet:
    """All that one consolidation or one edit changed; the unit of undo.

    A job's is recorded in parts, so that a stop loses little, and read as one.

    Attributes:
        job_id: The consolidation job it came from, where it came from one.
        undoes: The change set that it takes back, where it does.
    """

    id: ChangeSetId
    made_at: datetime
    cause: Cause
    changes: tuple[Change, ...]
    job_id: JobId | None = None
    undoes: ChangeSetId | None = None


def joined(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Changes made one after another, as one for each memory; what was new and is gone again is left out."""
    ends: dict[MemoryId, tuple[Memory | None, Memory | None]] = {}
    for change in changes:
        before, _ = ends.get(change.memory_id, (change.before, None))
        ends[change.memory_id] = (before, change.after)
    return tuple(Change(before=before, after=after) for before, after in ends.values() if before or after)


def whole(parts: Sequence[ChangeSet]) -> ChangeSet:
    """The change set of a job, of its parts in the order they were made; it has the id of the first."""
    first, *more = parts
    if not more:
        return first
    changes = joined(change for part in parts for change in part.changes)
    return replace(first, made_at=parts[-1].made_at, changes=changes)
