"""What forgetting leaves behind, and what proves it."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from typing import NewType

from chatmem.domain.embedding import model_of
from chatmem.domain.memory import Kind, Memory
from chatmem.domain.text import content_words, normalised, sentences, words
from chatmem.domain.turn import SessionId, TurnId

TombstoneId = NewType("TombstoneId", str)

BLOT = "[forgotten]"
"""What stands in a turn in the place of forgotten words."""

_NEAR = 0.27
"""Share of differing code bits up to which a text that shares a telling word counts as a paraphrase; cosine .66."""

_NEARLY = 0.33
"""The same for a text that shares most of the telling words; a cosine of about .51."""

_NEAR_WITHOUT_WORDS = 0.16
"""The same where no telling words are known; a cosine of about .88."""

_MOST = 0.75

_LETTERS = 6
"""Of a word, so that its forms agree."""

_SAYING_HOW = frozenset(
    {
        "live",
        "lives",
        "living",
        "home",
        "reside",
        "work",
        "works",
        "workin",
        "job",
        "allerg",
        "afraid",
        "scared",
        "scares",
    }
    | {"like", "likes", "love", "loves", "hate", "hates", "prefer", "enjoy", "enjoys", "want", "wants", "need", "needs"}
    | {
        "called",
        "named",
        "name",
        "take",
        "takes",
        "use",
        "uses",
        "eat",
        "eats",
        "drink",
        "drinks",
        "go",
        "goes",
        "used",
    }
)
"""Words, cut, that many facts share: a home is told apart from a home by its place alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """The mark of a forgotten memory, which keeps it from being learned again. It holds no text.

    Attributes:
        turn_ids: The turns the memory rested on.
        hashes: Keyed hashes of the normalised text and quotes.
        code: One bit a dimension of the text's embedding; `None` where there was no embedder.
        model: The model of that embedding, where it is known; codes of different models are never compared.
        marks: One byte for each telling word (see `marks`); empty where they were not kept.
        kind: Of the memory; `None` where that was not kept.
    """

    id: TombstoneId
    made_at: datetime
    turn_ids: tuple[TurnId, ...]
    hashes: tuple[bytes, ...]
    code: bytes | None = None
    model: str | None = None
    marks: bytes = b""
    kind: Kind | None = None


class Step(StrEnum):
    """What forgetting does, in this order, in the words that the person is shown."""

    LOOKING = "looking for all that tells it"
    REDACTING = "taking the words out of turns"
    ERASING = "taking rows out"
    REWRITING = "rewriting files"
    PROVING = "looking through files for what is left"


Advance = Callable[[str, int, int], None]
"""Told of each step of forgetting as it begins: its words, how many steps are done, and how many there are.

Called from the thread that forgets, and from others; must not block.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The outcome of forgetting.

    Attributes:
        erased: Memories erased.
        turns_redacted: Turns in which words were blotted out, or that went whole.
        residue: Places on disk where any of the erased text was still found; 0 when it is gone.
        ms: Time it took, proof included, in milliseconds.
    """

    erased: int
    turns_redacted: int
    residue: int
    ms: float


def text_hash(text: str, key: bytes) -> bytes:
    """Keyed hash of a text, case, white space and punctuation folded: 16 bytes that tell nothing without the key."""
    folded = " ".join(words(text)) or normalised(text)
    return hashlib.blake2b(folded.encode(), key=key, digest_size=16).digest()


def saying_hash(text: str, key: bytes) -> bytes:
    """Keyed hash by which a text is known as what a memory says, and not as words that another may rest on."""
    return hashlib.blake2b(text_hash(text, key), key=key, digest_size=16, person=b"saying").digest()


def session_id_hash(session_id: SessionId, key: bytes) -> bytes:
    """Keyed hash by which a forgotten session is known by its id."""
    return hashlib.blake2b(session_id.encode(), key=key, digest_size=16, person=b"session id").digest()


