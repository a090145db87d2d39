"""The provider profiles: listed, added, edited, checked, removed."""

import asyncio
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from chatmem.conversation import Profile
from chatmem.domain.errors import ChatMemError
from chatmem.domain.model import KeyPlace, KeySource
from chatmem.ui.failures import telling
from chatmem.ui.services import Services

KEYS = "Enter edit · N new · K check · Delete remove · Esc back"
NOTHING = (
    "There is no profile yet. One gives a model a name of yours, its own address, key and parameters: "
    "for a company's gateway, a second account, or the same model asked in two ways. N makes one."
)
SURE = "Delete once more removes {name}, and its key from the keyring if it is there."

MUTED = "$foreground-muted"


class ProvidersScreen(ModalScreen[None]):
    """Lists the profiles."""

    CSS_PATH = "../dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Back"),
        Binding("n,ctrl+n", "add", "New"),
        Binding("e,ctrl+e", "edit", "Edit"),
        Binding("k,ctrl+k", "check", "Check"),
        Binding("delete,d", "remove", "Remove"),
    ]

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services = services
        self._profiles: list[Profile] = []
        self._doomed: str | None = None

    def compose(self) -> ComposeResult:
        """Lay out the list above what is said of the highlighted one."""
        with Vertical(classes="dialog", id="providers"):
            yield Static("Provider profiles", classes="dialog-title")
            yield Static(NOTHING, id="providers-none", classes="pane-empty")
            yield OptionList(markup=False, compact=True)
            yield Static(id="providers-said", markup=False)
            yield Static(KEYS, classes="dialog-hint")

    def on_mount(self) -> None:
        """List them."""
        self._fill(None)

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)

    def action_add(self) -> None:
        """Add one."""
        self._open(None)

    def action_edit(self) -> None:
        """Edit the highlighted one."""
        if (profile := self._highlighted) is not None:
            self._open(profile)

    @work(exclusive=True, group="check")
    async def action_check(self) -> None:
        """Ask the model of the highlighted one for a word."""
        if (profile := self._highlighted) is None:
            return
        self._say(f"Asking {profile.name}…")
        with telling(self):
            try:
                self._say(f"✓ {await self._services.providers.check(profile)}")
            except ChatMemError as error:
                self._say(f"✗ {error}")

    @work(exclusive=True, group="remove")
    async def action_remove(self) -> None:
        """Remove the highlighted one, when asked twice."""
        if (profile := self._highlighted) is None:
            return
        if self._doomed != profile.name:
            self._doomed = profile.name
            self._say(SURE.format(name=profile.name))
            return
        with telling(self):
            try:
                await asyncio.to_thread(self._services.providers.remove, profile.name)
            except ChatMemError as error:
                self._say(str(error))
            else:
                self._fill(None)
                self._say(f"{profile.name} is removed.")

    @on(OptionList.OptionHighlighted)
    def _reconsider(self) -> None:
        self._doomed = None
        self._say("")

    @on(OptionList.OptionSelected)
    def _edit_selected(self) -> None:
        self.action_edit()

    def _open(self, profile: Profile | None) -> None:
        from chatmem.ui.screens.profile_form import ProfileForm

        self.app.push_screen(ProfileForm(self._services, profile), self._fill)

    def _fill(self, highlight: str | None) -> None:
        options = self.query_one(OptionList)
        self._profiles = self._services.providers.list()
        self._doomed = None
        options.clear_options()
        options.add_options(Option(_row(profile), id=profile.name) for profile in self._profiles)
        self.query_one("#providers-none").display = not self._profiles
        options.display = bool(self._profiles)
        if self._profiles:
            names = [profile.name for profile in self._profiles]
            options.highlighted = names.index(highlight) if highlight in names else 0
            options.focus()

    def _say(self, text: str) -> None:
        self.query_one("#providers-said", Static).update(text)

    @property
    def _highlighted(self) -> Profile | None:
        at = self.query_one(OptionList).highlighted
        return self._profiles[at] if at is not None and at < len(self._profiles) else None


def _row(profile: Profile) -> Content:
    choice = profile.choice
    about = [choice.model, choice.api_base or "", _key_words(choice.key)]
    if profile.fallback:
        about.append(f"then {profile.fallback}")
    return Content.assemble((profile.name, "bold"), "\n", ("  " + " · ".join(filter(None, about)), MUTED))


def _key_words(source: KeySource | None) -> str:
    if source is None:
        return "key from the usual variable"
    words = {
        KeyPlace.ENVIRONMENT: f"key from ${source.name}",
        KeyPlace.KEYRING: "key in the keyring",
        KeyPlace.COMMAND: "key from a command",
    }
    return words[source.place]
