"""Commands about chatmem itself: consolidate, stats, doctor, config."""

from typing import Annotated

import typer

from chatmem.cli.options import Json, installation
from chatmem.cli.output import FAILED, NO_MODEL, memory_json, print_json, say, tell
from chatmem.domain.change import ChangeSet
from chatmem.domain.turn import SessionId

config = typer.Typer(help="The settings: where they lie, what they are.", no_args_is_help=True)


def consolidate(  # noqa: PLR0917 typer reads the options off the arguments
    context: typer.Context,
    wait: Annotated[bool, typer.Option("--wait", help="Also wait for what another window is working on.")] = False,
    session: Annotated[str | None, typer.Option(help="Only this session.")] = None,
    extractor: Annotated[str | None, typer.Option(help="rules or model; by default the model where it can.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would be learned, write nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Learn from what was said, now."""
    session_id = SessionId(session) if session else None
    with installation(context).open(extractor=extractor) as product:
        if session_id:
            product.log.session(session_id)
        product.prepare_recall()
        if dry_run:
            print_changes(product.propose(session_id), as_json=as_json)
            return
        outcome = product.consolidate_now(session_id, wait=wait, progress=tell)
    if as_json:
        print_json(
            {
                "jobs": outcome.jobs,
                "added": outcome.added,
                "strengthened": outcome.strengthened,
                "pending": outcome.pending,
                "problem": outcome.problem,
            }
        )
    else:
        say(f"{outcome.jobs} jobs done: {outcome.added} new memories, {outcome.strengthened} told again.")
    if outcome.pending and outcome.problem:
        tell(f"chatmem: {outcome.pending} jobs wait: {outcome.problem}")
        raise typer.Exit(NO_MODEL)


def print_changes(change_sets: list[ChangeSet], *, as_json: bool) -> None:
    """Print what change sets hold."""
    changes = [change for change_set in change_sets for change in change_set.changes]
    if as_json:
        print_json(
            [
                {
                    "before": memory_json(change.before) if change.before else None,
                    "after": memory_json(change.after),
                }
                for change in changes
            ]
        )
        return
    for change in changes:
        say(f"{'~' if change.before else '+'} {change.after.kind.word:<9} {change.after.text}")
    if not changes:
        tell("Nothing new would be learned.")


def stats(context: typer.Context, as_json: Json = False) -> None:
    """Count what there is and how it does."""
    with installation(context).open() as product:
        figures = product.statistics()
    if as_json:
        print_json(figures)
        return
    for name, value in figures.items():
        say(f"{name.replace('_', ' '):<16} {value}")


def doctor(
    context: typer.Context,
    repair: Annotated[bool, typer.Option("--repair", help="Rebuild the memory store from the session log.")] = False,
    as_json: Json = False,
) -> None:
    """Check everything, and name the cure of each fault."""
    from chatmem.bootstrap import examine

    findings = examine(installation(context), repair=repair)
    if as_json:
        print_json([{"check": f.check, "ok": f.ok, "says": f.says, "cure": f.cure} for f in findings])
    else:
        for finding in findings:
            say(f"{'ok  ' if finding.ok else 'FAULT'}  {finding.check}: {finding.says}")
            if finding.cure:
                say(f"       {finding.cure}")
    if not all(finding.ok for finding in findings):
        raise typer.Exit(FAILED)


@config.command()
def path(context: typer.Context) -> None:
    """Print where the settings file is looked for."""
    say(str(installation(context).config_path))


@config.command("show")
def show(context: typer.Context, as_json: Json = False) -> None:
    """Print each setting with where it came from."""
    rows = installation(context).explain()
    if as_json:
        print_json([{"key": row.key, "value": row.value, "from": row.origin} for row in rows])
        return
    for row in rows:
        say(f"{row.key:<32} {row.value!s:<32} {row.origin}")


@config.command("get")
def get(context: typer.Context, key: str) -> None:
    """Print one setting."""
    say(str(installation(context).explain_one(key).value))


@config.command("set")
def set_(context: typer.Context, key: str, value: str) -> None:
    """Write one setting into the file."""
    installation(context).change(key, value)
