"""The clipboard of this machine."""

import logging

logger = logging.getLogger(__name__)


def copy_text(text: str) -> None:
    """Put a text on the clipboard; where there is none, as over SSH, the terminal is left to do it. Blocks."""
    import pyperclip

    try:
        pyperclip.copy(text)
    except (pyperclip.PyperclipException, OSError, UnicodeError) as error:
        logger.info("no clipboard: %s", type(error).__name__)
