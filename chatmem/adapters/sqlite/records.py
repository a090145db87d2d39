"""Times, memories and consumption as SQLite keeps them."""

import json
import sqlite3
from datetime import UTC, datetime
from typing import TypedDict

from chatmem.domain.errors import StoreError
from chatmem.domain.memory import Extractor, Kind, Memory, MemoryId, Quote, Status
from chatmem.domain.model import Usage
from chatmem.domain.turn import SessionId, TurnId

_VERSION = 1


class _QuoteRecord(TypedDict):
    session_id: str
    turn_id: str
    text: str
    said_at: str


class _MemoryRecord(TypedDict):
    version: int
    id: str
    kind: str
    text: str
    extractor: str
    created_at: str
    updated_at: str
    valid_from: str
    quotes: list[_QuoteRecord]
    subject: str
    slot: str | None
    event_date: str | None
    status: str
    importance: float
    confidence: float
    pinned: bool
    model: str | None
    prompt_version: str | None
    valid_to: str | None
    superseded_by: str | None


def stamp(at: datetime) -> str:
    """A time as text that sorts like the time; always in UTC."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def moment(text: str) -> datetime:
    """The time that `stamp` wrote."""
    return datetime.fromisoformat(text)


def usage_of(row: sqlite3.Row) -> Usage:
    """The consumption that a row holds, or its sum."""
    return Usage(
        prompt_tokens=row["prompt_tokens"] or 0,
        completion_tokens=row["completion_tokens"] or 0,
        cost_usd=row["cost_usd"],
    )


def memory_to_json(memory: Memory) -> str:
    """A memory as JSON."""
    record: _MemoryRecord = {
        "version": _VERSION,
        "id": memory.id,
        "kind": memory.kind.value,
        "text": memory.text,
        "extractor": memory.extractor.value,
        "created_at": stamp(memory.created_at),
        "updated_at": stamp(memory.updated_at),
        "valid_from": stamp(memory.valid_from),
        "quotes": [_quote_record(quote) for quote in memory.quotes],
        "subject": memory.subject,
        "slot": memory.slot,
        "event_date": memory.event_date,
        "status": memory.status.value,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "pinned": memory.pinned,
        "model": memory.model,
        "prompt_version": memory.prompt_version,
        "valid_to": stamp(memory.valid_to) if memory.valid_to else None,
        "superseded_by": memory.superseded_by,
    }
    return json.dumps(record, ensure_ascii=False)


def memory_from_json(text: str) -> Memory:
    """The memory that `memory_to_json` wrote.

    Raises:
        StoreError: If the text is none.
    """
    try:
        record: _MemoryRecord = json.loads(text)
        if record["version"] != _VERSION:
            raise StoreError("A memory was written by a newer chatmem. Upgrade chatmem to read it.")
        return _memory(record)
    except (ValueError, TypeError, KeyError) as error:
        raise StoreError("A memory in the journal is damaged. Run `chatmem doctor`.") from error


def _memory(record: _MemoryRecord) -> Memory:
    return Memory(
        id=MemoryId(record["id"]),
        kind=Kind(record["kind"]),
        text=record["text"],
        extractor=Extractor(record["extractor"]),
        created_at=moment(record["created_at"]),
        updated_at=moment(record["updated_at"]),
        valid_from=moment(record["valid_from"]),
        quotes=tuple(_quote(quote) for quote in record["quotes"]),
        subject=record["subject"],
        slot=record["slot"],
        event_date=record["event_date"],
        status=Status(record["status"]),
        importance=record["importance"],
        confidence=record["confidence"],
        pinned=record["pinned"],
        model=record["model"],
        prompt_version=record["prompt_version"],
        valid_to=moment(record["valid_to"]) if record["valid_to"] else None,
        superseded_by=MemoryId(record["superseded_by"]) if record["superseded_by"] else None,
    )


def _quote_record(quote: Quote) -> _QuoteRecord:
    return {
        "session_id": quote.session_id,
        "turn_id": quote.turn_id,
        "text": quote.text,
        "said_at": stamp(quote.said_at),
    }


def _quote(record: _QuoteRecord) -> Quote:
    return Quote(
        session_id=SessionId(record["session_id"]),
        turn_id=TurnId(record["turn_id"]),
        text=record["text"],
        said_at=moment(record["said_at"]),
    )
