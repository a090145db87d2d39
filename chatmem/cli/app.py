"""The command line: global options, the app itself, and the groups of commands."""

from pathlib import Path
from typing import Annotated

import typer

from chatmem import __version__
from chatmem.bootstrap import Installation
from chatmem.cli import ask, bench, doctor, mcp, memory, models, profiles, sessions, status
from chatmem.cli import config as config_commands
from chatmem.cli.options import install
from chatmem.cli.output import say
from chatmem.cli.screen import open_screen

app = typer.Typer(
    help="A terminal chat with memory that can be seen, traced, corrected and erased.",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(name="ask")(ask.ask)
app.add_typer(memory.app, name="memory")
app.add_typer(sessions.app, name="sessions")
app.add_typer(models.app, name="models")
app.add_typer(profiles.app, name="profiles")
app.add_typer(config_commands.app, name="config")
app.add_typer(bench.app, name="bench")
app.command(name="consolidate")(status.consolidate)
app.command(name="stats")(status.stats)
app.command(name="doctor")(doctor.doctor)
app.command(name="mcp")(mcp.serve)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"chatmem {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def main(  # noqa: PLR0913, PLR0917 typer reads the options off the arguments
    context: typer.Context,
    profile: Annotated[
        str | None, typer.Option(help="Profile to use; profiles share nothing. Also $CHATMEM_PROFILE.")
    ] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Folder for sessions and memories. Also $CHATMEM_DATA_DIR.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="Settings file. Also $CHATMEM_CONFIG_FILE.")] = None,
    model: Annotated[str | None, typer.Option(help="Model to talk to. Also $CHATMEM_MODEL.")] = None,
    session: Annotated[str | None, typer.Option(help="Open this session.")] = None,
    resume: Annotated[bool, typer.Option("--continue", help="Open the session last spoken in.")] = False,
    incognito: Annotated[bool, typer.Option(help="Nothing reaches the disk, nothing is recalled.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Open the app; the commands below do the same things from scripts."""
    flags: dict[str, object] = {"profile": profile, "data_dir": data_dir, "model": model}
    installation = Installation(config_file=config, flags={k: v for k, v in flags.items() if v is not None})
    install(context, installation)
    if context.invoked_subcommand is None:
        open_screen(installation, session_id=session, resume=resume, incognito=incognito)
