"""Writing a session to a file."""

import asyncio
import re
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from chatmem.domain.errors import UsageError
from chatmem.domain.text import shortened
from chatmem.domain.turn import Session
from chatmem.ui.failures import telling
from chatmem.ui.services import Services

NAME_LENGTH = 48
MARKDOWN, JSON = ".md", ".json"

HINT = "Tab changes between Markdown and JSON · Enter writes · Esc goes back"
THERE = "There is such a file already. Enter once more replaces it."


class ExportDialog(ModalScreen[Path | None]):
    """Asks for a file name and writes the session; ends with the file, or `None` if it was not written."""

    CSS_PATH = "../dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("tab", "change_format", "Format", priority=True),
    ]

    def __init__(self, services: Services, session: Session, name: str = "") -> None:
        super().__init__()
        self._name = name or file_name(session)
        self._services = services
        self._session = session
        self._replacing = ""

    def compose(self) -> ComposeResult:
        """Lay out the file name."""
        with Vertical(classes="dialog"):
            yield Static("Write this conversation to a file", classes="dialog-title")
            yield Input(self._name, compact=True, select_on_focus=False)
            yield Static(HINT, id="export-said", classes="dialog-hint", markup=False)

    def action_leave(self) -> None:
        """Write nothing."""
        self.dismiss(None)

    def action_change_format(self) -> None:
        """Write the other format."""
        name = self.query_one(Input)
        file = Path(name.value)
        name.value = str(file.with_suffix(MARKDOWN if file.suffix.lower() == JSON else JSON)) if file.name else ""
        name.cursor_position = len(name.value)

    @on(Input.Changed)
    def _changed(self) -> None:
        self._replacing = ""
        self.query_one("#export-said", Static).update(HINT)

    @on(Input.Submitted)
    def _write(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self._export(event.value.strip())

    @work(exclusive=True, group="export")
    async def _export(self, name: str) -> None:
        with telling(self):
            file = await asyncio.to_thread(_file, name)
            if self._replacing != name and await asyncio.to_thread(file.exists):
                self._replacing = name
                self.query_one("#export-said", Static).update(THERE)
                return
            await asyncio.to_thread(self._services.export, self._session.id, file)
            self.dismiss(file)


def _file(name: str) -> Path:
    try:
        return Path(name).expanduser().absolute()
    except RuntimeError as error:  # no such user's folder
        raise UsageError(f"{name} is no place to write to: {error}.") from error


def file_name(session: Session) -> str:
    """A name for a session's file, in the folder where chatmem was started."""
    title = re.sub(r"[^\w]+", "-", shortened(session.title, NAME_LENGTH)).strip("-").lower() or "conversation"
    return f"{title}-{session.started_at.astimezone():%Y-%m-%d}{MARKDOWN}"
