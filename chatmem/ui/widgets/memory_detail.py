"""Everything about one memory, and the very words it rests on."""

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from chatmem.domain.forgetting import BLOT
from chatmem.domain.memory import Memory
from chatmem.domain.text import clean, shortened
from chatmem.domain.turn import Turn
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

SOURCES = 30
"""More quotes than this are only counted."""

TITLE_LENGTH = 60

QUOTED = "bold $text-accent"
MUTED = "$foreground-muted"
WARNING = "$text-warning"


class MemoryDetail(VerticalScroll):
    """Shows a memory with its provenance."""

    def compose(self) -> ComposeResult:
        """Leave room for the memory, what is known of it, and its sources."""
        yield Static(id="memory-text", markup=False)
        yield Static(id="memory-about", markup=False)
        yield Static(id="memory-basis", markup=False)
        yield Vertical(id="memory-sources")

    async def show(self, dossier: Dossier, row: MemoryRow) -> None:
        """Show one memory; `row` has its place in the search, where there was one."""
        if self._is_left():
            return
        memory = dossier.memory
        self.query_one("#memory-text", Static).update(Content(clean(memory.text)))
        self.query_one("#memory-about", Static).update(Content("\n").join(about(dossier, row)))
        self.query_one("#memory-basis", Static).update(basis(memory))
        await self._replace_sources([Static(source_content(source)) for source in dossier.sources[:SOURCES]])
        self.scroll_home(animate=False)

    async def show_nothing(self, why: str = "") -> None:
        """Show that there is no memory to show."""
        if self._is_left():
            return
        for part in ("#memory-text", "#memory-basis"):
            self.query_one(part, Static).update("")
        self.query_one("#memory-about", Static).update(Content.styled(why, MUTED))
        await self._replace_sources([])

    def _is_left(self) -> bool:
        """Whether the screen is being left: what was read for it may come later than its end."""
        return not self.query("#memory-sources")

    async def _replace_sources(self, sources: list[Static]) -> None:
        place = self.query_one("#memory-sources", Vertical)
        async with self.batch():
            await place.remove_children()
            await place.mount_all(sources)


def about(dossier: Dossier, row: MemoryRow) -> Iterator[Content]:
    """What is known of a memory, line by line."""
    memory = dossier.memory
    named = [f"{MARKS[memory.kind]} {memory.kind.word.capitalize()}", f"about {about_whom(memory)}"]
    if memory.slot:
        named.append(clean(memory.slot))
    if memory.pinned:
        named.append(f"{PIN} pinned: never expires")
    yield Content(" · ".join(named))
    yield Content(capitalised(holding(memory)))
    if dossier.successor:
        replaced = shortened(clean(dossier.successor.text), CONTEXT_LENGTH)
        yield Content.assemble(("Replaced by: ", MUTED), replaced)
    if memory.event_date:
        yield Content.assemble(("Happened: ", MUTED), clean(memory.event_date))
    yield Content.styled(
        f"Importance {memory.importance:.2f} · confidence {memory.confidence:.2f}"
        f" · {learned_by(memory)} on {day(memory.created_at)}{changed(memory)}",
        MUTED,
    )
    if row.score is not None:
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


def source_content(source: Source) -> Content:
    """A quote among the words around it, with session and date."""
    title = "a session that is gone" if source.title is None else shortened(clean(source.title), TITLE_LENGTH)
    heading = Content.styled(f"{title} · {moment(source.quote.said_at)}\n", MUTED)
    return heading + (words_noted(source) if source.turn is None else words_said(source, source.turn))


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
