"""The terminal that the screen is drawn on."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet_stderr() -> Iterator[None]:
    """Keep libraries written in other languages from printing over the screen, which Textual draws on stderr.

    Rust's panics, for one, go to the descriptor itself, past `sys.stderr`. So the screen gets a descriptor of its own.
    """
    original = sys.__stderr__
    with os.fdopen(os.dup(2), "w", encoding="utf-8") as screen:
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 there is no Path method that opens a device better
            os.dup2(nowhere.fileno(), 2)
        sys.__stderr__ = screen  # type: ignore[misc]  # the one way to tell Textual
        try:
            yield
        finally:
            sys.__stderr__ = original  # type: ignore[misc]
            screen.flush()
            os.dup2(screen.fileno(), 2)
