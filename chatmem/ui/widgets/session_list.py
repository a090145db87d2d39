"""The list of sessions."""

from collections.abc import Sequence
from textwrap import wrap
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from chatmem.domain.turn import Session, SessionId
from chatmem.ui.wording import counted, short_date

TITLE_LINES, TITLE_CELLS = 2, 26
"""Of a title; what is longer is cut."""

SHOWN = 500
"""Sessions listed; the palette's search reaches no further either."""

EMPTY = "Conversations will be listed here, newest first."


class SessionList(Vertical):
    """Sessions, the one last spoken in first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("f", "forget", "Forget"),
    ]

    class Left(Message):
        """The person is done with the list."""

    class Unwanted(Message):
        """The person may want a session forgotten."""

        def __init__(self, session_id: SessionId) -> None:
            self.session_id = session_id
            super().__init__()

    class Opened(Message):
        """The person wants a session opened."""

        def __init__(self, session_id: SessionId) -> None:
            self.session_id = session_id
            super().__init__()

    def compose(self) -> ComposeResult:
        """Lay out title, list and what stands in an empty list's place."""
        yield Static("Sessions", classes="pane-title")
        yield Static(EMPTY, id="sessions-empty", classes="pane-empty")
        yield OptionList(id="sessions-list", markup=False, compact=True)

    def on_mount(self) -> None:
        """Begin empty."""
        self.show((), None)

    def show(self, sessions: Sequence[Session], current: SessionId | None) -> None:
        """List sessions, newest first, and mark the one that is open."""
        options = self.query_one(OptionList)
        options.display = bool(sessions)
        self.query_one("#sessions-empty").display = not sessions
        highlighted = options.highlighted_option
        options.clear_options()
        options.add_options([Option(_row(session, session.id == current), id=session.id) for session in sessions])
        ids = [session.id for session in sessions]
        wanted = highlighted.id if highlighted and options.has_focus else current
        options.highlighted = ids.index(SessionId(wanted)) if wanted in ids else None

    def focus_list(self) -> None:
        """Put the cursor into the list."""
        options = self.query_one(OptionList)
        options.focus()
        if options.highlighted is None and options.option_count:
            options.highlighted = 0

    def action_leave(self) -> None:
        """Go back to where the person came from."""
        self.post_message(self.Left())

    def action_forget(self) -> None:
        """Ask for the highlighted session to be forgotten."""
        highlighted = self.query_one(OptionList).highlighted_option
        if highlighted is not None and highlighted.id:
            self.post_message(self.Unwanted(SessionId(highlighted.id)))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask for the session to be opened."""
        event.stop()
        if event.option_id:
            self.post_message(self.Opened(SessionId(event.option_id)))


def _row(session: Session, current: bool) -> Content:
    day = short_date(session.last_at or session.started_at)
    title = "\n".join(wrap(session.title, TITLE_CELLS, max_lines=TITLE_LINES, placeholder="…"))
    return Content.assemble(
        (title, "bold $primary" if current else "$foreground"),
        "\n",
        (f"{day} · {counted(session.current_count, 'turn')}", "$foreground-muted"),
    )
