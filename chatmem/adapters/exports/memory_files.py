"""Files of memories: which format a file is in, and writing one whole or not at all."""

import gzip
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

from chatmem.adapters.exports.mem0 import read_mem0
from chatmem.adapters.exports.memory_lines import Histories, is_own, read_lines, write_lines
from chatmem.adapters.exports.memory_markdown import read_markdown, write_markdown
from chatmem.adapters.exports.streams import NOTHING_DONE, opened, starts_with
from chatmem.adapters.exports.writing import written
from chatmem.consolidation.arriving import Arriving
from chatmem.domain.errors import UsageError
from chatmem.domain.memory import Memory

MARKDOWN = frozenset({".md", ".markdown"})

MOST = 1_000_000
"""Memories of one file: what is known of each while it is read takes a hundred bytes."""

_OPENMEMORY = ("memories.jsonl.gz", "memories.json")


class MemoryFiles:
    """Reads and writes files of memories. Methods block.

    Args:
        now: Tells the time.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now

    def write(self, file: Path, memories: Sequence[Memory], histories: Histories, *, overwrite: bool) -> None:
        """Write memories, as Markdown where the name ends so and as JSON Lines otherwise, readable by the owner only.

        Raises:
            UsageError: If the file is there and is not to be overwritten.
            StoreError: If it can't be written; it is as it was then.
        """
        render = write_markdown if file.suffix.lower() in MARKDOWN else write_lines
        with written(file, overwrite=overwrite) as stream:
            render(stream, memories, histories, self._now())

    def read(self, file: Path, *, user: str | None = None) -> Iterator[Arriving]:
        """Yield the memories of a file in its order; those of one user where it holds several people's.

        Raises:
            UsageError: If the file can't be read, is not whole or of no known format.
        """
        for number, arriving in enumerate(self._found(file, user)):
            if number == MOST:
                raise UsageError(f"{file} holds more than {MOST:,} memories. Split it. {NOTHING_DONE}")
            yield arriving

    def _found(self, file: Path, user: str | None) -> Iterator[Arriving]:
        with _unpacked(file) as stream:
            beginning = starts_with(stream)
            if file.suffix.lower() in MARKDOWN:
                yield from read_markdown(stream, file, self._now())
            elif is_own(beginning):
                yield from read_lines(stream, file)
            elif beginning[:1] in {b"{", b"["}:
                yield from read_mem0(stream, file, self._now(), user)
            else:
                raise UsageError(
                    f"{file} is in no format that chatmem reads: its own JSON Lines and Markdown, and mem0's export. "
                    f"{NOTHING_DONE}"
                )


@contextmanager
def _unpacked(file: Path) -> Iterator[IO[bytes]]:
    """A file, or that one of an OpenMemory backup which holds the memories; nothing is unpacked to the disk."""
    if file.suffix.lower() != ".zip":
        with opened(file) as stream:
            yield stream
        return
    try:
        with zipfile.ZipFile(file) as archive:
            name = next((name for name in _OPENMEMORY if name in archive.namelist()), None)
            if name is None:
                raise UsageError(f"{file} holds no {_OPENMEMORY[0]}, as a backup of OpenMemory does. {NOTHING_DONE}")
            with archive.open(name) as packed:
                yield gzip.GzipFile(fileobj=packed) if name.endswith(".gz") else packed  # type: ignore[misc]  # files
    except (OSError, EOFError, zipfile.BadZipFile) as error:
        raise UsageError(f"{file} can't be read: it is no archive, or was cut off. {NOTHING_DONE}") from error
