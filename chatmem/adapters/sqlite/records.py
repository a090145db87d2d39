"""Times, memories and consumption as SQLite keeps them."""

import sqlite3
from datetime import UTC, datetime

import msgspec

from chatmem.domain.errors import StoreError
from chatmem.domain.memory import Memory
from chatmem.domain.model import Usage

_VERSION = 1
"""Of a memory's JSON; to be raised when what is written can't be read by the program before."""


class _Versioned(msgspec.Struct):
    version: int


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
    return msgspec.json.encode({"version": _VERSION} | msgspec.to_builtins(memory)).decode()


def memory_from_json(text: str) -> Memory:
    """The memory that `memory_to_json` wrote; fields that an older chatmem did not know have their defaults.

    Raises:
        StoreError: If the text is none.
    """
    try:
        if msgspec.json.decode(text, type=_Versioned).version != _VERSION:
            raise StoreError("A memory was written by a newer chatmem. Upgrade chatmem to read it.")
        return msgspec.json.decode(text, type=Memory)
    except (ValueError, TypeError, KeyError) as error:
        raise StoreError("A memory in the journal is damaged. Run `chatmem doctor`.") from error
