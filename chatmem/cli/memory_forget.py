"""`chatmem memory forget`: erasing, with proof."""

import sys
from typing import Annotated

import typer

from chatmem.bootstrap import Product, open_product
from chatmem.cli.memory_lines import line
from chatmem.cli.options import Json, Yes, installation
from chatmem.cli.output import FAILED, print_json, say, tell
from chatmem.domain.errors import NotFoundError, UsageError
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.text import shortened
from chatmem.domain.turn import SessionId
from chatmem.forgetting.blot import telling_words
from chatmem.forgetting.forgetting import Preview
from chatmem.ports.memory_store import MemoryFilter


def forget(  # noqa: PLR0913, PLR0917 typer reads the options off the arguments
    context: typer.Context,
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of memories.")] = None,
    search: Annotated[str | None, typer.Option(help="All memories that hold these words.")] = None,
    session: Annotated[str | None, typer.Option(help="All memories that came from this session.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All memories.")] = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Erase memories and the words they came from, from every file, and print the proof."""
    if sum([bool(ids), search is not None, session is not None, everything]) != 1:
        raise UsageError("Say what to forget in one way: ids, --search TEXT, --session ID or --all.")
    with open_product(installation(context)) as product:
        chosen = [MemoryId(id_) for id_ in ids or []] or selected(product, search, session)
        product.prepare_recall()
        preview = product.forgetting.preview(chosen)
        if not yes:
            confirm(preview)
        proof = product.forgetting.forget(chosen)
    if as_json:
        print_json(
            {
                "erased": proof.erased,
                "turns_redacted": proof.turns_redacted,
                "residue": proof.residue,
                "ms": round(proof.ms, 1),
            }
        )
    else:
        say(
            f"Erased {proof.erased} memories, blotted words out of {proof.turns_redacted} turns; "
            f"{proof.residue} traces left on disk ({proof.ms:.0f} ms)."
        )
    if proof.residue:
        tell(
            "chatmem: some of the text is still on disk. Close other windows and forget again; `chatmem doctor` helps."
        )
        raise typer.Exit(FAILED)


def selected(product: Product, search: str | None, session: str | None) -> list[MemoryId]:
    """The memories that `--search`, `--session` or `--all` names.

    Raises:
        NotFoundError: If there are none.
    """
    everything = [*product.memories.select(MemoryFilter()), *product.journal.taken_back()]
    if search is not None:
        wanted = telling_words(search)
        everything = [memory for memory in everything if wanted and wanted <= telling_words(all_words(memory))]
    if session is not None:
        product.log.session(SessionId(session))
        everything = [memory for memory in everything if any(q.session_id == session for q in memory.quotes)]
    if not everything:
        raise NotFoundError("There is no such memory; nothing was erased.")
    return [memory.id for memory in everything]


def all_words(memory: Memory) -> str:
    """A memory's text and quotes."""
    return "\n".join([memory.text, *(quote.text for quote in memory.quotes)])


def confirm(preview: Preview) -> None:
    """Show what will go, and ask.

    Raises:
        UsageError: If there is nobody to ask.
        Exit: If the person says no.
    """
    for memory in preview.memories:
        tell(f"  forget   {line(memory)}")
    for redaction in preview.redactions:
        tell(f"  blot     {shortened(redaction.before.text, 60)}  ->  {shortened(redaction.after.text, 60)}")
    if not sys.stdin.isatty():
        raise UsageError("Forgetting can't be undone. Add --yes to do it without being asked.")
    typer.confirm("Erase this from every file?", abort=True, err=True)
