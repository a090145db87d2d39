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


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One memory before and after; `before` is `None` where it is new."""

    before: Memory | None
    after: Memory

    @property
    def memory_id(self) -> MemoryId:
        """The memory that changed."""
        return self.after.id


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSet:
    """All that one consolidation or one edit changed; the unit of undo.

    Attributes:
        job_id: The consolidation job it came from, where it came from one.
    """

    id: ChangeSetId
    made_at: datetime
    cause: Cause
    changes: tuple[Change, ...]
    job_id: JobId | None = None
