"""The dialog in which memories and sessions are forgotten."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Button, LoadingIndicator, Static

from chatmem.domain.forgetting import Proof
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.text import clean
from chatmem.domain.turn import Role, SessionId
from chatmem.forgetting.forgetting import Forgetting
from chatmem.forgetting.plan import Preview, Redaction
from chatmem.ui.widgets.memory_calls import tried
from chatmem.ui.widgets.memory_words import MARKS, Kept, differences, first, last, memories, moment, told
from chatmem.ui.wording import counted

ALIKE = 120
"""Characters shown of words that stay, on either side of those that go."""

SHOWN = 50
"""Of each list in the preview; the rest is counted."""

BAR = 40
"""Characters of the bar that shows how far forgetting is."""

LEAVE, TAKE_OUT = "Leave the turns  t", "Redact the turns  t"

LOST = "strike $text-error"
MUTED = "$foreground-muted"


class ForgetDialog(ModalScreen[bool]):
    """Shows what forgetting will take, asks, erases, and shows the proof; gives whether anything was erased."""

    CSS_PATH = "memory.tcss"
    AUTO_FOCUS = "VerticalScroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "forget", "Forget for good"),
        Binding("t", "turns", "Leave the turns"),
        Binding("escape", "close", "Keep"),
    ]

    class Advanced(Message):
        """A step of forgetting has begun, after so many of all."""

        def __init__(self, step: str, done: int, total: int) -> None:
            super().__init__()
            self.step, self.done, self.total = step, done, total

    def __init__(self, forgetting: Forgetting, ids: Sequence[MemoryId], sessions: Sequence[SessionId] = ()) -> None:
        """Open the dialog.

        Args:
            forgetting: Erases.
            ids: The memories to forget.
            sessions: The sessions to forget whole.
        """
        super().__init__()
        self._forgetting = forgetting
        self._ids = ids
        self._sessions = sessions
        self._keeps_turns = False
        self._busy = False
        self._tried = False

    def compose(self) -> ComposeResult:
        """Lay out the preview and the question."""
        with Vertical(classes="memory-dialog"):
            yield Static("Forget for good?", classes="title")
            with VerticalScroll():
                yield Static("Looking for everything that tells it…", id="forget-report")
            yield LoadingIndicator()
            with Horizontal(classes="buttons"):
                yield Button("Forget for good  y", variant="error", id="forget", compact=True, disabled=True)
                yield Button(LEAVE, id="turns", compact=True)
                yield Button("Keep  esc", id="close", compact=True)

    def on_mount(self) -> None:
        """Work out what would go."""
        self._preview()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Forgetting can be asked for once the person can see what goes, and once only."""
        if action in {"forget", "turns"}:
            return self.is_mounted and not self.query_one("#forget", Button).disabled
        return super().check_action(action, parameters)

    @on(Button.Pressed, "#forget")
    def action_forget(self) -> None:
        """Erase."""
        self._erase()

    @on(Button.Pressed, "#turns")
    def action_turns(self) -> None:
        """Leave the words in the turns, or take them out after all; either is shown first."""
        if self.check_action("turns", ()):
            self._keeps_turns = not self._keeps_turns
            self.query_one("#turns", Button).label = TAKE_OUT if self._keeps_turns else LEAVE
            self.query_one("#forget", Button).disabled = True
            self._preview()

    @on(Button.Pressed, "#close")
    def action_close(self) -> None:
        """Close, unless an erasure is running."""
        if self._busy:
            self.notify("Erasing can't be stopped halfway. It takes a few seconds.", severity="warning")
        else:
            self.dismiss(self._tried)

    @work(exclusive=True, group="forget")
    async def _preview(self) -> None:
        keeps_turns = self._keeps_turns
        preview = await tried(
            self, lambda: self._forgetting.preview(self._ids, self._sessions, keeps_turns=keeps_turns)
        )
        if preview is None:
            self.dismiss(False)
            return
        self._report(Content("\n").join(preview_lines(preview)))
        self.query_one("#forget", Button).disabled = False
        self.refresh_bindings()

    @work(exclusive=True, group="forget")
    async def _erase(self) -> None:
        self._tried = self._busy = True
        self.query_one("#forget", Button).disabled = True
        self.query_one("#turns", Button).display = False
        self.add_class("-busy")
        proof = await tried(self, self._forget)
        self.remove_class("-busy")
        self._busy = False
        if proof is None:
            self.query_one("#forget", Button).disabled = False
        else:
            self._show(proof)

    def _forget(self) -> Proof:
        def advance(step: str, done: int, total: int) -> None:
            self.post_message(self.Advanced(step, done, total))

        return self._forgetting.forget(self._ids, self._sessions, keeps_turns=self._keeps_turns, advance=advance)

    @on(Advanced)
    def _show_step(self, event: Advanced) -> None:
        if self._busy:
            self._report(step_content(event))

    def _show(self, proof: Proof) -> None:
        self.query_one(".title", Static).update("Forgotten" if proof.residue == 0 else "Not all of it is gone")
        self.set_class(proof.residue == 0, "-gone")
        self._report(proof_content(proof))
        self.query_one("#forget", Button).display = False
        close = self.query_one("#close", Button)
        close.label = "Done  esc"
        close.focus()

    def _report(self, content: Content) -> None:
        self.query_one("#forget-report", Static).update(content)
        self.query_one(VerticalScroll).scroll_home(animate=False)


