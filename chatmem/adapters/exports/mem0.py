"""Memories that mem0 exported: what `get_all` answers, on the platform and in the library, and OpenMemory's backup.

The platform's and the library's answers are `{"results": [{"id", "memory", "created_at", ...}]}`, of old a plain list;
a backup of OpenMemory has `memories.jsonl.gz` with `{"id", "content", "state", ...}` a line. Unknown fields are passed
over.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import IO

import msgspec
from pydantic import AliasChoices, BaseModel, Field, ValidationError

from chatmem.adapters.exports.memory_markdown import from_elsewhere
from chatmem.adapters.exports.moments import Moment
from chatmem.adapters.exports.streams import LONGEST_LINE, NOTHING_DONE, items, lines, no_json, rewind, starts_with
from chatmem.consolidation.arriving import Arriving
from chatmem.domain.errors import UsageError
from chatmem.domain.memory import Extractor, Kind, Memory
from chatmem.domain.text import clean

_KEYS = ("results", "memories")
_GONE = frozenset({"deleted"})
_MOST_TAGS = 8


class _Line(msgspec.Struct):
    id: str


class _Mem0(BaseModel):
    id: str
    memory: str = Field(validation_alias=AliasChoices("memory", "content", "text", "data"))
    user_id: str | None = None
    created_at: Moment | None = None
    updated_at: Moment | None = None
    expiration_date: Moment | None = None
    categories: list[str] | None = None
    state: str | None = None

    def arriving(self, number: int, origin: str, now: datetime) -> Arriving | None:
        text = clean(self.memory).strip()
        if not text or self.state in _GONE:
            return None
        known_since = self.created_at or now
        memory = from_elsewhere(text, Kind.FACT, origin, known_since, by=Extractor.MODEL)
        return Arriving(place=f"memory {number}", memory=self._with_the_rest(memory))

    def _with_the_rest(self, memory: Memory) -> Memory:
        return replace(
            memory,
            model="mem0",
            updated_at=self.updated_at or memory.created_at,
            expires_at=self.expiration_date,
            tags=tuple(clean(tag) for tag in (self.categories or ())[:_MOST_TAGS]),
        )


def read_mem0(stream: IO[bytes], file: Path, now: datetime, user: str | None) -> Iterator[Arriving]:
    """Yield the memories of an export; of several users' those of one.

    Raises:
        UsageError: If it is no export of mem0, not whole, names a memory twice or holds several users'.
    """
    seen: set[int] = set()
    users: dict[str, None] = {}
    for number, value in enumerate(_values(stream, file), 1):
        record = _record(value, number, file)
        if (mark := hash(record.id)) in seen:
            raise UsageError(f"{file} has the id {clean(record.id)[:64]} twice. {NOTHING_DONE}")
        seen.add(mark)
        if record.user_id is not None:
            users[clean(record.user_id)] = None
        if user is None and len(users) > 1:
            raise UsageError(
                f"{file} holds memories of several users ({', '.join(users)} …). Name yours: --user. {NOTHING_DONE}"
            )
        if user in {None, record.user_id} and (arriving := record.arriving(number, f"{clean(file.name)} (mem0)", now)):
            yield arriving
    if not seen:
        raise UsageError(f"{file} holds no memories in a form that chatmem knows. {NOTHING_DONE}")
    if user is not None and user not in users:
        raise UsageError(f"{file} holds no memories of {user}. {NOTHING_DONE}")


def _values(stream: IO[bytes], file: Path) -> Iterator[object]:
    if starts_with(stream).startswith(b"["):
        yield from items(stream, file)
        return
    if _has_lines(stream):
        for _, line in lines(stream, file):
            yield from _parsed(line, file)
        return
    for key in _KEYS:
        found = items(stream, file, key)
        if (first := next(found, None)) is not None:
            yield from chain([first], found)
            return
        rewind(stream)


def _has_lines(stream: IO[bytes]) -> bool:
    """Whether the first line is a memory by itself; the file is at its beginning again."""
    first = stream.readline(LONGEST_LINE)
    rewind(stream)
    try:
        msgspec.json.decode(first, type=_Line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return False
    return True


def _parsed(line: bytes, file: Path) -> Iterator[object]:
    try:
        yield msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise no_json(file) from error


def _record(value: object, number: int, file: Path) -> _Mem0:
    try:
        return _Mem0.model_validate(value)
    except ValidationError as error:
        told = error.errors()[0]
        where = ".".join(str(part) for part in told["loc"]) or "it"
        raise UsageError(
            f"Memory {number} of {file} is not as mem0 writes it: {where}: {told['msg']}. {NOTHING_DONE}"
        ) from error
