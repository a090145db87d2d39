"""What the global options come to, handed down to the commands."""

from typing import Annotated

import typer

from chatmem.bootstrap import Installation

Json = Annotated[bool, typer.Option("--json", help="Print one JSON value.")]
MOST = 1_000_000
"""The largest count that is asked for; none of the stores takes a number of any size."""

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def install(context: typer.Context, installation: Installation) -> None:
    """Keep the installation for the command that follows."""
    context.obj = installation


def installation(context: typer.Context) -> Installation:
    """The installation that the global options described."""
    found = context.find_object(Installation)
    if found is None:
        raise LookupError("the callback has not run")
    return found
