"""How the commands on memories show them, and how they find one."""

from collections.abc import Iterator
from typing import Annotated

import typer

from chatmem.bootstrap import Product
from chatmem.cli.output import memory_json, print_json, say
from chatmem.domain.change import Change
from chatmem.domain.errors import NotFoundError, UsageError
from chatmem.domain.memory import Kind, Memory, MemoryId, Practice

KindOption = Annotated[str | None, typer.Option("--kind", help="fact, episode or procedure.")]
Id = Annotated[str, typer.Argument(help="The memory's id.")]

_SHOWN = ("text", "status", "kind", "slot", "pinned", "doubt", "superseded_by")
"""Fields whose change is told; times and quotes change with nearly everything."""


def one(product: Product, memory_id: str) -> Memory:
    """The memory of an id.

    Raises:
        NotFoundError: If there is none.
    """
    found = product.memories.get([MemoryId(memory_id)])
    if not found:
        raise NotFoundError(f"There is no memory {memory_id}. `chatmem memory list` shows what there is.")
    return found[0]


def kind_named(name: str | None) -> Kind | None:
    """A kind by its everyday word or its name in the field.

    Raises:
        UsageError: If there is no such kind.
    """
    if name is None:
        return None
    for kind in Kind:
        if name.lower() in {kind.word, kind.value, f"{kind.word}s"}:
            return kind
    raise UsageError(f"There is no kind {name!r}. Kinds are fact, episode and procedure.")


def line(memory: Memory) -> str:
    """A memory on one line."""
    waits = f" for {memory.waits_for.value}" if memory.waits_for else ""
    marks = f"{'pinned, ' if memory.pinned else ''}{memory.status.value}{waits}{', to check' if memory.doubt else ''}"
    return f"{memory.id}  {memory.kind.word:<9}  {memory.text}  [{marks}]"


def report(memory: Memory, *, as_json: bool) -> None:
    """Print a memory after it was changed."""
    if as_json:
        print_json(memory_json(memory))
    else:
        say(line(memory))


def report_all(memories: list[Memory], *, as_json: bool) -> None:
    """Print memories after they were changed."""
    if as_json:
        print_json([memory_json(memory) for memory in memories])
    else:
        for memory in memories:
            say(line(memory))


def difference(change: Change) -> Iterator[str]:
    """A change as lines: `+` for what is new, `-` for what was taken back, `~` with what became of an old one."""
    before, after = change.before, change.after
    if before is None or after is None:
        yield f"  {'-' if after is None else '+'} {line(change.memory)}"
        return
    yield f"  ~ {line(after)}"
    for name in _SHOWN:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield f"      {name}: {_told(old)} -> {_told(new)}"
    was, now = before.practice or Practice(), after.practice or Practice()
    if was.record != now.record:
        yield f"      {was.record} -> {now.record}"
    if more := len(after.quotes) - len(before.quotes):
        yield f"      quotes: {more:+d}"


def _told(value: object) -> str:
    if isinstance(value, Kind):
        return value.word
    return str(value) if value not in {None, ""} else "none"
