"""Putting memories and what was said into words that fit the screen."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from itertools import takewhile

from chatmem.domain.forgetting import BLOT, Proof
from chatmem.domain.memory import Extractor, Kind, Memory, Status
from chatmem.domain.text import clean
from chatmem.ui.wording import counted

MARKS = {Kind.FACT: "●", Kind.EPISODE: "◆", Kind.PROCEDURE: "▸"}
PIN = "★"

CONTEXT_LENGTH = 240
"""Characters shown before and after a quote."""

COMPARED_WORDS = 2_000
"""Beyond this, comparing two texts word by word takes longer than a person waits."""

_PIECE = re.compile(rf"{re.escape(BLOT)}\s*|(?:(?!{re.escape(BLOT)})\S)+\s*|\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """The words of a turn around a quote."""

    before: str
    quote: str
    after: str


def excerpt(text: str, quote: str, length: int = CONTEXT_LENGTH) -> Excerpt | None:
    """A quote among at most `length` characters on either side; `None` where the text does not hold it."""
    text, quote = clean(text), clean(quote)
    before, found, after = text.partition(quote)
    if not quote or not found:
        return None
    return Excerpt(before=last(before, length), quote=quote, after=first(after, length))


def first(text: str, length: int) -> str:
    """The beginning of a text, with an ellipsis where it was longer."""
    return text if len(text) <= length else text[:length].rstrip() + "…"


def last(text: str, length: int) -> str:
    """The end of a text, with an ellipsis where it was longer."""
    return text if len(text) <= length else "…" + text[-length:].lstrip()


@dataclass(frozen=True, slots=True)
class Kept:
    """Words that stay."""

    text: str


@dataclass(frozen=True, slots=True)
class Lost:
    """Words that go, and what stands in their place."""

    text: str
    instead: str


def differences(before: str, after: str) -> Iterator[Kept | Lost]:
    """Tell two wordings of a text apart, in order, word by word."""
    old, new = (_PIECE.findall(clean(text)) for text in (before, after))
    start = _alike(old, new)
    old, new, begun = old[start:], new[start:], old[:start]
    end = _alike(old[::-1], new[::-1])
    old, new, rest = old[: len(old) - end], new[: len(new) - end], old[len(old) - end :]
    pieces = (Kept("".join(begun)), *_compared(old, new), Kept("".join(rest)))
    return (piece for piece in pieces if piece.text or isinstance(piece, Lost))


def _alike(pieces: list[str], others: list[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(pieces, others, strict=False)))


def _compared(old: list[str], new: list[str]) -> Iterator[Kept | Lost]:
    if max(len(old), len(new)) > COMPARED_WORDS:
        yield Lost("".join(old), "".join(new))
        return
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield Kept("".join(old[i:j])) if tag == "equal" else Lost("".join(old[i:j]), "".join(new[k:m]))


def day(at: datetime) -> str:
    """A date in words, in the person's own time zone: `4 March 2026`."""
    local = at.astimezone()
    return f"{local.day} {local:%B %Y}"


def moment(at: datetime) -> str:
    """A date and time in words, in the person's own time zone: `4 March 2026, 12:01`."""
    return f"{day(at)}, {at.astimezone():%H:%M}"


def memories(number: int) -> str:
    """A number of memories in words."""
    return counted(number, "memory", "memories")


def learned_by(memory: Memory) -> str:
    """Who drew a memory from the talk."""
    match memory.extractor:
        case Extractor.USER:
            return "written by you"
        case Extractor.RULES:
            return "learned by rules"
        case Extractor.MODEL:
            return f"learned by {clean(memory.model)}" if memory.model else "learned by a model"


def holding(memory: Memory) -> str:
    """Whether, and since or until when, a memory holds."""
    match memory.status:
        case Status.PENDING:
            return "pending: it waits for your decision"
        case Status.RETIRED:
            return "retired: it is not recalled any more"
        case Status.SUPERSEDED:
            until = f" to {day(memory.valid_to)}" if memory.valid_to else ""
            return f"superseded: held from {day(memory.valid_from)}{until}"
        case Status.ACTIVE:
            until = f" until {day(memory.valid_to)}" if memory.valid_to else ""
            return f"active since {day(memory.valid_from)}{until}"


def told(proof: Proof) -> str:
    """The proof of forgetting in a sentence."""
    return (
        f"Erased {memories(proof.erased)}, {counted(proof.turns_redacted, 'turn', 'turns')} redacted, "
        f"{counted(proof.residue, 'trace', 'traces')} left on disk ({proof.ms:,.0f} ms)."
    )
