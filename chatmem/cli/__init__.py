"""The commands; each a thin call into the services."""

import logging
import os
import sys

from chatmem.domain.errors import ChatMemError

logger = logging.getLogger(__name__)


def run() -> None:
    """Run the command that was typed, and leave with its exit code; no traceback reaches the person."""
    from chatmem.cli.output import FAILED, exit_code, flush, silence, tell

    # Whatever we or a library write is for its owner alone.
    os.umask(0o077)
    _open_what_is_closed()
    # A lone surrogate in an argument or an answer must not end the program at the moment it is printed.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # both are text files when we start

    try:
        try:
            _obey()
        finally:
            # What waits in the buffer would fail as Python ends, with a message and a code of its own.
            flush()
    except ChatMemError as error:
        tell(f"chatmem: {error}")
        sys.exit(exit_code(error))
    except BrokenPipeError:
        # Whoever read our output has left; Python would complain once more when it flushes at exit.
        silence()
        sys.exit(FAILED)
    except Exception as error:
        logger.exception("unexpected")
        tell(f"chatmem: something went wrong inside chatmem ({type(error).__name__}); `chatmem doctor` may tell more.")
        sys.exit(FAILED)


def _obey() -> None:
    if sys.argv[1:]:
        from chatmem.cli.app import app

        app(prog_name="chatmem")
    else:
        # Nothing but the screen is wanted: to read the commands would take as long as to paint it.
        from chatmem.bootstrap import Installation
        from chatmem.cli.screen import open_screen

        open_screen(Installation())


def _open_what_is_closed() -> None:
    """Take nothing for a standard stream that was closed, lest a file of ours get its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 it stays open
