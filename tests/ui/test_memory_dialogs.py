import re
import threading
from collections.abc import Sequence

from textual.widgets import Button, RadioButton, TextArea

from chatmem.ports.memory_store import MemoryFilter
from chatmem.ui.screens.memory import MemoryScreen
from chatmem.ui.screens.memory_dialogs import ForgetDialog
from chatmem.ui.screens.memory_writing import WriteDialog
from tests.ui.memory_hands import NEWEST_FIRST, of_ana, opened


async def test_an_edit_is_saved_with_ctrl_s() -> None:
    services = of_ana()

    async with opened(services) as hands:
        await hands.press("e", "ctrl+u", *"Rita came.", "ctrl+s")

        assert hands.texts()[0] == "Rita came."
        assert "Rita came." in hands.detail()
        assert "changed on" in hands.detail()


async def test_escape_leaves_an_edit_without_saving() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("e", *"xyz", "escape")

        assert hands.texts() == NEWEST_FIRST


async def test_an_edit_that_is_refused_keeps_the_dialog_and_its_text() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("e", "ctrl+u", "space", "ctrl+s")

        assert isinstance(hands.app.screen, WriteDialog)
        assert hands.app.screen.query_one(TextArea).text == " "
        assert hands.notices() == ["A memory needs a text."]


async def test_a_memory_that_another_window_forgot_is_not_edited() -> None:
    services = of_ana()

    async with opened(services) as hands:
        services.memories.erase([services.memories.select(MemoryFilter())[0].id])
        await hands.press("e")

        assert isinstance(hands.app.screen, MemoryScreen)
        assert "forgotten meanwhile" in hands.notices()[0]


async def test_a_memory_can_be_written_by_hand_with_its_kind() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("n", *"Say thanks.")
        hands.app.screen.query(RadioButton).last().value = True
        await hands.press("ctrl+s")

        assert hands.texts()[0] == "Say thanks."
        assert hands.lines()[0][1] == "▸"
        assert hands.shown.row is not None
        assert hands.shown.row.text == "Say thanks."


async def test_forgetting_shows_what_goes_and_then_its_proof() -> None:
    services = of_ana()

    async with opened(services) as hands:
        await hands.press("down", "down", "f")
        preview = hands.said("#forget-report")
        await hands.press("y")

        assert "1 memory will be erased" in preview
        assert "1 turn loses words" in preview
        assert "I'm allergic to peanuts" in preview
        assert "[forgotten]" in preview
        assert re.fullmatch(
            r"Erased 1 memory, 1 turn redacted, 0 traces left on disk \(\d+ ms\)\.", hands.said("#forget-report")
        )


async def test_after_forgetting_the_list_goes_on_in_its_place() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("down", "down", "f")
        await hands.press("y")
        await hands.press("escape")

        assert "The user is allergic to peanuts." not in hands.texts()
        assert hands.shown.row is not None
        assert hands.shown.row.text == "The user lives in Porto."


async def test_what_is_not_confirmed_is_kept() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("f")
        await hands.press("escape")

        assert isinstance(hands.app.screen, MemoryScreen)
        assert hands.texts() == NEWEST_FIRST


class LeftOver:
    """A file that keeps what it was told to lose."""

    def scrub(self) -> None: ...

    def residue(self, needles: Sequence[str]) -> int:
        return 3


async def test_traces_that_are_left_are_told_as_a_failure() -> None:
    services = of_ana()
    services.files.append(LeftOver())

    async with opened(services) as hands:
        await hands.press("f")
        await hands.press("y")

        assert "3 traces left on disk" in hands.said("#forget-report")
        assert "can still be found" in hands.said("#forget-report")
        assert hands.said(".title") == "Not all of it is gone"


class SlowFile:
    """A file that takes its time."""

    def __init__(self) -> None:
        self.go_on = threading.Event()

    def scrub(self) -> None:
        assert self.go_on.wait(10)

    def residue(self, needles: Sequence[str]) -> int:
        return 0


async def test_an_erasure_that_runs_is_shown_and_can_not_be_left() -> None:
    services, slow = of_ana(), SlowFile()
    services.files.append(slow)

    async with opened(services) as hands:
        await hands.press("f")
        await hands.pilot.press("y", "escape")
        assert isinstance(hands.app.screen, ForgetDialog)
        assert hands.app.screen.query_one("LoadingIndicator").display
        assert hands.app.screen.query_one("#forget", Button).disabled

        slow.go_on.set()
        await hands.settle()
        assert hands.said("#forget-report").startswith("Erased 1 memory")
