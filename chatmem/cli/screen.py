"""The app itself, which needs a terminal."""

import sys

from chatmem.bootstrap import Installation, run_app
from chatmem.domain.errors import UsageError


def open_screen(
    installation: Installation, *, session_id: str | None = None, resume: bool = False, incognito: bool = False
) -> None:
    """Open the app, with a session, the one last spoken in, or a new one.

    Raises:
        UsageError: If there is no terminal, or two sessions are asked for.
        ChatMemError: If the settings or the session log can't be read.
    """
    if session_id and resume:
        raise UsageError("Choose one of --session and --continue.")
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("The app needs a terminal. In a script, use `chatmem ask TEXT`.")
    run_app(installation, session_id=session_id, resume=resume, incognito=incognito)
