"""A person at the screens for what waits, what changed, and how memory does."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import PurePath
from typing import Any, ClassVar

from textual.app import App
from textual.screen import Screen

from tests.ui.driving import AppPilot, settled

SIZES = [(80, 24), (150, 45)]


class UpkeepHost(App[None]):
    """Shows one screen, and keeps what it ends with in `results`."""

    CSS_PATH: ClassVar[list[str | PurePath]] = ["../../chatmem/ui/app.tcss"]

    def __init__(self, screen: Screen[Any]) -> None:
        super().__init__()
        self._first = screen
        self.results: list[object] = []

    def on_mount(self) -> None:
        self.push_screen(self._first, self.results.append)


@asynccontextmanager
async def at(screen: Screen[Any], size: tuple[int, int] = (80, 24)) -> AsyncIterator[AppPilot]:
    """Open a screen, read whole."""
    async with UpkeepHost(screen).run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        yield pilot


async def press(pilot: AppPilot, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def shown(pilot: AppPilot) -> str:
    """What is on the screen, line by line."""
    app = pilot.app
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)
