"""What happens in the course of one turn, in the order in which it happens."""

from dataclasses import dataclass

from chatmem.domain.model import ModelChoice, Usage
from chatmem.domain.recall import Recalled, Tier
from chatmem.domain.turn import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """Where the time of a turn went, in milliseconds; `first_token` and `total` count from Enter."""

    recall: float = 0.0
    assembly: float = 0.0
    first_token: float | None = None
    total: float = 0.0


@dataclass(frozen=True, slots=True)
class TurnRecorded:
    """The user's turn is in the session log.

    Attributes:
        cut_tokens: Tokens that will not be shown to the model because the turn is too large for it; 0 as a rule.
        removed: The kinds of the secrets that were taken out of it, one for each; the turn shows where they stood.
        let_through: Whether the model is shown them all the same, for this once.
    """

    turn: Turn
    cut_tokens: int = 0
    removed: tuple[str, ...] = ()
    let_through: bool = False


@dataclass(frozen=True, slots=True)
class MemoriesRecalled:
    """Recall has looked; `items` are best first, and say which were put into the prompt.

    Attributes:
        ms: Time it took, in milliseconds.
        tier: Where the best of it lies; `None` where nothing bears on the question.
        error: Why it found nothing, in a sentence, where the memory store failed.
    """

    items: tuple[Recalled, ...]
    ms: float
    error: str | None = None
    tier: Tier | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refitted:
    """Fewer turns than before are shown to the model, because its context is smaller or it refused the prompt.

    Attributes:
        left_out: How many turns the model no longer sees word for word.
        summarised: Whether they are folded into the running summary; else only recall can find them.
    """

    left_out: int
    summarised: bool


@dataclass(frozen=True, slots=True)
class ReplyBegun:
    """The model has been asked; `turn` is the reply in the session log, empty unless one is being continued."""

    turn: Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrying:
    """The model failed, and is asked again in `wait_s` seconds; `attempt` of `attempts`, the first being 1."""

    error: str
    wait_s: float
    attempt: int
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FellOver:
    """The model failed for good, and another one is asked in its place; the reply's turn names it."""

    choice: ModelChoice
    error: str
    turn: Turn


@dataclass(frozen=True, slots=True)
class ReasoningGrew:
    """The next piece of what the model thinks before it answers."""

    text: str


@dataclass(frozen=True, slots=True)
class ReplyGrew:
    """The next piece of the reply."""

    text: str


@dataclass(frozen=True, slots=True)
class ReplyEnded:
    """The reply is in the session log, whole or as far as it came: see its status, error and finish reason.

    Attributes:
        used: Ids of what was recalled and the reply used, as far as its words tell.
    """

    turn: Turn
    usage: Usage
    timings: Timings
    used: frozenset[str] = frozenset()


TurnEvent = (
    TurnRecorded
    | MemoriesRecalled
    | Refitted
    | ReplyBegun
    | Retrying
    | FellOver
    | ReasoningGrew
    | ReplyGrew
    | ReplyEnded
)
