"""What the help tells."""

from collections.abc import Iterator

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

from chatmem.ui.screens.help import KEYS
from chatmem.ui.screens.memory import MemoryScreen
from chatmem.ui.screens.memory_dialogs import ForgetDialog
from chatmem.ui.screens.one_memory import OneMemoryScreen
from chatmem.ui.widgets.memory_list import MemoryList


@pytest.mark.parametrize(
    ("title", "place"),
    [
        ("Memories (F2)", MemoryScreen),
        ("Memories (F2)", MemoryList),
        ("One memory", OneMemoryScreen),
        ("Forget for good?", ForgetDialog),
    ],
)
def test_every_letter_that_does_something_with_memories_is_told(title: str, place: type[DOMNode]) -> None:
    told = {key for shown, _ in dict(KEYS)[title] for key in shown.split(", ")}

    assert set(letters(place)) - told == set()


def letters(place: type[DOMNode]) -> Iterator[str]:
    for binding in place.BINDINGS:
        assert isinstance(binding, Binding)
        yield from (key for key in binding.key.split(",") if len(key) == 1 and key.isalpha())
