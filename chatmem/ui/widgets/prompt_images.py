"""Pictures that are to go with a turn: what a paste means, and how they are shown."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from chatmem.domain.model import Image
from chatmem.domain.text import shortened
from chatmem.ui.wording import size

SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")
LONGEST_PATHS = 4_096
"""Characters above which a paste is not looked at for paths."""

NAME_LENGTH = 24
"""Characters of a picture's name that are shown."""


def image_paths(pasted: str) -> list[Path]:
    """The pictures that a terminal pastes when files are dropped on it: one or more paths, quoted or escaped.

    Returns:
        The paths; empty if anything else was pasted too.
    """
    text = pasted.strip()
    if not text or len(text) > LONGEST_PATHS:
        return []
    for pieces in (_split(text), [text]):
        paths = [as_path(piece) for piece in pieces]
        if all(_is_dropped(path) for path in paths):
            return paths
    return []


def typed_path(typed: str) -> Path:
    """The file that a person means who typed or pasted its path, with spaces escaped or not."""
    pieces = _split(typed.strip())
    return as_path(pieces[0] if len(pieces) == 1 else typed.strip())


def as_path(piece: str) -> Path:
    """A path, or what a `file://` address points to."""
    if not piece.startswith("file://"):
        return Path(piece)
    try:
        return Path(unquote(urlsplit(piece).path))
    except ValueError:  # brackets that hold no address
        return Path(piece)


def chips(images: Sequence[Image]) -> str:
    """One line that names pictures with their sizes."""
    return " · ".join(f"▣ {shortened(image.name, NAME_LENGTH)} {size(len(image.content))}" for image in images)


def _split(text: str) -> list[str]:
    """The words of a line as a shell reads them; on Windows a backslash is part of a path."""
    try:
        if os.name == "nt":
            return [piece.strip("\"'") for piece in shlex.split(text, posix=False)]
        return shlex.split(text)
    except ValueError:
        return [text]


def _is_dropped(path: Path) -> bool:
    """Whether it is the whole path of a picture: a word that only ends like one may be meant as a word."""
    return path.suffix.lower() in SUFFIXES and (path.is_absolute() or path.parts[0].startswith("~"))
