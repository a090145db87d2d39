"""The prompt box, with the commands that may be typed into it."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import TextArea

from chatmem.domain.errors import UsageError
from chatmem.domain.model import ModelChoice
from chatmem.ui.services import Services
from chatmem.ui.widgets.prompt import PromptBox
from chatmem.ui.widgets.slash_commands import Call, Command, beginning_with, called
from chatmem.ui.widgets.slash_list import SlashList

OF_THE_LIST = frozenset({"move", "complete", "take", "close"})
"""What keys do while the list is open; otherwise they are the prompt's."""


class SlashPrompt(Vertical):
    """Takes what the person types; a text that is a command is told as such, and never sent.

    Args:
        services: What is behind the screen.
        choice: Tells the model that is talked to.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False, priority=True),
        Binding("down", "move(1)", "Down", show=False, priority=True),
        Binding("tab", "complete", "Complete", show=False, priority=True),
        Binding("enter", "take", "Run", show=False, priority=True),
        Binding("escape", "close", "Close", show=False, priority=True),
    ]

    class Called(Message):
        """The person wants something done."""

        def __init__(self, call: Call) -> None:
            self.call = call
            super().__init__()

    def __init__(self, services: Services, choice: Callable[[], ModelChoice | None]) -> None:
        super().__init__()
        self._box = PromptBox(services, choice)
        self._list = SlashList()
        self._closed_at = ""

    def compose(self) -> ComposeResult:
        """Lay the list above the prompt."""
        yield self._list
        yield self._box

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the keys to the prompt unless the list is open."""
        if action in OF_THE_LIST:
            return self._box.has_focus and bool(self._offered())
        return super().check_action(action, parameters)

    def action_move(self, by: int) -> None:
        """Highlight another command."""
        self._list.move(by)

    def action_complete(self) -> None:
        """Write out the name of the highlighted command."""
        if command := self._highlighted():
            self._complete(command)

    def action_take(self) -> None:
        """Run the highlighted command, or write out its name where it needs more."""
        if command := self._highlighted():
            self._take(command)

    def action_close(self) -> None:
        """Close the list until something else is typed."""
        self._closed_at = self._box.text
        self._show_list()

    @on(TextArea.Changed)
    def _show_list(self) -> None:
        if self._box.text != self._closed_at:
            self._closed_at = ""
        self._list.show(self._offered())

    @on(SlashList.Picked)
    def _take_clicked(self, event: SlashList.Picked) -> None:
        event.stop()
        self._box.focus()
        self._take(event.command)

    @on(PromptBox.Submitted)
    def _tell_call(self, event: PromptBox.Submitted) -> None:
        try:
            call = called(event.text)
        except UsageError as error:
            event.stop()
            self._box.hint(str(error))
            return
        if call is not None:
            event.stop()
            self._tell(call)

    def _offered(self) -> Sequence[Command]:
        text = self._box.text
        return () if text == self._closed_at else beginning_with(text)

    def _highlighted(self) -> Command | None:
        # The list is told of a key a moment after it was typed.
        self._list.show(self._offered())
        return self._list.highlighted

    def _take(self, command: Command) -> None:
        if command.needs_argument:
            self._complete(command)
        else:
            self._tell(Call(command=command))

    def _complete(self, command: Command) -> None:
        self._box.write(f"/{command.name} " if command.argument else f"/{command.name}")

    def _tell(self, call: Call) -> None:
        images = self._box.images
        self._box.empty()
        self._box.restore("", images)
        self.post_message(self.Called(call))
