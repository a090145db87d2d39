"""What forgetting leaves behind, and what proves it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from chatmem.domain.text import normalised
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


def text_hash(text: str, key: bytes) -> bytes:
    """Keyed hash of a text, case and white space folded: 16 bytes that tell nothing without the key."""
    return hashlib.blake2b(normalised(text).encode(), key=key, digest_size=16).digest()


def sign_code(vector: Sequence[float]) -> bytes:
    """One bit a dimension: whether it is positive. The share of equal bits estimates the angle between two vectors.

    Source: Charikar 2002, "Similarity estimation techniques from rounding algorithms", section 3.
    """
    bits = "".join("1" if value > 0 else "0" for value in vector)
    return int(bits or "0", 2).to_bytes((len(bits) + 7) // 8, "big")


def hamming(code: bytes, other: bytes) -> int:
    """Number of bits in which two codes of one length differ."""
    return (int.from_bytes(code, "big") ^ int.from_bytes(other, "big")).bit_count()
