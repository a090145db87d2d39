"""Calling services, which block, from a worker."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from textual.widget import Widget

from chatmem.domain.errors import ChatMemError

Result = TypeVar("Result")


async def tried(widget: Widget, call: Callable[[], Result]) -> Result | None:
    """Make a blocking call in a thread; an expected failure is told to the person, and gives `None`."""
    try:
        return await asyncio.to_thread(call)
    except ChatMemError as error:
        widget.notify(str(error), severity="error", markup=False)
        return None
