"""Reading files of any size piece by piece, whatever they hold."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from chatmem.domain.errors import UsageError

LONGEST_LINE = 8 * 2**20
"""Bytes of the longest line of a file of memories; no memory comes near it."""

LARGEST_ITEM = 512 * 2**20
"""Bytes of the largest single conversation, pictures included."""

DEEPEST = 200
"""Levels of nesting; exports have a dozen."""

NOTHING_DONE = "Nothing was imported."

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_STARTS = frozenset({"start_map", "start_array"})
_ENDS = frozenset({"end_map", "end_array"})


@contextmanager
def opened(file: Path) -> Iterator[IO[bytes]]:
    """Open a file, plain or `.gz`; what fails while it is read is told in a sentence.

    Raises:
        UsageError: If it can't be read, or was cut off.
    """
    try:
        with gzip.open(file, "rb") if file.suffix.lower() == ".gz" else file.open("rb") as stream:
            yield stream  # type: ignore[misc]  # a GzipFile is read like a file
    except (EOFError, zlib.error) as error:
        raise UsageError(f"{file} was cut off or is damaged. {NOTHING_DONE}") from error
    except OSError as error:
        raise UsageError(f"{file} can't be read: {error.strerror or error}. {NOTHING_DONE}") from error


def lines(stream: IO[bytes], file: Path, *, longest: int = LONGEST_LINE) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not empty, with their numbers from 1; none is read that has more bytes.

    Raises:
        UsageError: If one is too long to be what is looked for.
    """
    number = 0
    while line := stream.readline(longest + 1):
        number += 1
        if len(line) > longest:
            raise UsageError(f"Line {number} of {file} is longer than {longest // 2**20} MiB. {NOTHING_DONE}")
        if stripped := line.strip():
            yield number, stripped


def items(stream: IO[bytes], file: Path, key: str | None = None) -> Iterator[object]:
    """The values of the list that a JSON file is, or that it has under a key, one after another.

    Raises:
        UsageError: If it is no JSON, was cut off, or one value is too large or nested too deeply.
    """
    return _values(stream, file, level=1 if key is None else 2, key=key)


def whole(stream: IO[bytes], file: Path) -> object:
    """The one value that a JSON file holds.

    Raises:
        UsageError: If it is no JSON, was cut off, or is too large or nested too deeply.
    """
    return next(_values(stream, file, level=0, key=None))


def _values(stream: IO[bytes], file: Path, *, level: int, key: str | None) -> Iterator[object]:
    """The values at a level of nesting, in a list; ijson's own way of finding them takes hours for some files."""
    import ijson

    measured = _Measured(stream, file)
    builder, depth, under = None, 0, None
    try:
        for event, value in ijson.basic_parse(measured, use_float=True):
            depth -= event in _ENDS
            if builder is None and depth == 1 and event == "map_key":
                under = value
            elif builder is None and depth == level and event not in _ENDS and (key is None or under == key):
                builder = ijson.ObjectBuilder()
            if builder is not None:
                builder.event(event, value)
            depth += event in _STARTS
            if depth > DEEPEST:
                raise UsageError(f"{file} is nested too deeply to be an export. {NOTHING_DONE}")
            if builder is not None and depth == level:
                yield builder.value
                builder = None
                measured.start_again()
    except (ijson.JSONError, UnicodeError, ValueError) as error:
        raise no_json(file) from error


def starts_with(stream: IO[bytes], length: int = 4096) -> bytes:
    """The beginning of a file without white space before it; the file is at its beginning again, as `rewind` has it."""
    rewind(stream)
    beginning = stream.read(length).lstrip()
    rewind(stream)
    return beginning


def rewind(stream: IO[bytes]) -> None:
    """Go to the beginning of a file, past a byte order mark, which some editors put there and no JSON may have."""
    stream.seek(0)
    if stream.read(len(_BYTE_ORDER_MARK)) != _BYTE_ORDER_MARK:
        stream.seek(0)


def no_json(file: Path) -> UsageError:
    """What to say of a file that ends too early or holds something else."""
    return UsageError(f"{file} is no JSON, or was cut off. {NOTHING_DONE}")


class _Measured:
    """Counts what is read, so that one endless value does not fill the memory."""

    def __init__(self, stream: IO[bytes], file: Path) -> None:
        self._stream = stream
        self._file = file
        self._since = 0

    def read(self, size: int = -1) -> bytes:
        """Read on."""
        piece = self._stream.read(size)
        self._since += len(piece)
        if self._since > LARGEST_ITEM:
            limit = f"{LARGEST_ITEM // 2**20} MiB"
            raise UsageError(f"{self._file} holds one piece of more than {limit}. {NOTHING_DONE}")
        return piece

    def start_again(self) -> None:
        """A value has ended."""
        self._since = 0
