"""Everything about one memory, and the very words it rests on."""

from collections.abc import Iterator, Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

from chatmem.domain.change import ChangeSet
from chatmem.domain.forgetting import BLOT
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.text import clean, shortened
from chatmem.domain.turn import Role, Turn
from chatmem.ui.widgets.change_words import CAUSES, difference
from chatmem.ui.widgets.memory_rows import MemoryRow
from chatmem.ui.widgets.memory_source import Dossier, Source
from chatmem.ui.widgets.memory_words import (
    CONTEXT_LENGTH,
    MARKS,
    PIN,
    day,
    excerpt,
    first,
    holding,
    learned_by,
    moment,
)
from chatmem.ui.widgets.neighbour_words import WALK, graph, kept
from chatmem.ui.widgets.time_line import TimeLine

SOURCES = 30
"""More quotes than this are only counted."""

STEPS = 30
"""More changes than this are only counted."""

TITLE_LENGTH = 60
NEAR_LENGTH = 160
"""Characters shown of the turn before, and of the one after."""

SOURCE = "source"
"""In the meta of a source's heading: its place, from 0."""

QUOTED = "bold $text-accent"
MUTED = "$foreground-muted"
WARNING = "$text-warning"


class MemoryDetail(VerticalScroll):
    """Shows a memory: its text, how it stands in time, how well it is kept, its links, provenance and history."""

    class Walked(Message):
        """The person clicked a neighbour."""

        def __init__(self, memory_id: MemoryId) -> None:
            self.memory_id = memory_id
            super().__init__()

    class SourceOpened(Message):
        """The person clicked where something was said."""

        def __init__(self, turn: Turn) -> None:
            self.turn = turn
            super().__init__()

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 as Textual calls it
        super().__init__(id=id)
        self._dossier: Dossier | None = None

    def compose(self) -> ComposeResult:
        """Leave room for the memory, what is known of it, its neighbours, its sources and its history."""
        yield Static(id="memory-text", markup=False)
        yield Static(id="memory-about", markup=False)
        yield TimeLine(id="memory-time")
        yield Static(id="memory-kept", markup=False)
        yield Static(id="memory-links", markup=False)
        yield Static(id="memory-basis", markup=False)
        yield Vertical(id="memory-sources")
        yield Static(id="memory-history", markup=False)

    async def show(self, dossier: Dossier, row: MemoryRow | None = None) -> None:
        """Show one memory; `row` has its place in the search, where there was one."""
        if self._is_left():
            return
        self._dossier, memory = dossier, dossier.memory
        self._fill("#memory-text", Content(clean(memory.text)))
        self._fill("#memory-about", Content("\n").join(about(dossier, row)))
        self.query_one(TimeLine).show(memory, dossier.at)
        self._fill("#memory-kept", Content("\n").join(kept(dossier.keeping, memory)))
        self._fill("#memory-links", graph(dossier.neighbours) if dossier.neighbours else Content())
        self._fill("#memory-basis", basis(memory))
        self._fill("#memory-history", Content("\n").join(history(dossier.history)))
        sources = dossier.sources[:SOURCES]
        await self._replace_sources([Static(source_content(source, place)) for place, source in enumerate(sources)])
        self.scroll_home(animate=False)

    async def show_nothing(self, why: str = "") -> None:
        """Show that there is no memory to show."""
        if self._is_left():
            return
        self._dossier = None
        for part in ("#memory-text", "#memory-kept", "#memory-links", "#memory-basis", "#memory-history"):
            self._fill(part, Content())
        self.query_one(TimeLine).show(None)
        self._fill("#memory-about", Content.styled(why, MUTED))
        await self._replace_sources([])

    def on_click(self, event: events.Click) -> None:
        """Follow the link, or go to the words, that were clicked."""
        if self._dossier is None:
            return
        meta = event.style.meta
        if WALK in meta:
            self.post_message(self.Walked(self._dossier.neighbours[meta[WALK] - 1].memory.id))
        elif SOURCE in meta and (turn := self._dossier.sources[meta[SOURCE]].turn):
            self.post_message(self.SourceOpened(turn))

    def _fill(self, part: str, content: Content) -> None:
        widget = self.query_one(part, Static)
        widget.update(content)
        widget.display = bool(content.plain)

    def _is_left(self) -> bool:
        """Whether the screen is being left: what was read for it may come later than its end."""
        return not self.query("#memory-sources")

    async def _replace_sources(self, sources: list[Static]) -> None:
        place = self.query_one("#memory-sources", Vertical)
        async with self.batch():
            await place.remove_children()
            await place.mount_all(sources)


