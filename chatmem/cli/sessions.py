"""`chatmem sessions`: what was said."""

from pathlib import Path
from typing import Annotated

import typer

from chatmem.bootstrap import open_product
from chatmem.cli.options import Json, installation
from chatmem.cli.output import print_json, say, stamp, tell
from chatmem.domain.turn import Session, SessionId, Turn

app = typer.Typer(help="What was said: list, read, import.", no_args_is_help=True)

Id = Annotated[str, typer.Argument(help="The session's id.")]


@app.command("list")
def list_(
    context: typer.Context,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many.")] = None,
    as_json: Json = False,
) -> None:
    """List sessions, the one last spoken in first."""
    with open_product(installation(context)) as product:
        sessions = product.log.sessions(limit=limit)
    if as_json:
        print_json([session_json(session) for session in sessions])
        return
    for session in sessions:
        last = session.last_at or session.started_at
        say(f"{session.id}  {last:%Y-%m-%d %H:%M}  {session.turn_count:>4}  {session.title}")
    if not sessions:
        tell("Nothing was said yet. `chatmem` opens the app; `chatmem ask TEXT` says one thing.")


@app.command()
def show(context: typer.Context, session_id: Id, as_json: Json = False) -> None:
    """Print a session, turn by turn."""
    with open_product(installation(context)) as product:
        session = product.log.session(SessionId(session_id))
        turns = product.log.turns(session.id)
    if as_json:
        print_json(session_json(session) | {"summary": session.summary, "turns": [turn_json(turn) for turn in turns]})
        return
    say(session.title)
    for turn in turns:
        mark = "" if turn.status.value == "complete" else f" ({turn.status.value})"
        say(f"\n{turn.speaker or turn.role.value}, {turn.said_at:%Y-%m-%d %H:%M}{mark}:\n{turn.text}")


@app.command()
def rename(context: typer.Context, session_id: Id, name: str) -> None:
    """Give a session another title."""
    with open_product(installation(context)) as product:
        product.log.session(SessionId(session_id))
        product.log.rename(SessionId(session_id), name)


@app.command("import")
def import_(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(help="A conversations.json of ChatGPT or Claude, or a benchmark conversation.")
    ],
    as_json: Json = False,
) -> None:
    """Import sessions and queue them for consolidation; what is there already is left alone."""
    with open_product(installation(context)) as product:
        imported = product.importer.run(file)
    if as_json:
        print_json({"sessions": imported.sessions, "turns": imported.turns, "already_there": imported.already_there})
    else:
        say(
            f"Imported {imported.sessions} sessions, {imported.turns} turns; "
            f"{imported.already_there} turns were there already."
        )
        say("`chatmem consolidate --wait` learns from them now; the app does so in the background.")


def session_json(session: Session) -> dict[str, object]:
    """A session as the commands print it."""
    return {
        "id": session.id,
        "title": session.title,
        "started_at": stamp(session.started_at),
        "last_at": stamp(session.last_at),
        "turns": session.turn_count,
        "model": session.model,
    }


def turn_json(turn: Turn) -> dict[str, object]:
    """A turn as the commands print it."""
    return {
        "id": turn.id,
        "seq": turn.seq,
        "role": turn.role.value,
        "speaker": turn.speaker,
        "text": turn.text,
        "said_at": stamp(turn.said_at),
        "status": turn.status.value,
        "model": turn.model,
        "error": turn.error,
    }
