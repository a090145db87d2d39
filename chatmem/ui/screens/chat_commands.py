"""Everything that can be done on the chat screen, by name: what the command palette offers."""

from collections.abc import Iterator
from typing import Protocol

from textual.app import SystemCommand

from chatmem.ui.widgets.slash_commands import COMMANDS
from chatmem.ui.widgets.turn_actions import ACTIONS, Wish


class Commanded(Protocol):
    """A screen that can be told what to do."""

    def do(self, action: str) -> None:
        """Run one of the screen's actions."""

    def ask(self, wish: Wish) -> None:
        """Do something with the selected turn, or with the newest of which it can be asked."""

    def write(self, text: str) -> None:
        """Put a text into the prompt."""


def commands(screen: Commanded) -> Iterator[SystemCommand]:
    """Everything, in the order in which it is listed before anything is typed."""
    for command in COMMANDS:
        if command.needs_argument:
            yield SystemCommand(command.title, command.meaning, lambda name=command.name: screen.write(f"/{name} "))
        elif not command.everywhere:
            yield SystemCommand(command.title, command.meaning, lambda action=command.action: screen.do(action))
    for turn_action in ACTIONS:
        yield SystemCommand(turn_action.title, turn_action.meaning, lambda wish=turn_action.wish: screen.ask(wish))
