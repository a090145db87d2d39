"""The model picker."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from chatmem.conversation import Listed
from chatmem.domain.model import ModelChoice
from chatmem.ui.failures import telling
from chatmem.ui.services import Services
from chatmem.ui.widgets.fetch_bar import FetchBar
from chatmem.ui.widgets.model_options import grouped, matching

AS_TYPED = "as-typed"
"""Id of the row that takes what was typed for litellm's name of a model."""


class ModelPicker(ModalScreen[ModelChoice | None]):
    """Lists the models at hand; ends with the one that was picked, or `None`."""

    CSS_PATH = "../dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
    ]

    def __init__(self, services: Services, current: str) -> None:
        super().__init__()
        self._services = services
        self._current = current
        self._models: Sequence[Listed] | None = None

    def compose(self) -> ComposeResult:
        """Lay out filter, list and progress."""
        with Vertical(classes="dialog"):
            yield Static("Switch the model", classes="dialog-title")
            yield Input(placeholder="Filter, or type provider/model as litellm writes it", compact=True)
            yield OptionList(markup=False, compact=True)
            yield FetchBar()
            yield Static("Enter picks · Esc goes back · it answers from the next turn on", classes="dialog-hint")

    def on_mount(self) -> None:
        """Open at once, and look for models meanwhile."""
        self._fill()
        self._look()

    def action_leave(self) -> None:
        """Leave everything as it is; what was fetched so far is kept."""
        self.dismiss(None)

    def action_move(self, by: int) -> None:
        """Move the highlight while the cursor stays in the filter."""
        options = self.query_one(OptionList)
        if by < 0:
            options.action_cursor_up()
        else:
            options.action_cursor_down()

    @on(Input.Changed)
    def _filter(self) -> None:
        self._fill()

    @on(Input.Submitted)
    def _pick_highlighted(self) -> None:
        self.query_one(OptionList).action_select()

    @on(OptionList.OptionSelected)
    def _pick(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == AS_TYPED:
            self._resolve(self.query_one(Input).value)
        elif event.option_id and self._models:
            listed = self._models[int(event.option_id)]
            if listed.fetch:
                self.query_one(FetchBar).start(self._services.model_store, listed)
            else:
                self.dismiss(listed.choice)

    @on(FetchBar.Fetched)
    def _take(self, event: FetchBar.Fetched) -> None:
        self.dismiss(event.choice)

    @work(exclusive=True, group="look")
    async def _look(self) -> None:
        with telling(self):
            self._models = await asyncio.to_thread(self._services.models.listed)
            self._fill()

    @work(exclusive=True, group="resolve")
    async def _resolve(self, name: str) -> None:
        with telling(self):
            self.dismiss(await asyncio.to_thread(self._services.models.resolve, name))

    def _fill(self) -> None:
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(self._options(self.query_one(Input).value.strip()))
        options.action_first()

    def _options(self, query: str) -> list[Option]:
        models = self._models or ()
        rows = matching(models, query, self._current) if query else grouped(models, self._current)
        if query:
            rows.append(Option(Content.assemble(("  Use as typed: ", "$foreground-muted"), query), id=AS_TYPED))
        elif self._models is None:
            rows.append(Option(Content.styled("  Looking for models…", "$foreground-muted"), disabled=True))
        return rows
