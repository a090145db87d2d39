"""What becomes of memories that a person merges, splits, files elsewhere, or calls wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from chatmem.consolidation.linking import keywords
from chatmem.consolidation.merging import united
from chatmem.consolidation.reconcile import closed
from chatmem.consolidation.reviewing import put_aside
from chatmem.consolidation.slots import slot_of
from chatmem.consolidation.telling import happening_of, practice_of
from chatmem.consolidation.wording import stems
from chatmem.domain.change import Change
from chatmem.domain.memory import Kind, Link, Memory, Practice, Relation, Status, memory_id
from chatmem.domain.turn import TurnId

CALLED_WRONG = "You said that this is wrong."
RESTS_ON_WRONG = "What it rests on was called wrong."

MERGED = "You merged them."
SPLIT = "You split it."

_RESTING = {Relation.RESTS_ON, Relation.DERIVED_FROM}


def drawn(memory: Memory) -> Memory:
    """A memory with what is drawn from a text of its kind drawn from its own; how an instruction has done stays."""
    return replace(
        memory,
        tags=keywords(memory),
        practice=_practice(memory) if memory.kind is Kind.PROCEDURE else None,
        happening=happening_of(memory.text) if memory.kind is Kind.EPISODE else None,
    )


def merged_by_hand(parts: Sequence[Memory], text: str | None, now: datetime) -> list[Change]:
    """The changes that make one memory of several; the originals stay readable.

    Args:
        parts: Those that are merged, two at least.
        text: What the one says; `None` for the words of the fullest.
        now: When they are merged.
    """
    fullest = max(parts, key=lambda one: (len(stems(one.text)), one.pinned, one.id))
    records = [one.practice for one in parts if one.practice]
    whole = united(parts, fullest if text is None else replace(fullest, text=text), MERGED, now)
    whole = replace(
        whole,
        slot=fullest.slot or next((one.slot for one in parts if one.slot), None),
        event_date=fullest.event_date or next((one.event_date for one in parts if one.event_date), None),
        sensitivity=next((one.sensitivity for one in parts if one.sensitivity), None),
        expires_at=_expiry(parts),
        doubt=next((one.doubt for one in parts if one.doubt), ""),
        practice=Practice(
            successes=sum(record.successes for record in records), failures=sum(record.failures for record in records)
        ),
    )
    return [Change(before=None, after=drawn(whole)), *_replaced(parts, whole, now)]


def split_by_hand(whole: Memory, texts: Sequence[str], now: datetime) -> list[Change]:
    """The changes that make several memories of one, each with all that it rests on; the original stays readable."""
    parts = [_part(whole, text, now) for text in texts]
    return [*(Change(before=None, after=part) for part in parts), *_replaced([whole], parts[0], now)]


def called_wrong(memory: Memory, now: datetime) -> Memory:
    """A memory that the person says is not so: out of recall, half as sure; an instruction has failed once more."""
    if memory.status is Status.RETIRED and memory.doubt == CALLED_WRONG:
        return memory
    practice = memory.practice and replace(memory.practice, failures=memory.practice.failures + 1)
    return replace(put_aside(memory, now), doubt=CALLED_WRONG, confidence=memory.confidence / 2, practice=practice)


def shaken(wrong: Sequence[Memory], linking: Sequence[Memory]) -> Iterator[Change]:
    """Those of other memories that rest on one that was called wrong, as they are in doubt."""
    ids = {one.id for one in wrong}
    for one in linking:
        rests = any(link.to in ids and link.relation in _RESTING for link in one.links)
        if rests and one.id not in ids and one.status is Status.ACTIVE and not one.doubt:
            yield Change(before=one, after=replace(one, doubt=RESTS_ON_WRONG))


def _practice(memory: Memory) -> Practice:
    had = memory.practice or Practice()
    return replace(practice_of(memory.text), successes=had.successes, failures=had.failures)


def _expiry(parts: Sequence[Memory]) -> datetime | None:
    """When the last of the parts expires; where sensitive ones do, the first of those: their words are in the whole."""
    if sensitive := [one.expires_at for one in parts if one.sensitivity and one.expires_at]:
        return min(sensitive)
    expiries = [one.expires_at for one in parts if one.expires_at]
    return max(expiries) if len(expiries) == len(parts) else None


def _part(whole: Memory, text: str, now: datetime) -> Memory:
    known = slot_of(text)
    part = replace(
        whole,
        id=memory_id(whole.kind, text, TurnId(whole.id)),
        text=text,
        created_at=now,
        updated_at=now,
        slot=known.name if known else None,
        links=(*whole.links, Link(to=whole.id, relation=Relation.DERIVED_FROM, reason=SPLIT)),
    )
    return drawn(part)


def _replaced(originals: Sequence[Memory], by: Memory, now: datetime) -> Iterator[Change]:
    return (Change(before=one, after=replace(closed(one, by=by), updated_at=now)) for one in originals)
