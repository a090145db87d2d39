"""Which version a table is at, by its manifests: to ask LanceDB, it must be loaded, and the table opened."""

import os
from contextlib import suppress
from pathlib import Path

_LAST = 2**64 - 1
"""A manifest is called by how many versions may follow, with leading zeros, so that the newest comes first."""

_DIGITS = len(str(_LAST))


def newest_version(table: Path) -> int:
    """The newest version of the table in a folder; 0 while there is none.

    Raises:
        OSError: If the folder could not be read.
    """
    with suppress(FileNotFoundError):
        names = (entry.name.removesuffix(".manifest") for entry in os.scandir(table / "_versions"))
        return max((_version(name) for name in names if name.isdecimal()), default=0)
    return 0


def _version(name: str) -> int:
    return _LAST - int(name) if len(name) == _DIGITS else int(name)