def preview_lines(preview: Preview) -> Iterator[Content]:
    """What forgetting will take, line by line."""
    for going in preview.sessions:
        turns = counted(len(going.turns), "turn", "turns")
        yield Content.assemble((clean(going.session.title), LOST), (f"\nand all its {turns}, on every branch\n", MUTED))
    yield Content(f"{memories(len(preview.memories))} will be erased from every file, and not learned again:")
    yield from listed([Content.styled(marked(memory), LOST) for memory in preview.memories])
    if preview.keeps_turns:
        yield Content("\nWhat was said stays in its place: only what was learned from it goes.")
    if preview.redactions:
        yield Content(f"\n{counted(len(preview.redactions), 'turn loses', 'turns lose')} words:")
        yield from listed([redaction_content(redaction) for redaction in preview.redactions])
    if preview.trimmed:
        yield Content(
            f"\n{counted(len(preview.trimmed), 'memory stays, but loses', 'memories stay, but lose')} quotes:"
        )
        yield from listed([Content(marked(memory)) for memory in preview.trimmed])


def step_content(event: ForgetDialog.Advanced) -> Content:
    """How far forgetting is, as a bar, and what is being done."""
    done = round(BAR * event.done / max(1, event.total))
    return Content.assemble(("━" * done, "$primary"), ("─" * (BAR - done), MUTED), f"\n{event.step}")


def listed(items: Sequence[Content]) -> Iterator[Content]:
    """The first items of a list, and how many more there are."""
    yield from items[:SHOWN]
    if len(items) > SHOWN:
        yield Content.styled(f"… and {len(items) - SHOWN:,} more", MUTED)


def marked(memory: Memory) -> str:
    """A memory in a line, with the mark of its kind."""
    return f"{MARKS[memory.kind]} {clean(memory.text)}"


def redaction_content(redaction: Redaction) -> Content:
    """A turn's words, those that go struck out, followed by what stands in their place."""
    turn = redaction.before
    who = "you" if turn.role is Role.USER else "the answer"
    pieces = []
    for piece in differences(turn.text, redaction.after.text):
        if isinstance(piece, Kept):
            half = len(piece.text) // 2
            pieces.append(Content(first(piece.text[:half], ALIKE) + last(piece.text[half:], ALIKE)))
        else:
            pieces.append(Content.assemble((first(piece.text, 4 * ALIKE), LOST), (piece.instead, MUTED)))
    return Content.assemble((f"{moment(turn.said_at)}, {who}\n", MUTED), *pieces)


def proof_content(proof: Proof) -> Content:
    """The proof, and what to do where something is left."""
    if proof.residue == 0:
        return Content.styled(told(proof), "$text-success")
    return Content.assemble(
        (told(proof), "$text-error"),
        "\n\nThe erased text can still be found in the files. Close other chatmem windows and run "
        "`chatmem doctor --repair`.",
    )
