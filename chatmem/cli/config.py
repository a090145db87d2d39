"""`chatmem config`: where the settings lie, what they are, changing one."""

import typer

from chatmem.cli.options import Json, installation
from chatmem.cli.output import print_json, say, tell
from chatmem.domain.errors import NotFoundError

app = typer.Typer(help="The settings: where they lie, what they are.", no_args_is_help=True)


@app.command()
def path(context: typer.Context) -> None:
    """Print where the settings file is looked for."""
    say(str(installation(context).config_path))


@app.command()
def show(context: typer.Context, as_json: Json = False) -> None:
    """Print each setting with where it came from; keys are masked."""
    rows = installation(context).explain()
    if as_json:
        print_json([{"key": row.key, "value": row.value, "from": row.origin} for row in rows])
        return
    for row in rows:
        say(f"{row.key:<32} {row.value!s:<32} {row.origin}")


@app.command()
def get(context: typer.Context, key: str) -> None:
    """Print one setting."""
    found = [row.value for row in installation(context).explain() if row.key == key]
    if not found:
        raise NotFoundError(f"There is no setting {key}. `chatmem config show` lists them.")
    say(str(found[0]))


@app.command("set", context_settings={"ignore_unknown_options": True})  # so that -1 is a value
def set_(context: typer.Context, key: str, value: str) -> None:
    """Change one setting in the settings file; an empty VALUE goes back to the default."""
    place = installation(context)
    place.change(key, value)
    origin = next((row.origin for row in place.explain() if row.key == key), "default")
    if origin not in {"default", str(place.config_path)}:
        tell(f"chatmem: {key} was written, but {origin} says otherwise and wins.")
