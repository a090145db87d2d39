"""A person at the memory screen: what they do and see."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import PurePath
from typing import ClassVar

from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Static
from textual.widgets._toast import Toast
from textual.worker import WorkerCancelled

from chatmem.domain.memory import Kind
from chatmem.ui.screens.memory import MemoryScreen
from chatmem.ui.services import MemoryDesk
from chatmem.ui.widgets.memory_detail import MemoryDetail
from chatmem.ui.widgets.memory_filters import FilterLine
from chatmem.ui.widgets.memory_list import MemoryList
from tests.ui.memory_services import MemoryServices, Saying


class Host(App[None]):
    CSS_PATH: ClassVar[list[str | PurePath]] = ["../../chatmem/ui/app.tcss"]

    def __init__(self, services: MemoryDesk) -> None:
        super().__init__()
        self._services = services

    def on_mount(self) -> None:
        self.push_screen(MemoryScreen(self._services))


class Hands:
    """What a person does and sees."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot
        self.app = pilot.app

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def click(self, widget: type | str, x: int, y: int) -> None:
        await self.pilot.click(widget, offset=(x, y))
        await self.settle()

    async def settle(self) -> None:
        await self.pilot.pause()
        while busy := [worker for worker in self.app.workers if worker.group != "dialog" and not worker.is_finished]:
            with suppress(WorkerCancelled):
                await self.app.workers.wait_for_complete(busy)
            await self.pilot.pause()

    @property
    def shown(self) -> MemoryList:
        return self.app.screen.query_one(MemoryList)

    def lines(self) -> list[str]:
        """What the list shows, from the top, without the blank lines at its end."""
        return (
            "\n".join(self.shown.render_line(y).text.rstrip() for y in range(self.shown.size.height))
            .rstrip()
            .split("\n")
        )

    def texts(self) -> list[str]:
        return [re.split(r" {2,}|…", line[3:])[0] for line in self.lines()]

    def detail(self) -> str:
        return "\n".join(str(part.content) for part in self.app.screen.query_one(MemoryDetail).query(Static))

    def said(self, selector: str) -> str:
        return str(self.app.screen.query_one(selector, Static).content)

    def line(self) -> str:
        """How the list is ordered and narrowed, in words."""
        return str(self.app.screen_stack[1].query_one(FilterLine).render())

    def notices(self) -> list[str]:
        return [str(toast.render()) for toast in self.app.screen.query(Toast)]


@asynccontextmanager
async def opened(services: MemoryDesk, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Hands]:
    async with Host(services).run_test(size=size, notifications=True) as pilot:
        hands = Hands(pilot)
        await hands.settle()
        yield hands


def of_ana() -> MemoryServices:
    services = MemoryServices()
    moved = services.say("Hi! I'm Ana. I moved to Porto last month. I'm allergic to peanuts, so I cook myself.")
    short = services.say("Please keep answers short. My sister Rita visits in May.")
    services.learn("The user is called Ana.", Saying(moved, "I'm Ana."), day=1, pinned=True)
    services.learn("The user lives in Porto.", Saying(moved, "I moved to Porto last month."), day=2, slot="home")
    services.learn("The user is allergic to peanuts.", Saying(moved, "I'm allergic to peanuts"), day=3)
    services.learn("Keep answers short.", Saying(short, "keep answers short."), day=4, kind=Kind.PROCEDURE)
    services.learn("Rita visits in May.", Saying(short, "My sister Rita visits in May."), day=5, kind=Kind.EPISODE)
    return services


NEWEST_FIRST = [
    "Rita visits in May.",
    "Keep answers short.",
    "The user is allergic to peanuts.",
    "The user lives in Porto.",
    "The user is called Ana.",
]


def row_text(hands: Hands) -> str:
    row = hands.shown.row
    return row.text if row else ""
