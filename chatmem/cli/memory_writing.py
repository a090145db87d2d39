"""`chatmem memory add`, `edit`, `merge` and the like: what a person does to memories by hand."""

import sys
from typing import Annotated

import typer

from chatmem.bootstrap import open_memories
from chatmem.cli.memory_lines import Id, KindOption, kind_named, line, report, report_all
from chatmem.cli.options import Json, Yes, installation
from chatmem.cli.output import tell
from chatmem.domain.errors import UsageError
from chatmem.domain.memory import Kind, Memory, MemoryId

UNDOABLE = "`chatmem memory changes` shows the change, `chatmem memory undo` takes it back."

app = typer.Typer()

SlotOption = Annotated[str | None, typer.Option("--slot", help="What it is about: name, home, diet, ...")]


@app.command()
def add(
    context: typer.Context, text: str, kind: KindOption = None, slot: SlotOption = None, as_json: Json = False
) -> None:
    """Add a memory by hand."""
    with open_memories(installation(context)) as product:
        product.prepare_recall()
        report(product.curator.add(text, kind_named(kind) or Kind.FACT, slot), as_json=as_json)


@app.command()
def edit(  # noqa: PLR0917 typer reads the options off the arguments
    context: typer.Context,
    memory_id: Id,
    text: Annotated[str | None, typer.Argument(help="What it says from now on.")] = None,
    kind: KindOption = None,
    slot: Annotated[str | None, typer.Option("--slot", help='What it is about; "" for nothing.')] = None,
    as_json: Json = False,
) -> None:
    """Correct a memory's text, kind or slot."""
    if (text, kind, slot) == (None, None, None):
        raise UsageError("Nothing was changed. Give the new text, --kind or --slot.")
    with open_memories(installation(context)) as product:
        product.prepare_recall()
        edited = product.curator.edit(MemoryId(memory_id), text, kind=kind_named(kind), slot=slot)
        report(edited, as_json=as_json)


@app.command()
def pin(context: typer.Context, memory_id: Id, as_json: Json = False) -> None:
    """Exempt a memory from decay and expiry."""
    with open_memories(installation(context)) as product:
        report(product.curator.pin(MemoryId(memory_id)), as_json=as_json)


@app.command()
def unpin(context: typer.Context, memory_id: Id, as_json: Json = False) -> None:
    """Let a memory decay like others."""
    with open_memories(installation(context)) as product:
        report(product.curator.unpin(MemoryId(memory_id)), as_json=as_json)


@app.command()
def merge(
    context: typer.Context,
    ids: Annotated[list[str], typer.Argument(help="Ids of two memories, or more.")],
    text: Annotated[str | None, typer.Option(help="What the one says; else the words of the fullest.")] = None,
    as_json: Json = False,
) -> None:
    """Make one memory of several; it rests on all that they rested on, and they stay readable."""
    with open_memories(installation(context)) as product:
        product.prepare_recall()
        merged = product.curator.merge([MemoryId(id_) for id_ in ids], text)
    _report_change([merged], as_json=as_json)


@app.command()
def split(
    context: typer.Context,
    memory_id: Id,
    texts: Annotated[list[str], typer.Argument(help="What each of the new memories says, two at least.")],
    as_json: Json = False,
) -> None:
    """Make several memories of one; each rests on all that it rested on, and it stays readable."""
    with open_memories(installation(context)) as product:
        product.prepare_recall()
        parts = product.curator.split(MemoryId(memory_id), texts)
    _report_change(parts, as_json=as_json)


@app.command()
def wrong(
    context: typer.Context,
    ids: Annotated[list[str], typer.Argument(help="Ids of memories.")],
    never_again: Annotated[
        bool | None, typer.Option("--never-again/--may-return", help="Whether a tombstone keeps it from being learned.")
    ] = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Say that memories are not so: they leave recall, and what rests on them is to be checked."""
    with open_memories(installation(context)) as product:
        wanted = [MemoryId(id_) for id_ in ids]
        if never_again is None and not yes and sys.stdin.isatty():
            for memory in product.memories.get(wanted):
                tell(f"  wrong   {line(memory)}")
            never_again = typer.confirm("Keep it from being learned again?", default=False, err=True)
        product.prepare_recall()
        called = product.curator.wrong(wanted, bar_it=bool(never_again))
    _report_change(called, as_json=as_json)


def _report_change(memories: list[Memory], *, as_json: bool) -> None:
    report_all(memories, as_json=as_json)
    if not as_json:
        tell(UNDOABLE)
