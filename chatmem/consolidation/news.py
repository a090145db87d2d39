"""What the consolidation thread tells the screen."""

from dataclasses import dataclass
from datetime import datetime

from chatmem.domain.memory import Extractor
from chatmem.domain.turn import SessionId


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationStarted:
    """A job was begun."""

    session_id: SessionId


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionConsolidated:
    """A job is done: how many memories are new, and how many were told again.

    Attributes:
        note: Why rules did what a model was to do (`by rules: today's budget of $0.50 is used up`); empty as a rule.
    """

    session_id: SessionId
    added: int
    strengthened: int
    extractor: Extractor
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportLearned:
    """A session of an import was learned from, the `done`th of all its `sessions`."""

    done: int
    sessions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationPostponed:
    """A job waits for another try; `reason` is a sentence, `again_at` when it comes."""

    reason: str
    again_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationFailed:
    """Consolidation can't go on as it is; what was said is kept. `reason` is a sentence."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionReplaced:
    """Of two instructions for one thing, the one that did worse was retired; both are told in their words."""

    kept: str
    retired: str


ConsolidationNews = (
    ConsolidationStarted
    | SessionConsolidated
    | ImportLearned
    | InstructionReplaced
    | ConsolidationPostponed
    | ConsolidationFailed
)
