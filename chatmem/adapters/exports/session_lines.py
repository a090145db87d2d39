"""All sessions in one file: Markdown to be read, or JSON Lines to be imported again, a session a line."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from chatmem import __version__
from chatmem.adapters.exports.streams import LARGEST_ITEM, NOTHING_DONE, lines, no_json
from chatmem.adapters.exports.writing import written
from chatmem.conversation.exporting import Exporter, Record, as_json, as_markdown
from chatmem.domain.errors import NotFoundError, UsageError
from chatmem.domain.text import clean
from chatmem.ports.session_log import SessionLog

FORMAT = "chatmem sessions"
VERSION = 1


def write_sessions(log: SessionLog, file: Path, *, overwrite: bool) -> int:
    """Write all sessions, readable by the owner only; `.md` and `.jsonl` say how. Returns how many.

    Raises:
        UsageError: If the file's name ends otherwise, or it is there and is not to be overwritten.
        StoreError: If the log could not be read or the file could not be written.
    """
    if file.suffix.lower() not in {".md", ".jsonl"}:
        raise UsageError(f"{file} must end in .md or .jsonl, which says what to write.")
    with written(file, overwrite=overwrite) as stream:
        if file.suffix.lower() == ".md":
            return sum(stream.write(f"{as_markdown(record)}\n---\n\n") > 0 for record in _records(log))
        stream.write(json.dumps({"format": FORMAT, "version": VERSION, "chatmem": __version__}) + "\n")
        number = sum(stream.write(as_json(record, indent=None) + "\n") > 0 for record in _records(log))
        stream.write(json.dumps({"sessions": number}) + "\n")
        return number


def is_own(beginning: bytes) -> bool:
    """Whether a file that begins so is one of these."""
    return FORMAT.encode() in beginning.partition(b"\n")[0][:200]


def session_values(stream: IO[bytes], file: Path) -> Iterator[object]:
    """Yield the sessions of a file as JSON values.

    Raises:
        UsageError: If it is not whole, or was written by another version.
    """
    found = (_value(line, file) for _, line in lines(stream, file, longest=LARGEST_ITEM))
    match next(found):
        case {"version": version, "chatmem": str(writer)} if version != VERSION:
            raise UsageError(
                f"{file} was written by chatmem {clean(writer)[:20]} in format {version}; this is chatmem "
                f"{__version__}, which reads format {VERSION}. {NOTHING_DONE}"
            )
    number, last = 0, None
    for value in found:
        if last is not None:
            number += 1
            yield last
        last = value
    if last != {"sessions": number}:
        raise UsageError(f"{file} has {number:,} sessions and no end: it was cut off. {NOTHING_DONE}")


def _records(log: SessionLog) -> Iterator[Record]:
    exporter = Exporter(log)
    for session in log.sessions():
        # It may be forgotten in another window while the others are written.
        with suppress(NotFoundError):
            yield exporter.record(session.id)


def _value(line: bytes, file: Path) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise no_json(file) from error
