"""The commands that may be meant, in a list above the prompt."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from chatmem.ui.widgets.slash_commands import COMMANDS, Command

ROWS = 7
"""Shown at most, so that the conversation stays in view on a small terminal."""

USAGE_CELLS = max(len(command.usage) for command in COMMANDS) + 2


class SlashList(Widget):
    """Shows commands, one of them highlighted; hidden while there are none."""

    class Picked(Message):
        """The person has clicked on a command."""

        def __init__(self, command: Command) -> None:
            self.command = command
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self._commands: Sequence[Command] = ()
        self._highlighted = 0
        self.display = False

    @property
    def highlighted(self) -> Command | None:
        """The command that Enter takes; `None` while none is shown."""
        return self._commands[self._highlighted] if self._commands else None

    def show(self, commands: Sequence[Command]) -> None:
        """Show other commands; the highlight stays where it was if its command is still there."""
        was = self.highlighted
        self._commands = commands
        self._highlighted = commands.index(was) if was in commands and len(commands) > 1 else 0
        self.display = bool(commands)
        self.styles.height = min(ROWS, len(commands))
        self.refresh()

    def move(self, by: int) -> None:
        """Highlight the command before for -1, or after for 1; around the ends."""
        if self._commands:
            self._highlighted = (self._highlighted + by) % len(self._commands)
            self.refresh()

    def render(self) -> Content:
        """Draw as many commands as there is room for, the highlighted one among them."""
        first = self._first
        rows = [self._row(place) for place in range(first, min(first + ROWS, len(self._commands)))]
        return Content("\n").join(rows)

    def on_click(self, event: events.Click) -> None:
        """Take the command under the mouse."""
        offset = event.get_content_offset(self)
        if offset is not None and (place := self._first + offset.y) < len(self._commands):
            self.post_message(self.Picked(self._commands[place]))

    @property
    def _few_colours(self) -> bool:
        return self.app.has_class("-few-colours")

    @property
    def _first(self) -> int:
        """Place of the command in the first row."""
        return max(0, min(self._highlighted - ROWS // 2, len(self._commands) - ROWS))

    def _row(self, place: int) -> Content:
        command, width = self._commands[place], self.content_size.width
        if place == self._highlighted:
            text = f"{command.usage:<{USAGE_CELLS}}{command.title} · {command.meaning}"
            style = f"{'reverse ' * self._few_colours}$block-cursor-foreground on $block-cursor-background"
            return Content.styled(text, style).truncate(width, ellipsis=True, pad=True)
        return Content.assemble(
            (f"{command.usage:<{USAGE_CELLS}}", "$primary"),
            (command.title, "$foreground"),
            (f" · {command.meaning}", "$foreground-muted"),
        ).truncate(width, ellipsis=True)
