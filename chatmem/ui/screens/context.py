"""What the model was sent, or would be: the pieces of the prompt, and what each weighs."""

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from chatmem.conversation.assembly import Label
from chatmem.conversation.context import Basis, Context, ContextPart
from chatmem.domain.text import clean
from chatmem.ui.failures import telling
from chatmem.ui.wording import counted

NAMES = {
    Label.SYSTEM: "System prompt",
    Label.PROCEDURES: "Standing instructions",
    Label.SUMMARY: "Summary of earlier turns",
    Label.WINDOW: "Earlier turn",
    Label.RECALLED: "Recalled memories",
    Label.TURN: "New turn",
    Label.GO_ON: "Request to continue",
}
TITLES = {
    Basis.SENT: "Sent for this answer",
    Basis.REBUILT: "Sent for this answer, as far as it can be made again",
    Basis.NEXT: "Would be sent with your next turn",
}
HONEST = {
    Basis.SENT: "Word for word, but for secrets that were let through. It is kept in memory only, until chatmem ends.",
    Basis.REBUILT: "The very prompt is not kept. This is made from the log and the record of what was recalled: "
    "memories in their wording of today, with the summary and the settings of now.",
    Basis.NEXT: "What is recalled depends on what you type.",
}
NAME_CELLS, NUMBER_CELLS = 32, 8
SHOWN = 20_000
"""Characters of one piece that are drawn; the rest is counted."""

MUTED = "$foreground-muted"


class ContextScreen(ModalScreen[None]):
    """Lists the pieces of a prompt, and shows the text of the one that is highlighted.

    Args:
        sent: Gives what was sent for the answer; `None` where there is no answer yet.
        coming: Gives what would be sent with the next turn.
    """

    CSS_PATH = "../dialogs.tcss"
    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Back"),
        Binding("n", "turn_over", "Next turn"),
    ]

    def __init__(self, sent: Callable[[], Awaitable[Context]] | None, coming: Callable[[], Awaitable[Context]]) -> None:
        super().__init__()
        self._sent = sent
        self._coming = coming
        self._of_next = sent is None
        self._prompt: Context | None = None

    def compose(self) -> ComposeResult:
        """Lay out the sums, the pieces and the text of one."""
        with Vertical(classes="dialog", id="sent"):
            yield Static("Reading…", id="sent-title", classes="dialog-title")
            yield Static(id="sent-sums", markup=False)
            yield OptionList(markup=False, compact=True)
            with VerticalScroll(id="sent-text"):
                yield Static(id="sent-words", markup=False)
            yield Static(id="sent-hint", classes="dialog-hint", markup=False)

    def on_mount(self) -> None:
        """Begin to read."""
        self._read()

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss()

    def action_turn_over(self) -> None:
        """Change between the last answer and the next turn."""
        if self._sent is not None:
            self._of_next = not self._of_next
            self._read()

    @on(OptionList.OptionHighlighted)
    def _show_text(self, event: OptionList.OptionHighlighted) -> None:
        if self._prompt is not None:
            self.query_one("#sent-words", Static).update(Content(text_of(self._prompt.parts[event.option_index])))
            self.query_one("#sent-text", VerticalScroll).scroll_home(animate=False)

    @work(exclusive=True, group="context")
    async def _read(self) -> None:
        with telling(self):
            read = self._coming if self._of_next or self._sent is None else self._sent
            self._prompt = context = await read()
            self.query_one("#sent-title", Static).update(TITLES[context.basis])
            self.query_one("#sent-sums", Static).update(Content("\n").join(sums_of(context)))
            self.query_one("#sent-hint", Static).update(self._hint())
            options = self.query_one(OptionList)
            options.clear_options()
            options.add_options([Option(row_of(part, context)) for part in context.parts])
            options.highlighted = len(context.parts) - 1
            options.focus()

    def _hint(self) -> str:
        if self._sent is None:
            return "↑↓ a piece, its text below · Esc back"
        other = "n what was sent last" if self._of_next else "n what comes with your next turn"
        return f"↑↓ a piece, its text below · Tab to scroll it · {other} · Esc back"


def sums_of(context: Context) -> list[Content]:
    """What all of it weighs, and how far that can be trusted."""
    share = context.tokens / max(1, context.size)
    sums = f"{context.tokens:,} of {context.size:,} tokens ({share:.0%}) for {clean(context.model)}"
    free = f", {context.reply_tokens:,} kept free for the reply"
    counted_by = f"; the provider counted {context.counted:,}" if context.counted else ""
    return [Content(f"{sums}{free}{counted_by}"), Content.styled(HONEST[context.basis], MUTED)]


def row_of(part: ContextPart, context: Context) -> Content:
    """A piece in a line: what it is, its tokens and its share."""
    name = NAMES[part.label]
    if part.label is Label.WINDOW:
        name += ", the answer" if part.role == "assistant" else ", you"
    if part.images:
        name += f", {counted(part.images, 'image')}"
    share = part.tokens / max(1, context.tokens)
    return Content.assemble(
        name.ljust(NAME_CELLS),
        f"{part.tokens:,}".rjust(NUMBER_CELLS),
        (f"  {share:>4.0%}", MUTED),
    )


def text_of(part: ContextPart) -> str:
    """The text of a piece, as it was sent but for what a terminal must not get."""
    text = clean(part.text)
    rest = len(text) - SHOWN
    return f"{text[:SHOWN]}\n… and {counted(rest, 'more character')}" if rest > 0 else text
