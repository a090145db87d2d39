"""What forgetting leaves behind, and what proves it."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from chatmem.domain.turn import TurnId

TombstoneId = NewType("TombstoneId", str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """The mark of a forgotten memory, which keeps it from being learned again. It holds no text.

    Attributes:
        turn_ids: The turns the memory rested on.
        hashes: Keyed hashes of the normalised text and quotes.
        code: One bit a dimension of the text's embedding; `None` where there was no embedder.
    """

    id: TombstoneId
    made_at: datetime
    turn_ids: tuple[TurnId, ...]
    hashes: tuple[bytes, ...]
    code: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The outcome of forgetting.

    Attributes:
        erased: Memories erased.
        turns_redacted: Turns in which words were blotted out.
        residue: Places on disk where any of the erased text was still found; 0 when it is gone.
        ms: Time it took, proof included, in milliseconds.
    """

    erased: int
    turns_redacted: int
    residue: int
    ms: float
