"""`chatmem memory changes` and `undo`: what changed in memory, and taking it back."""

from typing import Annotated

import typer

from chatmem.bootstrap import open_memories
from chatmem.cli.memory_lines import difference
from chatmem.cli.options import MOST, Json, installation
from chatmem.cli.output import memory_json, print_json, say, stamp, tell
from chatmem.domain.change import ChangeSet, ChangeSetId

app = typer.Typer()


@app.command()
def changes(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="At most so many change sets.")] = 20,
    as_json: Json = False,
) -> None:
    """Show what changed in memory, the newest first."""
    with open_memories(installation(context)) as product:
        found = product.journal.change_sets(limit=limit)
    if as_json:
        print_json([change_set_json(one) for one in found])
        return
    for one in found:
        show(one)
    if not found:
        tell("Nothing has changed yet.")


@app.command()
def undo(
    context: typer.Context, change_id: Annotated[str, typer.Argument(help="The change's id.")], as_json: Json = False
) -> None:
    """Take a change back; undoing the undo brings it again."""
    with open_memories(installation(context)) as product:
        product.prepare_recall()
        made = product.undo.run(ChangeSetId(change_id))
    if as_json:
        print_json(change_set_json(made))
    else:
        show(made)


def show(change_set: ChangeSet) -> None:
    """Print a change set for people."""
    undoes = f" of {change_set.undoes}" if change_set.undoes else ""
    say(f"{change_set.id}  {change_set.made_at:%Y-%m-%d %H:%M}  {change_set.cause.value}{undoes}")
    for change in change_set.changes:
        for told in difference(change):
            say(told)


def change_set_json(change_set: ChangeSet) -> dict[str, object]:
    """A change set as the commands print it."""
    return {
        "id": change_set.id,
        "made_at": stamp(change_set.made_at),
        "cause": change_set.cause.value,
        "job_id": change_set.job_id,
        "undoes": change_set.undoes,
        "changes": [
            {
                "before": memory_json(change.before) if change.before else None,
                "after": memory_json(change.after) if change.after else None,
            }
            for change in change_set.changes
        ],
    }
