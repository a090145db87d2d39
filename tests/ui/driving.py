"""Driving the app in tests."""

import asyncio
from collections.abc import Callable

from textual.pilot import Pilot

AppPilot = Pilot[None]


async def settled(pilot: AppPilot) -> None:
    """Wait until no worker runs and what they posted is handled."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def until(pilot: AppPilot, true: Callable[[], bool]) -> None:
    """Wait for what a thread, or an answer held open, brings about."""
    async with asyncio.timeout(10):
        while not true():
            await pilot.pause(0.01)


def notices(pilot: AppPilot) -> list[str]:
    """What the app has notified of, oldest first."""
    return [notice.message for notice in pilot.app._notifications]
