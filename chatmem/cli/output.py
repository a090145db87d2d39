"""Printing: one JSON value, or lines for people; never both on standard output."""

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime

from chatmem.domain.errors import (
    ChatMemError,
    ModelError,
    NotFoundError,
    RefusedError,
    UsageError,
)
from chatmem.domain.memory import Memory, Quote
from chatmem.domain.recall import Recalled
from chatmem.domain.text import clean
from chatmem.ports.model_store import Progress

FAILED, WRONG_USAGE, NOT_FOUND, NO_MODEL, REFUSED = 1, 2, 3, 4, 5


def exit_code(error: ChatMemError) -> int:
    """The exit code that tells what kind of error it was."""
    match error:
        case UsageError():
            return WRONG_USAGE
        case NotFoundError():
            return NOT_FOUND
        case ModelError():
            return NO_MODEL
        case RefusedError():
            return REFUSED
        case _:
            return FAILED


_UNSEEN = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""What JSON lets stand in a string, and a terminal obeys or hides."""


def say(text: str = "") -> None:
    """Print a line for people on standard output; what a terminal would obey in it is dropped."""
    with _printing():
        print(clean(text))  # noqa: T201 this is the one place that prints


def tell(text: str) -> None:
    """Print a line about progress or an error on standard error; what a terminal would obey in it is dropped."""
    print(clean(text), file=sys.stderr, flush=True)  # noqa: T201 this is the one place that prints


def write(piece: str) -> None:
    """Print a piece of a streamed answer; what a terminal would obey in it is dropped."""
    with _printing():
        sys.stdout.write(clean(piece))
        sys.stdout.flush()


def flush() -> None:
    """Write what was printed on standard output and still waits.

    Raises:
        ChatMemError: If it can't be written, as on a full disk; nothing more is printed then.
        BrokenPipeError: If nobody reads it any more.
    """
    if sys.stdout.closed:  # an MCP client's session closes it
        return
    with _printing():
        sys.stdout.flush()


def silence() -> None:
    """Let standard output end nowhere, as Python writes what waits there once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _printing() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        silence()
        raise ChatMemError(f"The output can't be written: {error.strerror}.") from error


def print_json(value: object) -> None:
    """Print one JSON value; what a terminal would obey in it is escaped, as JSON does for some of it."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    with _printing():
        print(_UNSEEN.sub(lambda place: json.dumps(place.group())[1:-1], text))  # noqa: T201 this is the one place that prints


def memory_json(memory: Memory) -> dict[str, object]:
    """A memory as the commands print it."""
    return {
        "id": memory.id,
        "kind": memory.kind.value,
        "text": memory.text,
        "subject": memory.subject,
        "slot": memory.slot,
        "status": memory.status.value,
        "pinned": memory.pinned,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "event_date": memory.event_date,
        "valid_from": stamp(memory.valid_from),
        "valid_to": stamp(memory.valid_to),
        "superseded_by": memory.superseded_by,
        "waits_for": memory.waits_for.value if memory.waits_for else None,
        "sensitivity": memory.sensitivity.value if memory.sensitivity else None,
        "expires_at": stamp(memory.expires_at),
        "doubt": memory.doubt,
        "tags": list(memory.tags),
        "practice": asdict(memory.practice) if memory.practice else None,
        "links": [{"to": link.to, "relation": link.relation.value, "reason": link.reason} for link in memory.links],
        "created_at": stamp(memory.created_at),
        "updated_at": stamp(memory.updated_at),
        "extractor": memory.extractor.value,
        "model": memory.model,
        "prompt_version": memory.prompt_version,
        "quotes": [quote_json(quote) for quote in memory.quotes],
        "imported_from": memory.imported_from,
    }


def quote_json(quote: Quote) -> dict[str, object]:
    """A quote as the commands print it."""
    return {
        "session_id": quote.session_id,
        "turn_id": quote.turn_id,
        "said_at": stamp(quote.said_at),
        "text": quote.text,
    }


def recalled_json(item: Recalled) -> dict[str, object]:
    """A recalled item as the commands print it."""
    return {
        "id": item.id,
        "kind": item.source.value,
        "text": item.text,
        "score": round(item.score, 4),
        "injected": item.injected,
        "used": item.used,
    }


def stamp(moment: datetime | None) -> str | None:
    """A moment in ISO 8601."""
    return moment.isoformat() if moment else None


@contextmanager
def progress_bar(title: str, *, of_bytes: bool = True) -> Iterator[Progress]:
    """A progress bar on standard error, on a terminal only; elsewhere each new step is a line."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TaskProgressColumn, TextColumn, TransferSpeedColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines()
        return
    amount = (DownloadColumn(), TransferSpeedColumn()) if of_bytes else (TaskProgressColumn(),)
    with Bar(
        TextColumn("{task.description}", markup=False), BarColumn(), *amount, console=console, transient=True
    ) as bar:
        task = bar.add_task(title, total=None)

        def progress(text: str, done: int, total: int) -> None:
            bar.update(task, description=f"{title}: {text}", completed=done, total=total)

        yield progress


class _Lines:
    """Prints what is being done, when it changes."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, text: str, done: int, total: int) -> None:
        if text != self._last:
            self._last = text
            tell(text)
