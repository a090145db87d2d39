"""`chatmem memory forget` and `chatmem sessions forget`: erasing, with proof."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated

import typer

from chatmem.bootstrap import Product, open_product
from chatmem.cli.memory_lines import line
from chatmem.cli.options import Json, Yes, installation
from chatmem.cli.output import FAILED, print_json, progress_bar, say, tell
from chatmem.domain.errors import NotFoundError, UsageError
from chatmem.domain.forgetting import Advance, Proof
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.text import shortened
from chatmem.domain.turn import SessionId
from chatmem.forgetting.blot import telling_words
from chatmem.forgetting.plan import Preview
from chatmem.ports.memory_store import MemoryFilter
from chatmem.ui.wording import counted

KeepTurns = Annotated[
    bool, typer.Option("--keep-turns", help="Leave what was said in its place: only what was learned from it goes.")
]

SHOWN = 30
"""Lines of each part of the preview; the rest is counted."""

NOT_GONE = (
    "chatmem: it is not done: some of the text is still on disk. Close other windows and make the files of the profile "
    "writable; the next command, or `chatmem doctor`, tries again."
)


def forget(  # noqa: PLR0913, PLR0917 typer reads the options off the arguments
    context: typer.Context,
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of memories.")] = None,
    search: Annotated[str | None, typer.Option(help="All memories that hold these words.")] = None,
    session: Annotated[str | None, typer.Option(help="A whole session, and what rests on it alone.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything said and learned in the profile.")] = False,
    keep_turns: KeepTurns = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Erase memories and the words they came from, or whole sessions, from every file, and print the proof."""
    if sum([bool(ids), search is not None, session is not None, everything]) != 1:
        raise UsageError("Say what to forget in one way: ids, --search TEXT, --session ID or --all.")
    with open_product(installation(context)) as product:
        product.prepare_recall()
        if everything:
            proof = forget_everything(product, yes=yes)
        elif session is not None:
            proof = forget_chosen(product, (), [SessionId(session)], yes=yes, keep_turns=keep_turns)
        else:
            chosen = [MemoryId(id_) for id_ in ids or []] or found(product, search or "")
            proof = forget_chosen(product, chosen, (), yes=yes, keep_turns=keep_turns)
    report(proof, as_json=as_json)


def forget_session(
    context: typer.Context,
    session_ids: Annotated[list[str], typer.Argument(help="Ids of sessions.")],
    keep_turns: KeepTurns = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Erase whole sessions, and the memories that rest on them alone, from every file, and print the proof."""
    with open_product(installation(context)) as product:
        product.prepare_recall()
        chosen = [SessionId(id_) for id_ in session_ids]
        proof = forget_chosen(product, (), chosen, yes=yes, keep_turns=keep_turns)
    report(proof, as_json=as_json)


def forget_chosen(
    product: Product, ids: Sequence[MemoryId], sessions: Sequence[SessionId], *, yes: bool, keep_turns: bool = False
) -> Proof:
    """Show what will go, ask, and erase.

    Raises:
        NotFoundError: If there is no memory, or no session, of one of the ids.
        UsageError: If there is nobody to ask.
    """
    if not yes:
        confirm(product.forgetting.preview(ids, sessions, keeps_turns=keep_turns))
    with shown() as advance:
        return product.forgetting.forget(ids, sessions, keeps_turns=keep_turns, advance=advance)


def forget_everything(product: Product, *, yes: bool) -> Proof:
    """Show what will go, ask, and erase all that was said and learned.

    Raises:
        UsageError: If there is nobody to ask.
    """
    if not yes:
        confirm(product.forgetting.preview_everything())
    with shown() as advance:
        return product.forgetting.forget_everything(advance=advance)


def shown() -> AbstractContextManager[Advance]:
    """Shows how far a forgetting is, on a terminal only."""
    return progress_bar("forget", of_bytes=False) if sys.stderr.isatty() else nullcontext(lambda *_: None)


def report(proof: Proof, *, as_json: bool) -> None:
    """Print the proof.

    Raises:
        Exit: If something is left on disk.
    """
    if as_json:
        figures = {"erased": proof.erased, "turns_redacted": proof.turns_redacted, "residue": proof.residue}
        print_json(figures | {"ms": round(proof.ms, 1)})
    else:
        say(
            f"Erased {counted(proof.erased, 'memory', 'memories')}, took words out of "
            f"{counted(proof.turns_redacted, 'turn')}; {counted(proof.residue, 'trace')} left on disk "
            f"({proof.ms:.0f} ms)."
        )
    if proof.residue:
        tell(NOT_GONE)
        raise typer.Exit(FAILED)


def found(product: Product, search: str) -> list[MemoryId]:
    """The memories that hold the words of `--search`.

    Raises:
        NotFoundError: If there are none.
    """
    wanted = telling_words(search)
    everything = [*product.memories.select(MemoryFilter()), *product.journal.taken_back()]
    ids = [memory.id for memory in everything if wanted and wanted <= telling_words(all_words(memory))]
    if not ids:
        raise NotFoundError("There is no such memory; nothing was erased.")
    return ids


def all_words(memory: Memory) -> str:
    """A memory's text and quotes."""
    return "\n".join([memory.text, *(quote.text for quote in memory.quotes)])


def confirm(preview: Preview) -> None:
    """Show what will go, and ask.

    Raises:
        UsageError: If there is nobody to ask.
        Exit: If the person says no.
    """
    for text in preview_lines(preview):
        tell(f"  {text}")
    if not sys.stdin.isatty():
        raise UsageError("Forgetting can't be undone. Add --yes to do it without being asked.")
    typer.confirm("Erase this from every file?", abort=True, err=True)


def preview_lines(preview: Preview) -> Iterator[str]:
    """What will go, line by line."""
    yield from some(
        f"session  {going.session.id}  {shortened(going.session.title, 60)}  ({len(going.turns)} turns, all of them)"
        for going in preview.sessions
    )
    yield from some(f"forget   {line(memory)}" for memory in preview.memories)
    yield from some(
        f"blot     {shortened(one.before.text, 60)}  ->  {shortened(one.after.text, 60)}" for one in preview.redactions
    )
    yield from some(f"trim     {line(memory)}" for memory in preview.trimmed)
    yield from some(f"retitle  {one.id}  {shortened(one.title, 60)}  (title or summary)" for one in preview.retitled)
    drafts = len(preview.drafts) + sum(bool(going.draft) for going in preview.sessions)
    yield from (
        f"{count:>7}  {what}" for count, what in ((drafts, "drafts"), (preview.change_sets, "changes")) if count
    )


def some(lines: Iterator[str]) -> Iterator[str]:
    """The first lines, and how many more there are."""
    everything = list(lines)
    yield from everything[:SHOWN]
    if len(everything) > SHOWN:
        yield f"… and {len(everything) - SHOWN} more"
