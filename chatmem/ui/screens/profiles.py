"""The profiles: listed, switched to, made, erased."""

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

from chatmem.domain.errors import ChatMemError
from chatmem.ui.failures import telling
from chatmem.ui.services import ProfileFolder, ProfilesDesk
from chatmem.ui.wording import size

KEYS = "Enter switch · N new · Delete erase · Esc back"
ABOUT = "Each has its own conversations and memories; they share nothing."
NAMING = "Enter makes it · Esc goes back"
OPEN_HERE = "{name} is open here. Switch to another profile to erase it."
SURE = "All that was said and learned in {name} goes for good, {size}. Delete once more erases it."


class ProfilesScreen(ModalScreen[str | None]):
    """Lists the profiles; ends with the one to switch to, or `None`."""

    CSS_PATH = "../dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Back"),
        Binding("n,ctrl+n", "add", "New"),
        Binding("delete,d", "erase", "Erase"),
    ]

    def __init__(self, folders: ProfilesDesk) -> None:
        super().__init__()
        self._folders = folders
        self._profiles: Sequence[ProfileFolder] = ()
        self._doomed = ""

    def compose(self) -> ComposeResult:
        """Lay out the list above the field for a new name."""
        with Vertical(classes="dialog", id="profiles"):
            yield Static("Profiles", classes="dialog-title")
            yield Static(ABOUT, classes="pane-empty")
            yield OptionList(markup=False, compact=True)
            yield Input(placeholder="Name of the new profile", compact=True)
            yield Static(id="profiles-said", markup=False)
            yield Static(KEYS, classes="dialog-hint", id="profiles-keys")

    def on_mount(self) -> None:
        """List them."""
        self._ask_name(asking=False)
        self._fill()

    def action_leave(self) -> None:
        """Go back, from a name first."""
        if self.query_one(Input).display:
            self._ask_name(asking=False)
        else:
            self.dismiss(None)

    def action_add(self) -> None:
        """Ask for the name of a new one."""
        self._ask_name(asking=True)

    @work(exclusive=True, group="change")
    async def action_erase(self) -> None:
        """Erase the highlighted one, when asked twice."""
        if (profile := self._highlighted) is None:
            return
        if profile.current:
            self._say(OPEN_HERE.format(name=profile.name))
        elif self._doomed != profile.name:
            self._doomed = profile.name
            self._say(SURE.format(name=profile.name, size=size(profile.size)))
        else:
            await self._erase(profile)

    @on(OptionList.OptionHighlighted)
    def _reconsider(self) -> None:
        self._doomed = ""
        self._say("")

    @on(OptionList.OptionSelected)
    def _switch(self) -> None:
        if (profile := self._highlighted) is not None:
            self.dismiss(None if profile.current else profile.name)

    @on(Input.Submitted)
    @work(exclusive=True, group="change")
    async def _create(self, event: Input.Submitted) -> None:
        name = event.value.strip()
        with telling(self):
            try:
                await asyncio.to_thread(self._folders.create, name)
            except ChatMemError as error:
                self._say(str(error))
                return
            self._ask_name(asking=False)
            self._fill(name)

    async def _erase(self, profile: ProfileFolder) -> None:
        with telling(self):
            try:
                freed = await asyncio.to_thread(self._folders.forget, profile.name)
            except ChatMemError as error:
                self._say(str(error))
                return
            self._fill()
            self.notify(f"{profile.name} is erased: {size(freed)}.", timeout=5, markup=False)

    @work(exclusive=True, group="list")
    async def _fill(self, highlight: str = "") -> None:
        with telling(self):
            self._profiles = await asyncio.to_thread(self._folders.list)
            options = self.query_one(OptionList)
            options.clear_options()
            options.add_options(Option(_row(profile), id=profile.name) for profile in self._profiles)
            names = [profile.name for profile in self._profiles]
            here = next((number for number, profile in enumerate(self._profiles) if profile.current), 0)
            options.highlighted = names.index(highlight) if highlight in names else here if names else None

    def _ask_name(self, *, asking: bool) -> None:
        """Begin or end to ask for a name."""
        field, options = self.query_one(Input), self.query_one(OptionList)
        field.value, field.display = "", asking
        self._say("")
        self.query_one("#profiles-keys", Static).update(NAMING if asking else KEYS)
        (field if asking else options).focus()

    def _say(self, text: str) -> None:
        self.query_one("#profiles-said", Static).update(text)

    @property
    def _highlighted(self) -> ProfileFolder | None:
        at = self.query_one(OptionList).highlighted
        return self._profiles[at] if at is not None and at < len(self._profiles) else None


def _row(profile: ProfileFolder) -> Content:
    here = " · open here" if profile.current else ""
    return Content.assemble((profile.name, "bold"), (f"  {size(profile.size)}{here}", "$foreground-muted"))
