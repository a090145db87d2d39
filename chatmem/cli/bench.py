"""`chatmem bench`: the figures of the README, measured on this machine."""

import typer

app = typer.Typer(help="Measure recall and speed on this machine.", no_args_is_help=True)