def about(dossier: Dossier, row: MemoryRow | None) -> Iterator[Content]:
    """What is known of a memory, line by line."""
    memory = dossier.memory
    named = [f"{MARKS[memory.kind]} {memory.kind.word.capitalize()}", f"about {about_whom(memory)}"]
    if memory.slot:
        named.append(clean(memory.slot))
    if memory.pinned:
        named.append(f"{PIN} pinned: never expires")
    yield Content(" · ".join(named))
    yield Content(capitalised(holding(memory)))
    if memory.practice and memory.practice.trigger:
        yield Content.assemble(("Applies: ", MUTED), clean(memory.practice.trigger), f" · {memory.practice.record}")
    yield Content.styled(
        f"Importance {memory.importance:.2f} · confidence {memory.confidence:.2f}"
        f" · {learned_by(memory)} on {day(memory.created_at)}{changed(memory)}",
        MUTED,
    )
    if row is not None and row.score is not None:
        parts = " ".join(f"{name} {value:+.2f}" for name, value in row.parts)
        yield Content.styled(f"Found with {row.score:+.2f} ({parts})", MUTED)


def about_whom(memory: Memory) -> str:
    """The subject of a memory, as the person would say it."""
    return "you" if memory.subject == "user" else clean(memory.subject)


def changed(memory: Memory) -> str:
    """When a memory was last changed, where it was."""
    return f", changed on {day(memory.updated_at)}" if memory.updated_at != memory.created_at else ""


def capitalised(text: str) -> str:
    """A text with a capital first letter, the rest as it is."""
    return text[:1].upper() + text[1:]


def basis(memory: Memory) -> Content:
    """What comes before the words a memory rests on."""
    if not memory.quotes:
        return Content.styled(without_source(memory), MUTED)
    more = len(memory.quotes) - SOURCES
    return Content(f"It rests on the first {SOURCES} of these, and on {more} more:" if more > 0 else "It rests on:")


def without_source(memory: Memory) -> str:
    """Where a memory came from that rests on no conversation."""
    if memory.imported_from:
        return f"Taken over from {clean(memory.imported_from)}; it rests on no conversation."
    return "You wrote this by hand; it rests on no conversation."


def source_content(source: Source, place: int = 0) -> Content:
    """A quote among the words around it, with session and date; a click on these goes there."""
    title = "a session that is gone" if source.title is None else shortened(clean(source.title), TITLE_LENGTH)
    heading = Content.styled(f"{title} · {moment(source.quote.said_at)}", MUTED)
    if source.turn is None:
        return Content.assemble(heading, "\n", words_noted(source))
    parts = [
        heading.stylize(Style.from_meta({SOURCE: place})),
        *([said_near(source.before)] if source.before else []),
        words_said(source, source.turn),
        *([said_near(source.after)] if source.after else []),
    ]
    return Content("\n").join(parts)


def said_near(turn: Turn) -> Content:
    """The turn before, or the one after, on one line and shortened."""
    who = "You" if turn.role is Role.USER else "Answer"
    return Content.styled(f"{who}: {shortened(clean(turn.text), NEAR_LENGTH)}", MUTED)


def words_noted(source: Source) -> Content:
    """What is left of a quote whose turn is gone."""
    return Content.assemble(
        (clean(source.quote.text), QUOTED),
        ("\nThe turn itself is gone; these words were noted with the memory.", WARNING),
    )


def words_said(source: Source, turn: Turn) -> Content:
    """The words of a turn with the quote emphasised, or what has become of them."""
    if found := excerpt(turn.text, source.quote.text):
        return Content.assemble(found.before, (found.quote, QUOTED), found.after)
    if not turn.text.strip():
        return Content.styled("The words of this turn were erased.", WARNING)
    left = first(clean(turn.text), 2 * CONTEXT_LENGTH)
    if BLOT in turn.text:
        return Content.assemble(left, ("\nPart of this turn was forgotten, and the quote with it.", WARNING))
    return Content.assemble(left, (f"\nThe turn no longer holds the words “{clean(source.quote.text)}”.", WARNING))


def history(steps: Sequence[ChangeSet]) -> Iterator[Content]:
    """How a memory came to read as it does, the newest first, as diffs; nothing where it was only learned."""
    if len(steps) < 2:
        return
    yield Content("What became of it:")
    for step in steps[:STEPS]:
        cause = CAUSES.get(step.cause, step.cause.value)
        yield Content.styled(f"{cause}, {moment(step.made_at)} · {step.id}", MUTED)
        for change in step.changes:
            yield from difference(change, {})
    if (more := len(steps) - STEPS) > 0:
        yield Content.styled(f"… and {more:,} more", MUTED)
