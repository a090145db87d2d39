"""`chatmem memory`: looking at what is remembered, correcting it, erasing it."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from chatmem.bootstrap import Product, open_memories
from chatmem.cli import (
    memory_card,
    memory_changes,
    memory_files,
    memory_forget,
    memory_review,
    memory_tombstones,
    memory_writing,
)
from chatmem.cli.memory_lines import Id, KindOption, kind_named, line, one
from chatmem.cli.options import MOST, Json, installation
from chatmem.cli.output import memory_json, print_json, say, stamp, tell
from chatmem.domain.errors import NotFoundError, UsageError
from chatmem.domain.memory import Memory, MemoryId, Status
from chatmem.ports.journal import Journal
from chatmem.ports.memory_store import MemoryFilter
from chatmem.recall.keeping import keeping
from chatmem.recall.looking_back import as_it_stood, looked_back
from chatmem.recall.period import end_of

NOTHING_YET = "There are no memories yet. They come from what you say; `chatmem memory add TEXT` adds one by hand."
NOTHING_THEN = "Nothing was known that held on this day."

app = typer.Typer(help="What is remembered: look, trace, correct, erase.", no_args_is_help=True)
app.add_typer(memory_writing.app)
app.add_typer(memory_card.app)
app.add_typer(memory_changes.app)
app.add_typer(memory_review.app)
app.add_typer(memory_files.app)
app.command()(memory_forget.forget)
app.command()(memory_tombstones.tombstones)


@app.command("list")
def list_(  # noqa: PLR0913, PLR0917 typer reads the options off the arguments
    context: typer.Context,
    kind: KindOption = None,
    status: Annotated[Status | None, typer.Option(help="Only these.")] = None,
    pinned: Annotated[
        bool | None, typer.Option("--pinned/--not-pinned", help="Only pinned ones, or only others.")
    ] = None,
    since: Annotated[datetime | None, typer.Option(help="Learned on this day or later.")] = None,
    before: Annotated[datetime | None, typer.Option(help="Learned before this day.")] = None,
    as_of: Annotated[
        datetime | None, typer.Option(help="What was known, or said, and held on this day, worded as it was then.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="At most so many.")] = 100,
    cursor: Annotated[int, typer.Option(min=0, max=MOST, help="Where the last page ended.")] = 0,
    as_json: Json = False,
) -> None:
    """List memories, the newest first."""
    where = MemoryFilter(
        kind=kind_named(kind), status=status, pinned=pinned, since=in_utc(since), before=in_utc(before)
    )
    moment = in_utc(as_of)
    with open_memories(installation(context)) as product:
        memories = (
            product.memories.select(where, limit=limit, offset=cursor)
            if moment is None
            else past(product.journal, where, end_of(moment))[cursor : cursor + limit]
        )
    if as_json:
        print_json([memory_json(memory) for memory in memories])
    else:
        for memory in memories:
            say(line(memory))
        if not memories:
            tell(NOTHING_YET if as_of is None else NOTHING_THEN)
    if len(memories) == limit:
        tell(f"There may be more: --cursor {cursor + limit}")


@app.command()
def search(  # noqa: PLR0917 typer reads the options off the arguments
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="A question or words, as you would say them in a chat.")],
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="At most so many.")] = 10,
    kind: KindOption = None,
    as_of: Annotated[datetime | None, typer.Option(help="What held on this day, as far as was known then.")] = None,
    as_json: Json = False,
) -> None:
    """Rank memories as recall does for a text."""
    moment = in_utc(as_of)
    with open_memories(installation(context)) as product:
        product.prepare_recall()
        found = product.recall.search(text, limit=limit, kind=kind_named(kind), as_of=moment)
        memories = {memory.id: memory for memory in product.memories.get([MemoryId(item.id) for item in found])}
    if moment is not None:
        memories = {memory.id: as_it_stood(memory, end_of(moment)) for memory in memories.values()}
    if as_json:
        print_json(
            [
                {"score": round(item.score, 4), "parts": dict(item.parts)} | memory_json(memories[MemoryId(item.id)])
                for item in found
            ]
        )
        return
    for item in found:
        parts = "  ".join(f"{name} {value:+.2f}" for name, value in item.parts)
        say(f"{item.score:+.2f}  {line(memories[MemoryId(item.id)])}  ({parts})")
    if not found:
        tell("Nothing that is remembered has to do with this.")


@app.command()
def show(context: typer.Context, memory_id: Id, as_json: Json = False) -> None:
    """Show all about one memory, with the words it came from."""
    with open_memories(installation(context)) as product:
        memory = one(product, memory_id)
        provenance = [source_of(product, memory, place) for place in range(len(memory.quotes))]
        history = history_of(product, memory)
        kept = keeping(memory, product.journal.uses([memory.id]), datetime.now(UTC))
    if as_json:
        retention = kept.retention if memory.status is Status.ACTIVE else None
        print_json(
            memory_json(memory)
            | {"provenance": provenance, "history": history, "retention": retention, "keeping": asdict(kept)}
        )
        return
    say(memory.text)
    say(
        f"  {memory.kind.word}, about {memory.subject}, "
        f"{f'{memory.slot}, ' if memory.slot else ''}{memory.status.value}"
    )
    say(f"  learned {memory.created_at:%Y-%m-%d %H:%M} by {memory.extractor.value}, confidence {memory.confidence:.2f}")
    for source in provenance:
        say(f"  {words_of(source)}")
    if memory.imported_from:
        say(f"  taken over from {memory.imported_from}")
    elif not provenance:
        say("  written by hand")
    for told in standing(memory):
        say(f"  {told}")
    say(f"  retention {kept.retention:.2f}: {kept.days:.0f} days, strength {kept.strength:.0f}, {kept.uses} uses")
    for step in history[1:]:
        say(f"  {step['cause']} on {step['at']}: {step['text']}")


def past(journal: Journal, where: MemoryFilter, moment: datetime) -> list[Memory]:
    """The memories of a filter as they stood at a moment, the newest first."""
    there = (memory for memory in looked_back(journal, moment) if passes(memory, where))
    return sorted(there, key=lambda memory: (memory.created_at, memory.id), reverse=True)


def passes(memory: Memory, where: MemoryFilter) -> bool:
    """Whether a filter lets a memory through."""
    return (
        where.kind in {None, memory.kind}
        and where.status in {None, memory.status}
        and where.pinned in {None, memory.pinned}
        and (where.since is None or memory.created_at >= where.since)
        and (where.before is None or memory.created_at < where.before)
    )


def standing(memory: Memory) -> Iterator[str]:
    """How a memory stands among others, in words."""
    if memory.valid_to:
        yield f"held from {memory.valid_from:%Y-%m-%d} to {memory.valid_to:%Y-%m-%d}"
    if memory.practice and memory.practice.trigger:
        yield f"applies {memory.practice.trigger}"
    if memory.practice and (memory.practice.successes or memory.practice.failures):
        yield memory.practice.record
    if memory.superseded_by:
        yield f"superseded by {memory.superseded_by}"
    if memory.waits_for:
        yield f"waits for {memory.waits_for.value}"
    if memory.doubt:
        yield f"to check: {memory.doubt}"
    for link in memory.links:
        yield f"{link.relation.value.replace('_', ' ')} {link.to}: {link.reason}"


def source_of(product: Product, memory: Memory, place: int) -> dict[str, object]:
    """One quote with the session and the turn it stands in; a turn that is gone has no words."""
    quote = memory.quotes[place]
    source: dict[str, object] = {
        "session_id": quote.session_id,
        "session_title": None,
        "turn_id": quote.turn_id,
        "said_at": stamp(quote.said_at),
        "quote": quote.text,
        "turn_text": None,
    }
    try:
        source["session_title"] = product.log.session(quote.session_id).title
        source["turn_text"] = product.log.turn(quote.turn_id).text
    except NotFoundError:
        pass
    return source


def words_of(source: dict[str, object]) -> str:
    """What was said, in a line; of a turn that is not here, the quote."""
    if source["turn_text"] is None:
        return f"said {source['said_at']} in a conversation that is not here: {source['quote']}"
    return f'said {source["said_at"]} in "{source["session_title"]}": {source["turn_text"]}'


def history_of(product: Product, memory: Memory) -> list[dict[str, object]]:
    """How a memory came to read as it does, oldest first."""
    return [
        {"at": stamp(changes.made_at), "cause": changes.cause.value, "text": change.memory.text}
        for changes in reversed(product.journal.history(memory.id))
        for change in changes.changes
    ]


def in_utc(moment: datetime | None) -> datetime | None:
    """A moment in UTC; one typed without a zone is taken to be.

    Raises:
        UsageError: If it lies outside the years 1 to 9999 there.
    """
    if moment is None or moment.tzinfo is None:
        return moment and moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise UsageError(f"{moment.isoformat()} is outside the years 1 to 9999 in UTC.") from error
