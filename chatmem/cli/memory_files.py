"""`chatmem memory export` and `chatmem memory import`: memories to files and from them, looked through first."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from chatmem.bootstrap import Product, open_memories
from chatmem.cli.options import Json, Yes, installation
from chatmem.cli.output import print_json, progress_bar, say, tell
from chatmem.consolidation.arriving import EXAMPLES, Audit, Judged, Verdict
from chatmem.domain.errors import UsageError
from chatmem.ports.memory_store import MemoryFilter
from chatmem.ui.wording import counted

app = typer.Typer()

WORDS = {
    Verdict.NEW: "new",
    Verdict.SAME: "said here in other words: not added twice",
    Verdict.ORDER: "tell the model what to do: wait for your word",
    Verdict.SENSITIVE: "of a sensitive kind: wait for your word, or leave recall by themselves",
    Verdict.HERE: "here already: passed over",
    Verdict.REPEATED: "said before in the file: passed over",
    Verdict.FORGOTTEN: "forgotten here: stay so",
    Verdict.SECRET: "hold secrets: left out",
    Verdict.REFUSED: "of a kind that is never kept: left out",
    Verdict.LONG: "too long for a memory: left out",
}
"""What was found, and what becomes of it, in the order in which it is told."""


@app.command("export")
def export_(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="Markdown for .md, to be read; else JSON Lines with all that is known.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
) -> None:
    """Write all memories to a file that only you can read: everything but the vectors, which are made again."""
    from chatmem.consolidation.histories import histories

    with open_memories(installation(context)) as product:
        memories = product.memories.select(MemoryFilter())
        product.memory_files.write(file, memories, histories(product.journal), overwrite=force)
    tell(f"Wrote {counted(len(memories), 'memory', 'memories')} to {file}.")


@app.command("import")
def import_(  # noqa: PLR0917 typer reads the options off the arguments
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="JSON Lines or Markdown of chatmem, or an export of mem0.")],
    user: Annotated[str | None, typer.Option(help="Of several users' memories (mem0), those of this one.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Look through the file, and write nothing.")] = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Take memories over from a file, after looking through it; what is here already is left alone."""
    with open_memories(installation(context)) as product:
        product.prepare_recall()
        if dry_run or not yes:
            audit = looked_through(product, file, user)
            if dry_run:
                report(audit, taken=False, as_json=as_json)
                return
            confirm(audit)
        with progress_bar(file.name, of_bytes=False) as advance:
            audit = product.taking_over.take(file, user=user, advance=advance)
    report(audit, taken=True, as_json=as_json)


def looked_through(product: Product, file: Path, user: str | None) -> Audit:
    """What is found in a file; nothing is written."""
    with progress_bar(file.name, of_bytes=False) as advance:
        return product.taking_over.audit(file, user=user, advance=advance)


def confirm(audit: Audit) -> None:
    """Show what was found, and ask.

    Raises:
        UsageError: If there is nobody to ask.
        Exit: If the person says no.
    """
    for text in told(audit):
        tell(text)
    if not (audit.added or audit.counts.get(Verdict.SAME)):
        return
    if not sys.stdin.isatty():
        raise UsageError("Nothing was imported. Add --yes to do it without being asked.")
    typer.confirm(f"Take {counted(audit.added, 'memory', 'memories')} over?", abort=True, err=True)


def report(audit: Audit, *, taken: bool, as_json: bool) -> None:
    """Print what was found, or done."""
    if as_json:
        print_json(audit_json(audit) | {"imported": audit.added if taken else 0})
        return
    for text in told(audit):
        say(text)
    if not taken:
        say("Nothing was written: this was a dry run.")
    elif audit.counts.get(Verdict.ORDER) or audit.counts.get(Verdict.SENSITIVE):
        say("`chatmem memory list --status pending` shows what waits; `chatmem memory accept ID` lets it in.")


def told(audit: Audit) -> Iterator[str]:
    """What was found: counts, and the first examples of each verdict but `NEW`."""
    yield f"{counted(audit.total, 'memory', 'memories')} in the file"
    for verdict, words in WORDS.items():
        if count := audit.counts.get(verdict):
            yield f"{count:>8,}  {words}"
            examples = [one for one in audit.examples if one.verdict is verdict]
            yield from (f"          {example(one)}" for one in examples)
            if verdict is not Verdict.NEW and count > EXAMPLES:
                yield f"          … and {count - EXAMPLES:,} more"


def example(judged: Judged) -> str:
    """One memory that was found, in a line."""
    return f"{judged.arriving.place}: {judged.told}" if judged.told else judged.arriving.place


def audit_json(audit: Audit) -> dict[str, object]:
    """What was found, as the command prints it."""
    return {
        "memories": audit.total,
        "counts": {verdict.value: audit.counts.get(verdict, 0) for verdict in Verdict},
        "examples": [
            {"place": one.arriving.place, "verdict": one.verdict.value, "told": one.told} for one in audit.examples
        ],
    }
