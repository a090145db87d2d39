"""Memories as Markdown, for people to read; what they say can be read back, and nothing more."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO

from chatmem.adapters.exports.memory_lines import Histories
from chatmem.adapters.exports.streams import NOTHING_DONE, lines
from chatmem.consolidation.arriving import Arriving
from chatmem.domain.change import ChangeSet
from chatmem.domain.errors import UsageError
from chatmem.domain.memory import Extractor, Kind, Memory, MemoryId, Status, memory_id
from chatmem.domain.text import clean

_HEADINGS = {Kind.FACT: "Facts", Kind.EPISODE: "Episodes", Kind.PROCEDURE: "How to"}
_KINDS = {heading.casefold(): kind for kind, heading in _HEADINGS.items()}
_COUNT = re.compile(r"([\d,]+) (?:memory|memories), exported ")
_PAST = "no longer recalled"


def write_markdown(stream: IO[str], memories: Sequence[Memory], histories: Histories, now: datetime) -> None:
    """Write memories by kind, those that hold before those that do not."""
    count = f"{len(memories):,} {'memory' if len(memories) == 1 else 'memories'}"
    stream.write(f"# Memories\n\n{count}, exported {_day(now)}.\n")
    for kind, heading in _HEADINGS.items():
        members = [memory for memory in memories if memory.kind is kind]
        for holds, title in ((True, heading), (False, f"{heading}, {_PAST}")):
            if chosen := [memory for memory in members if (memory.status is Status.ACTIVE) is holds]:
                stream.write(f"\n## {title}\n")
                for memory in chosen:
                    stream.write("\n".join(["", *_told(memory, histories.get(memory.id, ())), ""]))


def read_markdown(stream: IO[bytes], file: Path, now: datetime) -> Iterator[Arriving]:
    """Yield what the list items under the headings of the kinds say; under no heading they are facts.

    Raises:
        UsageError: If it is no text, or fewer memories than its head tells of.
    """
    kind: Kind | None = Kind.FACT
    announced, found = 0, 0
    for number, line in lines(stream, file):
        text = _text(line, file)
        if told := _COUNT.match(text):
            announced = int(told.group(1).replace(",", ""))
        elif text.startswith("#"):
            kind = _kind_under(text)
        elif words := _item(text):
            found += 1
            if kind is not None:
                yield Arriving(place=f"line {number}", memory=from_elsewhere(words, kind, clean(file.name), now))
    if found < announced:
        raise UsageError(f"{file} has {found:,} of its {announced:,} memories: it was cut off. {NOTHING_DONE}")
    if not found and not announced:
        raise UsageError(f"{file} holds no memories: they are written as list items, `- like this`. {NOTHING_DONE}")


def _text(line: bytes, file: Path) -> str:
    try:
        return clean(line.decode())
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is no text in UTF-8. {NOTHING_DONE}") from error


def _kind_under(heading: str) -> Kind | None:
    """The kind of what stands under a heading; `None` for what is to be passed over."""
    words = heading.lstrip("#").strip().casefold()
    return None if words.endswith(_PAST) else _KINDS.get(words, Kind.FACT)


def _item(line: str) -> str:
    """What a list item says; empty for any other line."""
    return line[2:].strip() if line.startswith(("- ", "* ")) else ""


def from_elsewhere(text: str, kind: Kind, origin: str, now: datetime, *, by: Extractor = Extractor.USER) -> Memory:
    """A memory of which nothing is known but what it says and where it was found."""
    return Memory(
        id=memory_id(kind, text, None),
        kind=kind,
        text=text,
        extractor=by,
        created_at=now,
        updated_at=now,
        valid_from=now,
        imported_from=origin,
    )


def _told(memory: Memory, past: Sequence[ChangeSet]) -> Iterator[str]:
    yield f"- {_line(memory.text)}"
    yield f"  *{' · '.join(_facts(memory))}*"
    for quote in memory.quotes:
        yield f"  > {_line(quote.text)}  "
        yield f"  > — {_day(quote.said_at)}, session {_line(quote.session_id)}, turn {_line(quote.turn_id)}"
    for link in memory.links:
        reason = f" ({_line(link.reason)})" if link.reason else ""
        yield f"  {link.relation.value.replace('_', ' ')} {link.to}{reason}  "
    for changes, said in _wordings(past, memory.id):
        yield f"  before {_day(changes.made_at)}: {_line(said)}  "


def _facts(memory: Memory) -> Iterator[str]:
    yield memory.id
    yield memory.status.value if memory.waits_for is None else f"waits for {memory.waits_for.value}"
    if memory.subject != "user":
        yield f"about {_line(memory.subject)}"
    if memory.slot:
        yield _line(memory.slot)
    yield f"since {_day(memory.valid_from)}" + (f" until {_day(memory.valid_to)}" if memory.valid_to else "")
    if memory.event_date:
        yield f"happened {_line(memory.event_date)}"
    if memory.pinned:
        yield "pinned"
    if memory.tags:
        yield "tags: " + ", ".join(map(_line, memory.tags))
    if memory.imported_from:
        yield f"taken over from {_line(memory.imported_from)}"
    if memory.doubt:
        yield f"to check: {_line(memory.doubt)}"


def _wordings(past: Sequence[ChangeSet], memory_id_: MemoryId) -> Iterator[tuple[ChangeSet, str]]:
    for changes in past:
        for change in changes.changes:
            if change.memory_id == memory_id_ and change.before and change.before.text != change.memory.text:
                yield changes, change.before.text


def _line(text: str) -> str:
    return " ".join(clean(text).split())


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"
