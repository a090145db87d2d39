"""A memory together with the words it rests on."""

from dataclasses import dataclass

from chatmem.domain.errors import NotFoundError
from chatmem.domain.memory import Memory, MemoryId, Quote
from chatmem.domain.turn import SessionId, Turn, TurnId
from chatmem.ports.memory_store import MemoryStore
from chatmem.ports.session_log import SessionLog


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A quote and where it was said; `None` where the session or the turn is gone."""

    quote: Quote
    title: str | None
    turn: Turn | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dossier:
    """A memory, the words it rests on, and the memory that replaced it, where one did."""

    memory: Memory
    sources: tuple[Source, ...]
    successor: Memory | None


def gather(store: MemoryStore, log: SessionLog, memory_id: MemoryId) -> Dossier | None:
    """Look up all that the detail shows of a memory; `None` if it has been forgotten meanwhile. Blocks.

    Raises:
        StoreError: If the store or the log could not be read.
    """
    found = store.get([memory_id])
    if not found:
        return None
    memory = found[0]
    successors = store.get([memory.superseded_by]) if memory.superseded_by else []
    return Dossier(
        memory=memory,
        sources=tuple(
            Source(quote=quote, title=_title(log, quote.session_id), turn=_turn(log, quote.turn_id))
            for quote in memory.quotes
        ),
        successor=successors[0] if successors else None,
    )


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
