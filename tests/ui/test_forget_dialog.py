"""What the person chooses of the turns, and how far forgetting is."""

import threading
from collections.abc import Sequence

from textual.widgets import Button

from tests.ui.memory_hands import of_ana, opened


class SlowFile:
    """A file that takes its time to be rewritten."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go_on = threading.Event()

    def scrub(self) -> None:
        self.begun.set()
        self.go_on.wait(30)

    def residue(self, needles: Sequence[str]) -> int:
        return 0


async def test_the_turns_can_be_left_as_they_are() -> None:
    services = of_ana()
    said = [turn.text for session in services.log.sessions() for turn in services.log.turns(session.id)]

    async with opened(services) as hands:
        await hands.press("f")
        redacting = hands.said("#forget-report")
        await hands.press("t")
        leaving = hands.said("#forget-report")
        await hands.press("y")

    assert "words" in redacting
    assert "stays in its place" in leaving
    assert [turn.text for session in services.log.sessions() for turn in services.log.turns(session.id)] == said


async def test_the_turns_can_be_redacted_after_all() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("f")
        first = hands.said("#forget-report")
        await hands.press("t", "t")

        assert hands.said("#forget-report") == first


async def test_the_step_that_runs_is_told_with_a_bar() -> None:
    services, slow = of_ana(), SlowFile()
    services.files.append(slow)

    async with opened(services) as hands:
        await hands.press("f")
        await hands.pilot.press("y")
        assert slow.begun.wait(30)
        await hands.pilot.pause()
        report = hands.said("#forget-report")
        slow.go_on.set()
        await hands.settle()

        assert "━" in report
        assert "files" in report
        assert not hands.app.screen.query_one("#turns", Button).display