def talk_hash(texts: Iterable[str], key: bytes) -> bytes:
    """Keyed hash by which a forgotten session is known by what was said in it, in order, under whatever id."""
    digest = hashlib.blake2b(key=key, digest_size=16, person=b"talk")
    for text in texts:
        digest.update(text_hash(text, key))
    return digest.digest()


def sign_code(vector: Sequence[float]) -> bytes:
    """One bit a dimension: whether it is positive. The share of equal bits estimates the angle between two vectors.

    Source: Charikar 2002, "Similarity estimation techniques from rounding algorithms", section 3.
    """
    bits = "".join("1" if value > 0 else "0" for value in vector)
    return int(bits or "0", 2).to_bytes((len(bits) + 7) // 8, "big")


def hamming(code: bytes, other: bytes) -> int:
    """Number of bits in which two codes of one length differ."""
    return (int.from_bytes(code, "big") ^ int.from_bytes(other, "big")).bit_count()


def forbids(tombstone: Tombstone, key: bytes, memory: Memory, vector: Sequence[float] | None) -> bool:
    """Whether a tombstone keeps a memory from being learned: it says the same in the same words, or in others.

    Args:
        tombstone: The tombstone.
        key: The profile's key of the hashes.
        memory: The memory, with the quotes it rests on.
        vector: The embedding of its text, where there is one.
    """
    told = {text_hash(text, key) for text in (memory.text, *(quote.text for quote in memory.quotes))}
    told.add(saying_hash(memory.text, key))
    if not told.isdisjoint(tombstone.hashes):
        return True
    telling = marks(memory.text, key)
    by_words = _says_the_same(telling, tombstone)
    if vector is None or tombstone.code is None or model_of(vector) != tombstone.model:
        return by_words
    if len(code := sign_code(vector)) != len(tombstone.code):
        return by_words
    apart = hamming(code, tombstone.code) / len(vector)
    if not tombstone.marks:
        same_turn = any(quote.turn_id in tombstone.turn_ids for quote in memory.quotes)
        return apart <= (_NEAR if same_turn else _NEAR_WITHOUT_WORDS)
    shared = set(telling) & set(tombstone.marks)
    return (bool(shared) and apart <= _NEAR) or (_tells_most(shared, tombstone) and apart <= _NEARLY)


def forbids_text(tombstones: Iterable[Tombstone], key: bytes, text: str) -> bool:
    """Whether one of the tombstones keeps a text out, as far as its words tell: it, or a part of it, says the same.

    Args:
        tombstones: The tombstones.
        key: The profile's key of the hashes.
        text: Of any length. In a long one most words occur, so two sentences at a time are looked at.
    """
    said = list(sentences(text))
    parts = [*said, *map(" ".join, pairwise(said))]
    hashes = {text_hash(part, key) for part in (text, *parts)}
    telling = [marks(part, key) for part in parts]
    return any(
        not hashes.isdisjoint(tombstone.hashes) or any(_says_the_same(part, tombstone) for part in telling)
        for tombstone in tombstones
    )


def _says_the_same(telling: bytes, tombstone: Tombstone) -> bool:
    """Whether a text with these marks does, where words are all there is to go by.

    What has all words and as many others at most counts as the same.
    """
    shared = set(telling) & set(tombstone.marks)
    return _tells_most(shared, tombstone) or (
        bool(shared) and len(shared) == len(tombstone.marks) and len(telling) <= 2 * len(shared)
    )


def _tells_most(shared: Collection[int], tombstone: Tombstone) -> bool:
    return len(shared) >= 2 and len(shared) >= _MOST * len(tombstone.marks)


def marks(text: str, key: bytes) -> bytes:
    """One byte for each telling word of a text: keyed hashes so short that dozens of words share each.

    They tell whether two texts may speak of one thing, and not of what.
    """
    telling = {word[:_LETTERS] for word in content_words(text)} - _SAYING_HOW
    digests = (hashlib.blake2b(word.encode(), key=key, digest_size=1, person=b"mark").digest() for word in telling)
    return b"".join(sorted(set(digests)))
