"""`chatmem sessions`: what was said."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from chatmem.adapters.exports.session_lines import write_sessions
from chatmem.bootstrap import open_product
from chatmem.cli.memory_forget import forget_session
from chatmem.cli.options import MOST, Json, installation
from chatmem.cli.output import print_json, say, stamp, tell
from chatmem.conversation.exporting import Exporter, remark
from chatmem.domain.errors import UsageError
from chatmem.domain.text import clean, shortened
from chatmem.domain.turn import Session, SessionId, Turn, TurnId
from chatmem.ui.wording import counted

LINE_LENGTH = 120

app = typer.Typer(help="What was said: list, read, search, forget, export, import.", no_args_is_help=True)

app.command("forget")(forget_session)

Id = Annotated[str, typer.Argument(help="The session's id.")]


@app.command("list")
def list_(
    context: typer.Context,
    limit: Annotated[int | None, typer.Option(min=1, max=MOST, help="At most so many.")] = None,
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
        say(f"{session.id}  {last:%Y-%m-%d %H:%M}  {session.current_count:>4}  {session.title}")
    if not sessions:
        tell("Nothing was said yet. `chatmem` opens the app; `chatmem ask TEXT` says one thing.")


@app.command()
def show(context: typer.Context, session_id: Id, as_json: Json = False) -> None:
    """Print a session, turn by turn; of answers given again and turns that were edited, those that are current."""
    with open_product(installation(context)) as product:
        session = product.log.session(SessionId(session_id))
        turns = product.log.turns(session.id)
        beside = product.log.alternatives(session.id)
    if as_json:
        said = [turn_json(turn) | {"alternatives": list(beside.get(turn.id, ()))} for turn in turns]
        print_json(session_json(session) | {"summary": session.summary, "turns": said})
        return
    say(session.title)
    for turn in turns:
        notes = [who_and_when(turn), *place_of(turn, beside), *filter(None, [remark(turn)])]
        images = [f"[image: {one.name}, {one.size / 1024:.0f} KiB]" for one in turn.attachments]
        say("\n" + "\n".join([f"{' · '.join(notes)}:", *images, turn.text]))


@app.command()
def search(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="Words to look for, whatever their case.")],
    session_id: Annotated[str | None, typer.Option("--session", help="Look in this session only.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="At most so many turns.")] = 20,
    as_json: Json = False,
) -> None:
    """Find turns that hold a text, the newest first."""
    wanted = clean(text).strip()
    if not wanted:
        raise UsageError("Say what to look for.")
    with open_product(installation(context)) as product:
        found = product.log.search(wanted, session_id=SessionId(session_id) if session_id else None, limit=limit)
    if as_json:
        print_json([turn_json(turn) | {"line": line_with(turn.text, wanted)} for turn in found])
        return
    for turn in found:
        say(f"{turn.session_id}  {who_and_when(turn)}: {line_with(turn.text, wanted)}")
    if not found:
        tell(f"Nobody said “{wanted}”.")


@app.command()
def export(
    context: typer.Context,
    places: Annotated[
        list[str],
        typer.Argument(
            metavar="ID FILE",
            help="Markdown for .md; for .json everything, to be imported again. With --all, FILE alone: .md or .jsonl.",
        ),
    ],
    everything: Annotated[bool, typer.Option("--all", help="All sessions, into one file.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
) -> None:
    """Write a session, or all of them, to a file that only you can read."""
    if len(places) != (1 if everything else 2):
        raise UsageError(
            "Say which session and which file: `sessions export ID FILE`, or `sessions export --all FILE`."
        )
    file = Path(places[-1])
    with open_product(installation(context)) as product:
        if everything:
            number = write_sessions(product.log, file, overwrite=force)
        else:
            Exporter(product.log).run(SessionId(places[0]), file, overwrite=force)
    tell(f"Wrote {counted(number, 'session')} to {file}." if everything else f"Wrote {file}.")


@app.command()
def rename(
    context: typer.Context, session_id: Id, name: Annotated[str, typer.Argument(help="Its title from now on.")]
) -> None:
    """Give a session another title."""
    with open_product(installation(context)) as product:
        product.log.session(SessionId(session_id))
        product.log.rename(SessionId(session_id), product.screening.screened(name).kept)


@app.command()
def pause(context: typer.Context, session_id: Id) -> None:
    """Learn nothing from what is said in a session from now on, nor recall it elsewhere."""
    _set_off_record(context, SessionId(session_id), off_record=True)
    tell(f"Learning is paused there; `chatmem sessions resume {session_id}` goes on with it.")


@app.command()
def resume(context: typer.Context, session_id: Id) -> None:
    """Go on learning from a session; what was said while that was paused stays out of it."""
    _set_off_record(context, SessionId(session_id), off_record=False)


def _set_off_record(context: typer.Context, session_id: SessionId, *, off_record: bool) -> None:
    with open_product(installation(context)) as product:
        product.log.set_off_record(session_id, off_record)


@app.command("import")
def import_(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(
            help="An export of chatmem, a conversations.json of ChatGPT or Claude, or a benchmark conversation."
        ),
    ],
    as_json: Json = False,
) -> None:
    """Import sessions and queue them for consolidation; what is there already is left alone."""
    with open_product(installation(context)) as product:
        imported = product.importer.run(file)
    if as_json:
        print_json(asdict(imported))
    else:
        say(
            f"Imported {imported.sessions} sessions, {imported.turns} turns; "
            f"{imported.already_there} turns were there already."
        )
        if imported.forgotten:
            say(f"{imported.forgotten} sessions were passed over: they were forgotten here, and stay so.")
        if imported.removed:
            say(f"{imported.removed} secrets were taken out of them; `chatmem stats` counts them by kind.")
        if imported.turns:
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
        "learning_paused": session.off_record,
    }


def turn_json(turn: Turn) -> dict[str, object]:
    """A turn as the commands print it."""
    return {
        "id": turn.id,
        "session_id": turn.session_id,
        "seq": turn.seq,
        "role": turn.role.value,
        "speaker": turn.speaker,
        "text": turn.text,
        "said_at": stamp(turn.said_at),
        "status": turn.status.value,
        "model": turn.model,
        "error": turn.error,
        "reasoning": turn.reasoning,
        "finish_reason": turn.finish_reason,
        "off_record": turn.off_record,
        "attachments": [
            {"id": one.id, "name": one.name, "media_type": one.media_type, "bytes": one.size}
            for one in turn.attachments
        ],
    }


def who_and_when(turn: Turn) -> str:
    """Who said a turn, and when."""
    return f"{turn.speaker or turn.role.value}, {turn.said_at:%Y-%m-%d %H:%M}"


def place_of(turn: Turn, beside: Mapping[TurnId, Sequence[TurnId]]) -> list[str]:
    """Which of how many alternatives a turn is; empty where it is the only one."""
    others = beside.get(turn.id, ())
    return [f"{others.index(turn.id) + 1} of {len(others)}"] if others else []


def line_with(text: str, wanted: str) -> str:
    """The first line of a text that holds what is looked for, or its beginning, cut to what stands around it."""
    folded = wanted.splitlines()[0].casefold()
    line = " ".join(next((one for one in text.splitlines() if folded in one.casefold()), text).split())
    start = max(0, line.casefold().find(folded) - LINE_LENGTH // 3)
    return ("…" if start else "") + shortened(line[start:], LINE_LENGTH)
