"""Everything that can be done on the chat screen, by name: what the command palette offers."""

from collections.abc import Iterator
from typing import Protocol

from textual.app import SystemCommand

from chatmem.ui.widgets.turn_actions import ACTIONS, Wish

GENERAL = (
    ("New conversation", "Begin anew; this one stays in the list", "new"),
    ("Switch the model", "It answers from the next turn on", "model"),
    ("Memories", "Look at, trace, correct and forget what is remembered", "memories"),
    ("Sessions", "Go to the list of conversations", "sessions"),
    ("Recalled", "Show or hide what was recalled for the answer", "recalled"),
    ("Search this conversation", "Find words in it, and go from hit to hit", "find"),
    ("Search all conversations", "Find words in any of them, and open it there", "search"),
    ("Export this conversation", "Write it to a Markdown or JSON file", "export"),
    ("Working memory strategy", "Sliding window, or running summary", "strategy"),
    ("Stop the answer", "What has arrived is kept", "stop"),
    ("Copy the last answer", "To the clipboard", "copy_answer"),
    ("Learn now", "Turn what was said into memories without waiting", "learn"),
)
"""Title, meaning and action of the screen."""


class Commanded(Protocol):
    """A screen that can be told what to do."""

    def do(self, action: str) -> None:
        """Run one of the screen's actions."""

    def ask(self, wish: Wish) -> None:
        """Do something with the selected turn, or with the newest of which it can be asked."""


def commands(screen: Commanded) -> Iterator[SystemCommand]:
    """Everything, in the order in which it is listed before anything is typed."""
    for title, meaning, action in GENERAL:
        yield SystemCommand(title, meaning, lambda action=action: screen.do(action))
    for turn_action in ACTIONS:
        yield SystemCommand(turn_action.title, turn_action.meaning, lambda wish=turn_action.wish: screen.ask(wish))
