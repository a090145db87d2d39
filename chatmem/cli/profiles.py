"""`chatmem profiles`: folders that share nothing."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from chatmem.bootstrap.profile_archive import ProfileArchive
from chatmem.bootstrap.profile_folders import ProfileFolders
from chatmem.cli.options import Json, Yes, installation
from chatmem.cli.output import print_json, say, tell
from chatmem.domain.errors import NotFoundError, UsageError

app = typer.Typer(help="Profiles, which share nothing: list, create, forget, export, import.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The profile's name.")]


@app.command("list")
def list_(context: typer.Context, as_json: Json = False) -> None:
    """List profiles; a star marks the one in use."""
    found = ProfileFolders(installation(context)).list()
    if as_json:
        print_json([{"name": one.name, "current": one.current, "bytes": one.size} for one in found])
        return
    for one in found:
        say(f"{'*' if one.current else ' '} {one.name:<24} {one.size / 2**20:>10.1f} MiB")
    if not found:
        tell("There is no profile yet. `chatmem` makes one when it first opens.")


@app.command()
def create(context: typer.Context, name: Name) -> None:
    """Make an empty profile; `chatmem --profile NAME` opens it."""
    folder = ProfileFolders(installation(context)).create(name)
    tell(f"Made {folder}. `chatmem --profile {name}` opens it.")


@app.command()
def forget(context: typer.Context, name: Name, yes: Yes = False, as_json: Json = False) -> None:
    """Erase a profile with all that was said and learned there, and what keeps it from being learned again."""
    folders = ProfileFolders(installation(context))
    if not yes:
        confirm(folders, name)
    size = folders.forget(name)
    if as_json:
        print_json({"profile": name, "erased_bytes": size})
    else:
        say(f"Erased the profile {name}: {size / 2**20:.1f} MiB.")


@app.command("export")
def export_(
    context: typer.Context,
    name: Name,
    file: Annotated[Path, typer.Argument(help="A ZIP archive; it holds no settings and no keys.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_json: Json = False,
) -> None:
    """Write a profile to one file that only you can read, as it is now; it may be open."""
    size = ProfileArchive(installation(context)).write(name, file, datetime.now(UTC), overwrite=force)
    if as_json:
        print_json({"profile": name, "file": str(file), "bytes": size})
    else:
        say(f"Wrote the profile {name} to {file}: {size / 2**20:.1f} MiB.")


@app.command("import")
def import_(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="What `profiles export` wrote.")],
    name: Annotated[str | None, typer.Argument(help="Another name than it had.")] = None,
    as_json: Json = False,
) -> None:
    """Make a profile of an archive; what recall searches is made again when it is first opened."""
    made = ProfileArchive(installation(context)).read(file, name)
    if as_json:
        print_json({"profile": made})
    else:
        say(f"Made the profile {made}. `chatmem --profile {made}` opens it.")


def confirm(folders: ProfileFolders, name: str) -> None:
    """Show what will go, and ask.

    Raises:
        NotFoundError: If there is no such profile.
        UsageError: If there is nobody to ask.
        Exit: If the person says no.
    """
    found = next((one for one in folders.list() if one.name == name), None)
    if found is None:
        raise NotFoundError(f"There is no profile {name}. `chatmem profiles list` shows what there is.")
    tell(f"  profile  {name}: its sessions, memories and tombstones, {found.size / 2**20:.1f} MiB")
    if not sys.stdin.isatty():
        raise UsageError("Forgetting can't be undone. Add --yes to do it without being asked.")
    typer.confirm("Erase it?", abort=True, err=True)
