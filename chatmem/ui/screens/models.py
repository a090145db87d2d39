"""The model picker."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from chatmem.conversation import Listed, Origin, Profile
from chatmem.domain.errors import ChatMemError
from chatmem.domain.model import ModelChoice
from chatmem.ui.failures import telling
from chatmem.ui.services import Services
from chatmem.ui.widgets.fetch_bar import FetchBar
from chatmem.ui.widgets.model_options import LEGEND, Columns, grouped, matching, told

AS_TYPED = "as-typed"
"""Id of the row that takes what was typed for litellm's name of a model."""

KEYS = "Enter picks · Ctrl+N add · Ctrl+E edit · Ctrl+K check · Esc back"
LOOKING = "Looking for more models…"

DRAWN_ONCE_S = 0.02
"""After a pick, in which the screen below is not drawn: or it would be once as it was, and again with the new model."""


class ModelPicker(ModalScreen[ModelChoice | None]):
    """Lists the models at hand; ends with the one that was picked, or `None`.

    Args:
        services: What is behind the screen.
        current: Name of the model in use; empty for none.
        title: What is being chosen.
    """

    CSS_PATH = "../dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False, priority=True),
        Binding("pagedown", "page(1)", "Page down", show=False, priority=True),
        Binding("ctrl+n", "add", "New profile", show=False, priority=True),
        Binding("ctrl+e", "edit", "Edit", show=False, priority=True),
        Binding("ctrl+k", "check", "Check", show=False, priority=True),
    ]

    def __init__(self, services: Services, current: str, title: str = "Switch the model") -> None:
        super().__init__()
        self._services = services
        self._current = current
        self._what = title
        self._models: Sequence[Listed] = ()
        self._looking = True
        self._columns: Columns | None = None

    def compose(self) -> ComposeResult:
        """Lay out filter, list, what is known of the highlighted model, and progress."""
        with Vertical(classes="dialog", id="picker"):
            yield Static(self._what, classes="dialog-title")
            yield Input(placeholder="Filter, or type provider/model as litellm writes it", compact=True)
            yield Static(id="picker-columns", markup=False)
            yield OptionList(markup=False, compact=True)
            yield Static(id="picker-told", markup=False)
            yield FetchBar()
            yield Static(LEGEND, id="picker-legend", markup=False)
            yield Static(KEYS, classes="dialog-hint")

    def on_mount(self) -> None:
        """Open at once, and look for models meanwhile."""
        self._look()

    def on_resize(self, _: events.Resize) -> None:
        """Show the columns that there is room for."""
        self.call_after_refresh(self._fill)

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

    async def action_page(self, by: int) -> None:
        """Move the highlight by a page."""
        await self.query_one(OptionList).run_action("page_up" if by < 0 else "page_down")

    def action_add(self) -> None:
        """Add a provider profile."""
        self._edit(None, None)

    def action_edit(self) -> None:
        """Edit the highlighted profile; of another model, make one."""
        if (listed := self._highlighted) is None:
            return
        profiles = {profile.name: profile for profile in self._services.providers.list()}
        kept = profiles.get(listed.choice.name) if listed.origin is Origin.SETTINGS else None
        self._edit(kept, listed.choice)

    @work(exclusive=True, group="check")
    async def action_check(self) -> None:
        """Ask the highlighted model for a word."""
        if (listed := self._highlighted) is None:
            return
        self._say(f"Asking {listed.choice.name}…")
        with telling(self):
            try:
                profile = Profile(name=listed.choice.name, choice=listed.choice)
                self._say(f"✓ {await self._services.providers.check(profile)}")
            except ChatMemError as error:
                self._say(f"✗ {error}")

    @on(Input.Changed)
    def _filter(self) -> None:
        self._fill(keep=False)

    @on(Input.Submitted)
    def _pick_highlighted(self) -> None:
        self.query_one(OptionList).action_select()

    @on(OptionList.OptionHighlighted)
    def _tell(self) -> None:
        listed = self._highlighted
        # Without a layout, which would cost as much as all the rest of a key.
        self.query_one("#picker-told", Static).update(told(listed) if listed else "", layout=False)

    @on(OptionList.OptionSelected)
    def _pick(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == AS_TYPED:
            self._resolve(self.query_one(Input).value)
        elif event.option_id:
            listed = self._models[int(event.option_id)]
            if listed.fetch:
                self.query_one(FetchBar).start(self._services.model_store, listed)
            else:
                self._end(listed.choice)

    @on(FetchBar.Fetched)
    def _take(self, event: FetchBar.Fetched) -> None:
        self._end(event.choice)

    @work(exclusive=True, group="look")
    async def _look(self, highlight: str | None = None) -> None:
        """List what is known at once, then what answers on this machine, which may take half a second."""
        with telling(self):
            for looking in (True, False):
                models = await asyncio.to_thread(self._services.models.listed, everywhere=not looking)
                wanted, highlight = highlight or self._highlighted_name or self._current, None
                self._models, self._looking = models, looking
                self._fill(wanted)

    @work(exclusive=True, group="resolve")
    async def _resolve(self, name: str) -> None:
        with telling(self):
            self._end(await asyncio.to_thread(self._services.models.resolve, name))

    def _end(self, choice: ModelChoice) -> None:
        self.app.delay_update(DRAWN_ONCE_S)
        self.dismiss(choice)

    def _edit(self, profile: Profile | None, choice: ModelChoice | None) -> None:
        from chatmem.ui.screens.profile_form import ProfileForm

        self.app.push_screen(ProfileForm(self._services, profile, like=choice), self._show_saved)

    def _show_saved(self, name: str | None) -> None:
        if name is not None:
            self.query_one(Input).value = ""
            self._look(name)

    def _say(self, text: str) -> None:
        self.query_one("#picker-told", Static).update(text)

    @property
    def _highlighted(self) -> Listed | None:
        option = self.query_one(OptionList).highlighted_option
        return self._models[int(option.id)] if option and option.id and option.id != AS_TYPED else None

    @property
    def _highlighted_name(self) -> str | None:
        return self._highlighted.choice.name if self._highlighted else None

    def _fill(self, highlight: str | None = None, *, keep: bool = True) -> None:
        options = self.query_one(OptionList)
        wanted = highlight or (self._highlighted_name if keep else None)
        columns = Columns.fitting(self._models, options.scrollable_content_region.width - 1)
        rows = self._options(self.query_one(Input).value.strip(), columns)
        if columns != self._columns:
            self._columns = columns
            self.query_one("#picker-columns", Static).update(columns.heading())
        options.clear_options()
        options.add_options(rows)
        options.highlighted = next((at for at, row in enumerate(rows) if self._is(row, wanted)), None)
        if options.highlighted is None:
            options.action_first()

    def _is(self, row: Option, name: str | None) -> bool:
        listed = self._models[int(row.id)] if row.id and row.id != AS_TYPED else None
        return listed is not None and listed.choice.name == name

    def _options(self, query: str, columns: Columns) -> list[Option]:
        if query:
            typed = Option(Content.assemble(("  Use as typed: ", "$foreground-muted"), query), id=AS_TYPED)
            rows = matching(self._models, query, self._current, columns)
            return [typed, *rows] if self._means_another(query, rows) else [*rows, typed]
        rows = grouped(self._models, self._current, columns)
        if self._looking:
            rows.append(Option(Content.styled(f"  {LOOKING}", "$foreground-muted"), disabled=True))
        return rows

    def _means_another(self, query: str, rows: Sequence[Option]) -> bool:
        """Whether what was typed is the name of a model that is not listed: then Enter takes it."""
        names = [self._models[int(row.id)].choice.name for row in rows[:1] if row.id]
        return "/" in query and not any(query.lower() in name.lower() for name in names)
