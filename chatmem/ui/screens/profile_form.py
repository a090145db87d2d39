"""Adding and editing a provider profile."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widget import Widget
from textual.widgets import Input, Select, Static, TextArea

from chatmem.conversation import Profile
from chatmem.domain.errors import ChatMemError
from chatmem.domain.model import KeyPlace, ModelChoice
from chatmem.ui.failures import telling
from chatmem.ui.messages import ProfileSaved
from chatmem.ui.services import Services
from chatmem.ui.widgets.model_search import ModelSuggester
from chatmem.ui.widgets.profile_fields import USUAL, Typed, WrongFieldsError, profile_of, typed_of

KEYS = "Tab next · Ctrl+S save · Ctrl+K save and check · Esc back"
CHANGED = "You have changed something. Esc once more drops it, Ctrl+S saves it."

PLACES = (
    ("the provider's usual variable", USUAL),
    ("an environment variable", KeyPlace.ENVIRONMENT.value),
    ("this system's keyring", KeyPlace.KEYRING.value),
    ("the output of a command", KeyPlace.COMMAND.value),
)
ASKED: dict[str, str] = {
    KeyPlace.ENVIRONMENT: "name of the variable, such as WORK_API_KEY",
    KeyPlace.KEYRING: "the key; it is kept in the keyring and not shown again",
    KeyPlace.COMMAND: "a command that prints the key, such as: pass show openai",
}
KEPT = "kept in the keyring; type another one to replace it"
EFFORTS = ("low", "medium", "high", "minimal", "none")
NONE = ""


class ProfileForm(ModalScreen[str | None]):
    """The fields of one profile; ends with the name under which it was saved, or `None`.

    Args:
        services: What is behind the screen.
        profile: The profile to edit; `None` for a new one.
        like: A model that a new one begins with.
    """

    CSS_PATH = "../dialogs.tcss"
    AUTO_FOCUS = "#name"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("ctrl+s", "save", "Save", priority=True),
        Binding("ctrl+k", "check", "Check", priority=True),
        Binding("down", "app.focus_next", "Next", show=False),
        Binding("up", "app.focus_previous", "Previous", show=False),
    ]

    def __init__(self, services: Services, profile: Profile | None, *, like: ModelChoice | None = None) -> None:
        super().__init__()
        self._services = services
        self._kept = profile
        choice = profile.choice if profile else like
        self._begun = typed_of(choice, profile.fallback if profile else None) if choice else Typed()
        self._place = self._begun.place
        self._saved: str | None = None
        self._warned = False

    def compose(self) -> ComposeResult:
        """Lay out the fields, each with room for what is wrong with it."""
        typed = self._begun
        with Vertical(classes="dialog", id="profile"):
            yield Static("Edit a profile" if self._kept else "New profile", classes="dialog-title")
            with VerticalScroll(can_focus=False):
                yield from _field("name", "Name", Input(typed.name, placeholder="what you call it"))
                yield from _field(
                    "model",
                    "Model",
                    Input(
                        typed.model,
                        placeholder="provider/model; Right completes it",
                        suggester=ModelSuggester(self._services.models),
                    ),
                )
                yield from _field("api_base", "Address", Input(typed.api_base, placeholder="the provider's own"))
                yield from _field(
                    "place", "Key from", Select(PLACES, value=typed.place, allow_blank=False, compact=True)
                )
                yield from _field("key", "", Input(typed.key))
                yield from _field("temperature", "Temperature", Input(typed.temperature, placeholder="0 to 2"))
                yield from _field("reply_tokens", "Longest reply", Input(typed.reply_tokens, placeholder="tokens"))
                efforts = SuggestFromList(EFFORTS, case_sensitive=False)
                effort = Input(typed.reasoning_effort, placeholder="low, medium, high", suggester=efforts)
                yield from _field("reasoning_effort", "Thinks", effort)
                yield from _field(
                    "context_tokens", "Context", Input(typed.context_tokens, placeholder="tokens, as known")
                )
                yield from _field(
                    "headers", "Headers", TextArea(typed.headers, compact=True, placeholder="Name: value")
                )
                yield from _field("fallback", "If it fails, ask", self._fallbacks())
            yield Static(id="profile-said", markup=False)
            yield Static(KEYS, classes="dialog-hint")

    def on_mount(self) -> None:
        """Have all fields look alike."""
        for field in self.query(Input):
            field.compact, field.select_on_focus = True, False

    def action_leave(self) -> None:
        """Go back; what was changed and not saved is dropped at the second time."""
        if self._typed == self._begun or self._warned:
            self.dismiss(self._saved)
        else:
            self._warned = True
            self._say(CHANGED)

    @work(exclusive=True, group="save")
    async def action_save(self) -> None:
        """Save it and go back."""
        with telling(self):
            if await self._save() is not None:
                self.dismiss(self._saved)

    @work(exclusive=True, group="save")
    async def action_check(self) -> None:
        """Save it, and ask the model for a word."""
        with telling(self):
            if (profile := await self._save()) is None:
                return
            self._say(f"Saved. Asking {profile.name}…")
            try:
                self._say(f"✓ {await self._services.providers.check(profile)}")
            except ChatMemError as error:
                self._say(f"✗ {error}", failed=True)

    @on(Select.Changed, "#place")
    def _ask_for_key(self, event: Select.Changed) -> None:
        place, key = str(event.value), self.query_one("#key", Input)
        if place != self._place:  # what was typed for one place must not be taken, or shown, as another's
            key.value = self._begun.key if place == self._begun.place else ""
        self._place = place
        source = self._kept.choice.key if self._kept else None
        in_keyring = source is not None and source.place is KeyPlace.KEYRING
        key.password = place == KeyPlace.KEYRING
        key.placeholder = KEPT if key.password and in_keyring else ASKED.get(place, "")
        self.query_one("#key-row").display = place != USUAL

    @on(Input.Submitted)
    def _go_on(self) -> None:
        self.focus_next()

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _forget_warning(self) -> None:
        self._warned = False

    async def _save(self) -> Profile | None:
        """Save what was typed, and return it as it was saved; say what is wrong and return `None` otherwise."""
        self._show_wrong({})
        kept = self._kept
        try:
            profile, key = profile_of(self._typed, kept.choice.key if kept else None)
            replaces = kept.name if kept else None
            await asyncio.to_thread(self._services.providers.save, profile, key=key, replaces=replaces)
        except WrongFieldsError as error:
            self._show_wrong(error.sentences)
            return None
        except ChatMemError as error:
            self._say(str(error), failed=True)
            return None
        self._take_saved(profile.name)
        return self._kept

    def _take_saved(self, name: str) -> None:
        self.app.post_message(ProfileSaved(name, self._kept.name if self._kept else name))
        self._saved = name
        self._kept = next(profile for profile in self._services.providers.list() if profile.name == name)
        if self._typed.place == KeyPlace.KEYRING:
            key = self.query_one("#key", Input)
            key.value, key.placeholder = "", KEPT
        self._begun = self._typed

    @property
    def _typed(self) -> Typed:
        return Typed(
            place=str(self.query_one("#place", Select).value),
            fallback=str(self.query_one("#fallback", Select).value),
            headers=self.query_one("#headers", TextArea).text,
            **{str(field.id): field.value for field in self.query(Input)},
        )

    def _fallbacks(self) -> Select[str]:
        names = [profile.name for profile in self._services.providers.list() if profile != self._kept]
        options = [("no other", NONE), *((name, name) for name in names)]
        value = self._begun.fallback if self._begun.fallback in names else NONE
        return Select(options, value=value, allow_blank=False, compact=True)

    def _show_wrong(self, wrong: Mapping[str, str]) -> None:
        self._say("")
        for place in self.query(".field-wrong").results(Static):
            field = str(place.id).removesuffix("-wrong")
            place.update(wrong.get(field, ""))
            place.display = field in wrong
            self.query_one(f"#{field}-row").set_class(field in wrong, "-wrong")
        if wrong:
            self.query_one(f"#{next(iter(wrong))}").focus()

    def _say(self, text: str, *, failed: bool = False) -> None:
        said = self.query_one("#profile-said", Static)
        said.set_class(failed, "-failed")
        said.update(text)


def _field(identity: str, label: str, widget: Widget) -> Iterator[Widget]:
    widget.id = identity
    yield Horizontal(Static(label, classes="field-label"), widget, classes="field", id=f"{identity}-row")
    wrong = Static(id=f"{identity}-wrong", classes="field-wrong", markup=False)
    wrong.display = False
    yield wrong
