"""Copying to the clipboard, in all the ways that may reach it."""

import asyncio

from textual.dom import DOMNode

from chatmem.ui.services import Services

COPIED_S = 3


async def copy(node: DOMNode, services: Services, text: str, said: str) -> None:
    """Copy a text: the terminal gets it (OSC 52, which passes SSH), and the clipboard of this machine if it has one."""
    node.app.copy_to_clipboard(text)
    node.app.notify(said, timeout=COPIED_S)
    await asyncio.to_thread(services.copy_text, text)
