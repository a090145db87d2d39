"""Change sets: what one consolidation, or one edit, changed."""

from dataclasses import dataclass
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
    ACCEPT = "accept"
    """The person accepted, or chose between, memories that waited."""

    REJECT = "reject"
    RETIRE = "retire"
    RESTORE = "restore"
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
