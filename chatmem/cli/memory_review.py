"""`chatmem memory accept`, `conflicts`, `stale` and the like: what asks for the person's word."""

import sys
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

import typer

from chatmem.bootstrap import open_memories
from chatmem.cli.memory_lines import line, report_all
from chatmem.cli.options import Json, Yes, installation
from chatmem.cli.output import memory_json, print_json, say, tell
from chatmem.consolidation.hygiene import Stale
from chatmem.domain.change import Cause
from chatmem.domain.errors import UsageError
from chatmem.domain.memory import MemoryId

app = typer.Typer()

Ids = Annotated[list[str], typer.Argument(help="Ids of memories.")]


class Side(StrEnum):
    """Which side of a contradiction stays."""

    NEW = "new"
    OLD = "old"
    BOTH = "both"


@app.command()
def accept(context: typer.Context, ids: Ids, as_json: Json = False) -> None:
    """Let memories that wait take part in recall (`memory list --status pending` shows them)."""
    with open_memories(installation(context)) as product:
        product.prepare_recall()
        report_all(product.curator.accept([MemoryId(id_) for id_ in ids]), as_json=as_json)


@app.command()
def reject(context: typer.Context, ids: Ids, as_json: Json = False) -> None:
    """Keep memories that wait out of recall; `memory restore` brings them back."""
    with open_memories(installation(context)) as product:
        report_all(product.curator.reject([MemoryId(id_) for id_ in ids]), as_json=as_json)


@app.command()
def confirm(context: typer.Context, ids: Ids, as_json: Json = False) -> None:
    """Say that memories still hold: they are neither in doubt nor stale."""
    with open_memories(installation(context)) as product:
        report_all(product.curator.confirm([MemoryId(id_) for id_ in ids]), as_json=as_json)


@app.command()
def retire(context: typer.Context, ids: Ids, as_json: Json = False) -> None:
    """Take memories out of recall; they stay readable."""
    with open_memories(installation(context)) as product:
        report_all(product.curator.retire([MemoryId(id_) for id_ in ids]), as_json=as_json)


@app.command()
def restore(context: typer.Context, ids: Ids, as_json: Json = False) -> None:
    """Bring back memories that were retired, rejected or pruned."""
    with open_memories(installation(context)) as product:
        product.prepare_recall()
        report_all(product.curator.restore([MemoryId(id_) for id_ in ids]), as_json=as_json)


@app.command()
def conflicts(context: typer.Context, as_json: Json = False) -> None:
    """Show memories that contradict one another."""
    with open_memories(installation(context)) as product:
        found = product.curator.conflicts()
    if as_json:
        print_json([{"new": memory_json(one.new), "old": [memory_json(old) for old in one.old]} for one in found])
        return
    for one in found:
        say(f"new  {line(one.new)}")
        for old in one.old:
            say(f"old  {line(old)}")
    if not found:
        tell("Nothing contradicts anything.")


@app.command()
def resolve(
    context: typer.Context,
    memory_id: Annotated[str, typer.Argument(help="The id of the newer one.")],
    keep: Annotated[Side, typer.Option(help="Which side stays.")],
    as_json: Json = False,
) -> None:
    """Settle a contradiction; the side that goes stays readable."""
    with open_memories(installation(context)) as product:
        product.prepare_recall()
        report_all(product.curator.resolve(MemoryId(memory_id), keep.value), as_json=as_json)


@app.command()
def stale(context: typer.Context, as_json: Json = False) -> None:
    """List memories that were not used for 90 days; nothing is done to them."""
    with open_memories(installation(context)) as product:
        found = product.hygiene.stale(datetime.now(UTC))
    if as_json:
        print_json([stale_json(one) for one in found])
        return
    for one in found:
        say(f"{one.days:4.0f} days  {one.retention:.2f}  {line(one.memory)}")
    if not found:
        tell("Nothing is stale.")


@app.command()
def prune(context: typer.Context, yes: Yes = False, as_json: Json = False) -> None:
    """Retire what is stale, after showing it; `memory undo` and `memory restore` bring it back."""
    with open_memories(installation(context)) as product:
        found = product.hygiene.stale(datetime.now(UTC))
        if not found:
            tell("Nothing is stale.")
        elif not yes:
            for one in found:
                tell(f"  retire   {line(one.memory)}")
            if not sys.stdin.isatty():
                raise UsageError("Nothing was retired. Add --yes to do it without being asked.")
            typer.confirm("Take these out of recall?", abort=True, err=True)
        pruned = product.curator.retire([one.memory.id for one in found], Cause.PRUNE)
    report_all(pruned, as_json=as_json)


def stale_json(stale: Stale) -> dict[str, object]:
    """A stale memory as the commands print it."""
    return {"days": round(stale.days, 1), "uses": stale.uses, "retention": round(stale.retention, 4)} | memory_json(
        stale.memory
    )
