"""Why an answer says what it says: what it rested on."""

import asyncio
from collections.abc import Callable
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from chatmem.conversation.explaining import Explanation
from chatmem.domain.memory import MemoryId
from chatmem.domain.recall import Recalled
from chatmem.domain.text import clean, shortened
from chatmem.ui.failures import telling
from chatmem.ui.services import Services
from chatmem.ui.widgets.citation_calls import CitationOpened, ForgetAsked, Place, SourceAsked
from chatmem.ui.widgets.citation_words import MUTED, ONLY_MEMORIES, TIERS, unsourced
from chatmem.ui.widgets.citations import Citations
from chatmem.ui.wording import clock_time, counted, short_date

QUESTION_LENGTH = 120
HINT = "Enter opens it · s the words it rests on · f forgets · Esc back"
HINT_WITHOUT = "Esc goes back"
NOTHING = (
    "Nothing was recalled for it: no memory and no earlier words bore on the question. "
    "The answer rests on this conversation, and on what the model knows by itself. /context shows what was sent."
)
UNKNOWN_PARTS = "How the scores came about was not noted when this was answered, by an older chatmem."


class WhyScreen(ModalScreen[Place | None]):
    """Explains an answer; ends with the place the person wants to go to, or `None`.

    Args:
        services: What is behind the screen.
        explain: Gives the explanation; blocks.
        forgotten: Called when something was forgotten here.
    """

    CSS_PATH = "../dialogs.tcss"
    AUTO_FOCUS = "Citations"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", "Back")]

    def __init__(self, services: Services, explain: Callable[[], Explanation], forgotten: Callable[[], object]) -> None:
        super().__init__()
        self._services = services
        self._explain = explain
        self._forgotten = forgotten

    def compose(self) -> ComposeResult:
        """Lay out what is known of the answer above what was recalled for it."""
        with Vertical(classes="dialog", id="why"):
            yield Static("Why this answer", classes="dialog-title")
            yield Static("Reading…", id="why-answer", markup=False)
            yield Citations(id="why-citations")
            yield Static(HINT, id="why-hint", classes="dialog-hint", markup=False)

    def on_mount(self) -> None:
        """Begin to read."""
        self._read()

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)

    @work(exclusive=True, group="explain")
    async def _read(self) -> None:
        with telling(self):
            explanation = await asyncio.to_thread(self._explain)
            self.query_one("#why-answer", Static).update(Content("\n").join(lines_of(explanation)))
            citations = self.query_one(Citations)
            citations.display = bool(explanation.citations)
            self.query_one("#why-hint", Static).update(HINT if explanation.citations else HINT_WITHOUT)
            citations.show([(one.item, one.shared) for one in explanation.citations])
            if explanation.citations:
                citations.focus_first()

    @on(CitationOpened)
    def _open(self, event: CitationOpened) -> None:
        if event.item.source.is_memory:
            self._open_memory(event.item)
        else:
            self._go_to_source(event.item)

    @on(SourceAsked)
    def _show_source(self, event: SourceAsked) -> None:
        self._go_to_source(event.item)

    @on(ForgetAsked)
    def _forget(self, event: ForgetAsked) -> None:
        from chatmem.ui.screens.memory_dialogs import ForgetDialog

        if event.item.source.is_memory:
            dialog = ForgetDialog(self._services.forgetting, [MemoryId(event.item.id)])
            self.app.push_screen(dialog, self._note_forgotten)
        else:
            self.notify(ONLY_MEMORIES, timeout=6)

    def _open_memory(self, item: Recalled) -> None:
        from chatmem.ui.screens.one_memory import Left, OneMemoryScreen

        def closed(left: Left | None) -> None:
            if left is None:
                return
            if left.forgotten:
                self._forgotten()
            if left.place is not None:
                self.dismiss(left.place)
            elif left.changed:
                self._read()

        self.app.push_screen(OneMemoryScreen(self._services, MemoryId(item.id)), closed)

    @work(exclusive=True, group="source")
    async def _go_to_source(self, item: Recalled) -> None:
        with telling(self):
            citation = await asyncio.to_thread(self._services.explaining.source, item)
            if citation is None or citation.session_id is None:
                self.notify(unsourced(citation.imported_from if citation else ""), timeout=5, markup=False)
            else:
                self.dismiss(Place(citation.session_id, citation.turn_id))

    def _note_forgotten(self, forgotten: bool | None) -> None:
        if forgotten:
            self._forgotten()
            self._read()


def lines_of(explanation: Explanation) -> list[Content]:
    """What is known of an answer, line by line."""
    asked = shortened(clean(explanation.question.text), QUESTION_LENGTH)
    lines = [Content.assemble(("You asked: ", MUTED), asked)]
    answer = explanation.answer
    if answer is not None:
        when = f"{short_date(answer.said_at)}, {clock_time(answer.said_at)}"
        lines.append(
            Content.assemble(("Answered by: ", MUTED), clean(answer.model or "an unknown model"), f" on {when}")
        )
    items = [citation.item for citation in explanation.citations]
    if items:
        shown, used = sum(item.injected for item in items), sum(item.used for item in items)
        best = f" The best lay {TIERS[explanation.tier]}." if explanation.tier else ""
        found = f"{counted(len(items), 'item')}, {shown} shown to the model, {used} used by the answer.{best}"
        lines.append(Content.assemble(("Recalled: ", MUTED), found))
    if explanation.gone:
        lines.append(Content.styled(f"{counted(explanation.gone, 'more item')} not there any more.", MUTED))
    if not items and not explanation.gone:
        lines += [Content(""), Content(NOTHING)]
    elif items and not any(item.parts for item in items):
        lines.append(Content.styled(UNKNOWN_PARTS, MUTED))
    return lines
