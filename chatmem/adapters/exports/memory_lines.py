"""Memories as JSON Lines, as chatmem writes them: a head, then a memory a line with all that is known of it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import IO

import msgspec

from chatmem import __version__
from chatmem.adapters.exports.moments import utc
from chatmem.adapters.exports.streams import NOTHING_DONE, lines, no_json
from chatmem.consolidation.arriving import Arriving
from chatmem.domain.change import ChangeSet
from chatmem.domain.errors import UsageError
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.text import clean

FORMAT = "chatmem memories"
VERSION = 1

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

Histories = Mapping[MemoryId, Sequence[ChangeSet]]
"""The change sets of each memory, oldest first."""


class _Head(msgspec.Struct):
    format: str
    version: int
    memories: int
    chatmem: str = ""


def write_lines(stream: IO[str], memories: Sequence[Memory], histories: Histories, now: datetime) -> None:
    """Write memories with all that is known of them but their vectors, which are made again."""
    head = {"format": FORMAT, "version": VERSION, "chatmem": __version__, "exported_at": now.isoformat()}
    _write(stream, head | {"memories": len(memories)})
    for memory in memories:
        past = [_step(changes, memory.id) for changes in histories.get(memory.id, ())]
        _write(stream, msgspec.to_builtins(memory) | {"history": past})


def is_own(beginning: bytes) -> bool:
    """Whether a file that begins so is one of these."""
    return FORMAT.encode() in beginning.partition(b"\n")[0]


def read_lines(stream: IO[bytes], file: Path) -> Iterator[Arriving]:
    """Yield the memories of a file.

    Raises:
        UsageError: If it is not whole, was written by another version, or names a memory twice.
    """
    found = lines(stream, file)
    head = _head(next(found)[1], file)
    seen: set[int] = set()
    for number, line in found:
        memory = _memory(line, number, file)
        if (mark := hash(memory.id)) in seen:
            raise UsageError(f"Line {number} of {file} has the id {memory.id}, as a line before it. {NOTHING_DONE}")
        seen.add(mark)
        yield Arriving(place=f"line {number}", memory=replace(memory, imported_from=clean(file.name)), whole=True)
    if len(seen) != head.memories:
        raise UsageError(f"{file} has {len(seen):,} of its {head.memories:,} memories: it was cut off. {NOTHING_DONE}")


def _head(line: bytes, file: Path) -> _Head:
    try:
        head = msgspec.json.decode(line, type=_Head)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise no_json(file) from error
    if head.version != VERSION:
        raise UsageError(
            f"{file} was written by chatmem {clean(head.chatmem) or 'of another version'} in format {head.version}; "
            f"this is chatmem {__version__}, which reads format {VERSION}. {NOTHING_DONE}"
        )
    return head


def _memory(line: bytes, number: int, file: Path) -> Memory:
    try:
        memory = _in_bounds(msgspec.convert(_cleaned(msgspec.json.decode(line)), Memory))
    except (ValueError, TypeError, RecursionError) as error:
        raise UsageError(f"Line {number} of {file} holds no memory: {_reason(error)}. {NOTHING_DONE}") from error
    if not _ID.fullmatch(memory.id):
        raise UsageError(f"Line {number} of {file} has an id that is none of chatmem's. {NOTHING_DONE}")
    return memory


def _in_bounds(memory: Memory) -> Memory:
    """A memory with its shares in [0, 1] and its times in UTC, whatever the file says."""
    return replace(
        memory,
        importance=min(1.0, max(0.0, memory.importance)),
        confidence=min(1.0, max(0.0, memory.confidence)),
        created_at=utc(memory.created_at),
        updated_at=utc(memory.updated_at),
        valid_from=utc(memory.valid_from),
        valid_to=utc(memory.valid_to) if memory.valid_to else None,
        expires_at=utc(memory.expires_at) if memory.expires_at else None,
        quotes=tuple(replace(quote, said_at=utc(quote.said_at)) for quote in memory.quotes),
    )


def _cleaned(value: object) -> object:
    match value:
        case str():
            return clean(value)
        case list():
            return [_cleaned(item) for item in value]
        case dict():
            return {key: _cleaned(item) for key, item in value.items()}
        case _:
            return value


def _step(changes: ChangeSet, memory_id: MemoryId) -> dict[str, object]:
    change = next(change for change in changes.changes if change.memory_id == memory_id)
    return {
        "at": changes.made_at.isoformat(),
        "cause": changes.cause.value,
        "change": changes.id,
        "text": change.memory.text,
        "status": change.memory.status.value if change.after else "taken back",
    }


def _write(stream: IO[str], value: object) -> None:
    stream.write(json.dumps(value, ensure_ascii=False) + "\n")


def _reason(error: Exception) -> str:
    told = clean(str(error)).splitlines()
    return told[0].rstrip(".") if told and not isinstance(error, RecursionError) else "it is nested too deeply"
