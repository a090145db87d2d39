"""The log file: ids and counts, never text."""

import logging
import logging.handlers
from pathlib import Path

LOG_BYTES = 1_000_000


def keep_log(folder: Path) -> None:
    """Write the log into a file that only its owner can read; without one, chatmem runs all the same."""
    root = logging.getLogger("chatmem")
    root.propagate = False
    if root.handlers:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = folder / "chatmem.log"
        file.touch(mode=0o600)
        handler = logging.handlers.RotatingFileHandler(file, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
    except OSError:
        root.addHandler(logging.NullHandler())
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root.addHandler(handler)
    root.setLevel(logging.INFO)
