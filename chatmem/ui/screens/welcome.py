"""The first screen of a person who has chosen no model yet."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from chatmem.conversation import Listed, Origin, to_begin_with
from chatmem.domain.model import BUILTIN, ModelChoice
from chatmem.ports.model_store import ModelEntry
from chatmem.ui.failures import telling
from chatmem.ui.screens.models import ModelPicker
from chatmem.ui.services import Services
from chatmem.ui.widgets.fetch_bar import FetchBar
from chatmem.ui.widgets.key_line import KeyLine
from chatmem.ui.wording import size

GREETING = (
    "chatmem is a chat that remembers. What it learns from what you say, you can look at, trace to your words, "
    "correct and erase.\n\nWhich model do you want to talk to? You can switch at any time."
)

ELSEWHERE = {Origin.SETTINGS: "from your settings", Origin.SERVER: "running on this machine"}


class WelcomeScreen(Screen[ModelChoice | None]):
    """Offers the built-in model first; ends with the model that was taken, or `None`."""

    CSS_PATH = "../dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f5", "type_name", "Another model"),
        Binding("ctrl+n", "add", "Add a provider"),
        Binding("escape", "leave", "Later"),
    ]

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services = services
        self._offers: Sequence[Listed] = ()

    def compose(self) -> ComposeResult:
        """Lay out the greeting above the offers."""
        with Center(), Vertical(id="welcome"):
            yield Static("chatmem", classes="dialog-title")
            yield Static(GREETING, id="welcome-greeting")
            yield OptionList(markup=False, compact=True)
            yield FetchBar()
            yield Static("Enter takes the highlighted one", classes="dialog-hint")
        yield KeyLine(palette=False)

    def on_mount(self) -> None:
        """Offer the built-in models at once, the others when they are found."""
        self.query_one(OptionList).focus()
        self._look()

    def action_leave(self) -> None:
        """Go to the chat without a model."""
        self.dismiss(None)

    def action_type_name(self) -> None:
        """Pick from all models, or type a name."""
        self.app.push_screen(ModelPicker(self._services, ""), self._picked)

    def action_add(self) -> None:
        """Add a profile of a provider, and talk to it."""
        from chatmem.ui.screens.profile_form import ProfileForm

        self.app.push_screen(ProfileForm(self._services, None), self._added)

    @on(OptionList.OptionSelected)
    def _take(self, event: OptionList.OptionSelected) -> None:
        if event.option_id:
            listed = self._offers[int(event.option_id)]
            if listed.fetch:
                self.query_one(FetchBar).start(self._services.model_store, listed)
            else:
                self.dismiss(listed.choice)

    @on(FetchBar.Fetched)
    def _begin(self, event: FetchBar.Fetched) -> None:
        self.dismiss(event.choice)

    def _picked(self, choice: ModelChoice | None) -> None:
        if choice is not None:
            self.dismiss(choice)

    def _added(self, name: str | None) -> None:
        if name is not None:
            self.dismiss(self._services.models.resolve(name))

    @work(exclusive=True, group="look")
    async def _look(self) -> None:
        with telling(self):
            entries = {BUILTIN + e.name: e for e in await asyncio.to_thread(self._services.model_store.entries)}
            listed = to_begin_with(await asyncio.to_thread(self._services.models.listed))
            self._offers = sorted(listed, key=lambda model: _rank(model, entries.get(model.choice.model)))
            options = self.query_one(OptionList)
            highlighted = options.highlighted or 0
            options.clear_options()
            options.add_options(
                Option(_row(model, entries.get(model.choice.model)), id=str(number))
                for number, model in enumerate(self._offers)
            )
            options.highlighted = highlighted


def _rank(model: Listed, entry: ModelEntry | None) -> int:
    """The built-in chat model first, the test model last, the others between them in their order."""
    return 1 if entry is None else 2 if entry.purpose == "test" else 0


def _row(model: Listed, entry: ModelEntry | None) -> Content:
    name = entry.name if entry else model.choice.name
    return Content.assemble((name, "bold"), "\n", (_note(model, entry), "$foreground-muted"))


def _note(model: Listed, entry: ModelEntry | None) -> str:
    if entry is None:
        return ELSEWHERE.get(model.origin, "its key is in your environment; what you say goes to this provider")
    state = "on this machine already" if entry.path else f"{size(entry.size)} to fetch"
    about = "a test model, answers badly" if entry.purpose == "test" else "built in, nothing leaves this machine"
    return f"{about} · {state} · {entry.licence}"
