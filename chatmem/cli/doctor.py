"""`chatmem doctor`: what is wrong, and what cures it."""

import importlib.util
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from chatmem.bootstrap import Installation, Product, open_product
from chatmem.cli.options import Json, installation
from chatmem.cli.output import FAILED, print_json, progress_bar, say
from chatmem.domain.errors import ChatMemError, ProviderError
from chatmem.domain.model import KeyPlace
from chatmem.ports.memory_store import MemoryFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check found; `cure` is empty where nothing is wrong."""

    check: str
    ok: bool
    says: str
    cure: str = ""


Check = Callable[[Product], Finding]


def doctor(
    context: typer.Context,
    repair: Annotated[bool, typer.Option("--repair", help="Rebuild the memory store from the session log.")] = False,
    as_json: Json = False,
) -> None:
    """Check everything, and name the cure of each fault."""
    findings = list(examine(installation(context), repair=repair))
    if as_json:
        print_json([{"check": f.check, "ok": f.ok, "says": f.says, "cure": f.cure} for f in findings])
    else:
        for finding in findings:
            say(f"{'ok   ' if finding.ok else 'FAULT'}  {finding.check}: {finding.says}")
            if finding.cure:
                say(f"       {finding.cure}")
    if not all(finding.ok for finding in findings):
        raise typer.Exit(FAILED)


def examine(place: Installation, *, repair: bool) -> Iterator[Finding]:
    """Run all checks; one that can't even begin ends the list."""
    try:
        with open_product(place) as product:
            yield Finding(check="settings", ok=True, says=str(place.config_path))
            if repair:
                with progress_bar("repair", of_bytes=False) as progress:
                    product.repair(progress)
                yield Finding(check="repair", ok=True, says="the memory store was rebuilt from the session log")
            for check in CHECKS:
                yield guarded(check, product)
    except ChatMemError as error:
        yield Finding(check="start", ok=False, says=str(error), cure="Mend this first; the other checks need it.")


def guarded(check: Check, product: Product) -> Finding:
    """Run a check; an error is a finding too."""
    try:
        return check(product)
    except ChatMemError as error:
        cure = "Run `chatmem doctor --repair`." if check is memory_store else ""
        return Finding(check=check.__name__.replace("_", " "), ok=False, says=str(error), cure=cure)


def folders(product: Product) -> Finding:
    """Whether the profile's folder, and all in it, is the person's own and nobody else's to read."""
    folder = product.paths.profile
    if alien := next((path for path in (folder, *folder.rglob("*")) if _is_open_to_others(path)), None):
        return Finding(
            check="folder",
            ok=False,
            says=f"{alien} belongs to, or can be read by, somebody else",
            cure=f"Make it yours alone: chown -R $USER {folder} && chmod -R go= {folder}",
        )
    return Finding(check="folder", ok=True, says=str(folder))


def _is_open_to_others(path: Path) -> bool:
    if os.name != "posix":
        return False
    try:
        status = path.lstat()
    except FileNotFoundError:  # another window has just replaced it
        return False
    return status.st_uid != os.getuid() or (not path.is_symlink() and bool(stat.S_IMODE(status.st_mode) & 0o077))


def session_log(product: Product) -> Finding:
    """Whether the session log can be read, and is whole."""
    product.database.check()
    sessions, turns = product.meter.sizes()
    return Finding(check="session log", ok=True, says=f"{sessions} sessions, {turns} turns")


def memory_store(product: Product) -> Finding:
    """Whether the memory store holds just what the journal says."""
    due = {memory.id for memory in product.journal.latest()}
    there = {memory.id for memory in product.memories.select(MemoryFilter())}
    if due != there:
        return Finding(
            check="memory store",
            ok=False,
            says=f"{len(due - there)} memories are missing from it, {len(there - due)} should not be there",
            cure="`chatmem doctor --repair` rebuilds it from the session log.",
        )
    return Finding(check="memory store", ok=True, says=f"{len(there)} memories")


def embedder(product: Product) -> Finding:
    """Which embedder the settings want, which one's vectors are searched, and what is being built."""
    enabled, in_use = product.settings.embedding.enabled, product.generations.answering()
    wanted = product.embedder.wanted
    if not enabled:
        return Finding(check="embedder", ok=True, says="switched off; recall goes by words alone")
    searched = f"{in_use.folder.name}, {in_use.dimension} dimensions" if in_use else "no generation yet"
    says = f"{wanted.model}; the indexes are {searched}{_building(product)}"
    if not wanted.here():
        return Finding(check="embedder", ok=True, says=f"{says}; its model is not here, recall goes by words alone")
    if in_use is not None and in_use.model != wanted.model:
        return Finding(
            check="embedder",
            ok=False,
            says=f"{says}, made with {in_use.model or 'no embedder'}",
            cure="`chatmem` builds them anew in the background while it is open, `chatmem doctor --repair` at once.",
        )
    return Finding(check="embedder", ok=True, says=says)


def _building(product: Product) -> str:
    names = [generation.folder.name for generation in product.generations.unfinished()]
    return f", and {' and '.join(names)} is being built" if names else ""


def forgetting(product: Product) -> Finding:
    """Whether a crash left something half forgotten."""
    if product.forgetting.resume():
        return Finding(check="forgetting", ok=True, says="what a crash had left was finished now")
    return Finding(check="forgetting", ok=True, says="nothing is left half done")


def queue(product: Product) -> Finding:
    """What waits to be consolidated."""
    return Finding(check="consolidation", ok=True, says=f"{product.queue.pending()} jobs wait")


def models(product: Product) -> Finding:
    """Whether the model files that are here are whole."""
    here = [entry.name for entry in product.model_store.entries() if entry.path]
    for name in here:
        product.model_store.check(name)
    missing = "" if product.embedder.wanted.here() else "; without an embedder, recall goes by words alone"
    return Finding(check="models", ok=True, says=(", ".join(here) or "none fetched") + missing)


def builtin(product: Product) -> Finding:
    """Whether built-in models can run on this machine."""
    if importlib.util.find_spec("xllamacpp"):
        return Finding(check="built-in models", ok=True, says="can run here")
    return Finding(
        check="built-in models",
        ok=False,
        says="there is no xllamacpp on this machine",
        cure="Everything else works. Use a provider: `chatmem models list`.",
    )


def keys(product: Product) -> Finding:
    """Whether the key of each profile is where the profile says; a command is looked for, but not run."""
    named = [(profile.name, key) for profile in product.providers.list() if (key := profile.choice.key)]
    for name, source in named:
        if source.place is KeyPlace.COMMAND:
            program = next(iter(source.name.split()), "")
            if shutil.which(program) is None:
                says = f"the profile {name} gets its key from `{program}`, which is not on this machine"
                return Finding(check="keys", ok=False, says=says, cure="Correct its api_key_command.")
        else:
            try:
                product.keys.key(source)
            except ProviderError as error:
                return Finding(check="keys", ok=False, says=f"the profile {name} has no key", cure=str(error))
    return Finding(
        check="keys", ok=True, says=f"{len(named)} profiles name one, and it is there" if named else "none named"
    )


def chat_model(product: Product) -> Finding:
    """Which model would answer."""
    return Finding(check="model", ok=True, says=f"{product.choice().name}; `chatmem models check` asks it a word")


CHECKS: tuple[Check, ...] = (
    folders,
    session_log,
    memory_store,
    embedder,
    forgetting,
    queue,
    models,
    builtin,
    keys,
    chat_model,
)
