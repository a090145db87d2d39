"""A memory together with the words it rests on, its neighbours, what it was before, and how well it is kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from chatmem.domain.change import ChangeSet
from chatmem.domain.errors import NotFoundError
from chatmem.domain.memory import Memory, MemoryId, Quote
from chatmem.domain.turn import SessionId, Turn, TurnId
from chatmem.ports.session_log import SessionLog
from chatmem.recall.keeping import Keeping, keeping
from chatmem.ui.services import MemoryDesk

NAMED = {
    "related": "related to",
    "derived_from": "made from",
    "rests_on": "rests on",
    "contradicts": "contradicts",
    "replaces": "replaces",
    "superseded_by": "replaced by",
}
NAMED_FROM_THERE = {
    "related": "related to",
    "derived_from": "became",
    "rests_on": "carries",
    "contradicts": "contradicted by",
    "replaces": "replaced by",
    "superseded_by": "replaces",
}
"""The same links, as they are read from their other end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A quote and where it was said; `None` where the session or the turn is gone.

    Attributes:
        before: What was said before the turn.
        after: What was said in answer to it.
    """

    quote: Quote
    title: str | None
    turn: Turn | None
    before: Turn | None = None
    after: Turn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A memory one link away.

    Attributes:
        relation: What it is to the one that is looked at, in words.
        outward: Whether the link leads there; else it comes from there.
        reason: Why they are linked, in words; may be empty.
    """

    memory: Memory
    relation: str
    outward: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dossier:
    """All that is known of a memory.

    Attributes:
        neighbours: Those it links to, then those that link to it.
        history: What changed it, the newest first.
        keeping: How well it is kept.
        at: When all this was so.
    """

    memory: Memory
    sources: tuple[Source, ...]
    neighbours: tuple[Neighbour, ...]
    history: tuple[ChangeSet, ...]
    keeping: Keeping
    at: datetime


def gather(desk: MemoryDesk, memory_id: MemoryId) -> Dossier | None:
    """Look up all that the detail shows of a memory; `None` if it has been forgotten meanwhile. Blocks.

    Raises:
        StoreError: If the store, the journal or the log could not be read.
    """
    found = desk.memories.get([memory_id])
    if not found:
        return None
    memory, now = found[0], desk.clock.now()
    return Dossier(
        memory=memory,
        sources=tuple(_source(desk.log, quote) for quote in memory.quotes),
        neighbours=tuple(_neighbours(desk, memory)),
        history=tuple(desk.journal.history(memory_id)),
        keeping=keeping(memory, desk.journal.uses([memory_id]), now),
        at=now,
    )


def _neighbours(desk: MemoryDesk, memory: Memory) -> Iterator[Neighbour]:
    linking = desk.journal.linking(memory.id)
    outward = _links(memory)
    there = {one.id: one for one in desk.memories.get(list(dict.fromkeys([*outward, *linking])))}
    for id_, (name, reason) in outward.items():
        if id_ in there:
            yield Neighbour(memory=there[id_], relation=NAMED[name], outward=True, reason=reason)
    for id_ in linking:
        name, reason = _links(there[id_]).get(memory.id, ("", "")) if id_ in there else ("", "")
        if name and id_ not in outward:
            yield Neighbour(memory=there[id_], relation=NAMED_FROM_THERE[name], outward=False, reason=reason)


def _links(memory: Memory) -> dict[MemoryId, tuple[str, str]]:
    """The memories that a memory names, with the name of the relation and the reason."""
    links = {memory.superseded_by: ("superseded_by", "")} if memory.superseded_by else {}
    return links | {link.to: (link.relation.value, link.reason) for link in memory.links if link.to not in links}


def _source(log: SessionLog, quote: Quote) -> Source:
    turn = _turn(log, quote.turn_id)
    return Source(
        quote=quote,
        title=_title(log, quote.session_id),
        turn=turn,
        before=_turn(log, turn.parent_id) if turn and turn.parent_id else None,
        after=_answer(log, turn) if turn else None,
    )


def _answer(log: SessionLog, turn: Turn) -> Turn | None:
    near = log.turns(turn.session_id, first=turn.seq + 1, last=turn.seq + 1)
    return next((one for one in near if one.parent_id == turn.id), None)


def _title(log: SessionLog, session_id: SessionId) -> str | None:
    try:
        return log.session(session_id).title
    except NotFoundError:
        return None


def _turn(log: SessionLog, turn_id: TurnId) -> Turn | None:
    try:
        return log.turn(turn_id)
    except NotFoundError:
        return None
