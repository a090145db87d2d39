"""What is held in memory of a table, as a file beside it: the first question need not read the table, nor load LanceDB.

A file holds the rows of one version of the table, and beside it stands what was written since; both are used for the
version that they lead to, and no other. They lie in the table's folder and are none of LanceDB's, so whatever rewrites
the table to erase something removes them too.
"""

import logging
import mmap
import os
from collections.abc import Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from chatmem.adapters.lancedb.additions import Additions
from chatmem.adapters.lancedb.database import make_durable, make_folder
from chatmem.adapters.lancedb.places import Added, Packed, Places, State
from chatmem.adapters.lancedb.postings import Postings
from chatmem.adapters.lancedb.vectors import Codes, Vectors, Whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

SUFFIX, SINCE = ".held", ".since"

GROWN = 0.25
"""What was written since may be such a part of a snapshot before that is made anew."""

_MAGIC = b"chatmem1"
_ALIGNED = 64

logger = logging.getLogger(__name__)


class _Array(msgspec.Struct, frozen=True):
    """An array in the file; `by_columns` if one column follows another."""

    name: str
    kind: str
    shape: tuple[int, ...]
    by_columns: bool
    start: int
    size: int


class _Header(msgspec.Struct, frozen=True, kw_only=True):
    """What stands before the arrays; their starts count from its end."""

    marks: dict[str, str]
    ids: list[str]
    states: list[State]
    stems: list[str]
    arrays: list[_Array]


class Snapshots:
    """The snapshots of one table.

    Args:
        folder: The table's.
        marks: What the table was made with; a snapshot of other marks is none.
    """

    def __init__(self, folder: Path, marks: Mapping[str, str]) -> None:
        self._folder = folder / "held"
        self._marks = dict(marks)
        self._followed: Additions | None = None

    def current(self, version: int) -> bool:
        """Whether there is one that leads to this version, with little written since."""
        since = self._since()
        if since is None or since.version() != version:
            return False
        return since.size() <= GROWN * self._file(since.base).stat().st_size

    def add(self, rows: Added, *, before: int, after: int) -> None:
        """Note a write; no one else may write to the table meanwhile. It is only logged where that can't be."""
        try:
            since = self._since()
            if since is None or self._followed is None or self._followed.base != since.base:
                self._followed = since
            if self._followed is not None:
                self._followed.add(rows, before=before, after=after)
        except OSError as error:
            logger.warning("a snapshot could not be added to: %s", type(error).__name__)

    def read(self, version: int) -> Places | None:
        """The rows of a version of the table, where they were kept; read as they are needed."""
        since = self._since()
        if since is None or since.version() != version or (places := self._read(since.base)) is None:
            return None
        for rows in since.rows():
            places.add(rows)
        return places if since.version() == version else None

    def _read(self, version: int) -> Places | None:
        try:
            with self._file(version).open("rb") as file:
                # What is written to it stays in this process. Elsewhere a file that is mapped could not be removed.
                if os.name == "posix":
                    content: Any = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
                else:
                    content = bytearray(file.read())
            return self._places(content)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, msgspec.MsgspecError) as error:
            logger.warning("a snapshot can't be read: %s", type(error).__name__)
            return None

    def save(self, version: int, places: Places) -> None:
        """Keep the rows of a version, in place of those of others; no one else may write to the table meanwhile.

        Raises:
            OSError: If it could not be written.
        """
        make_folder(self._folder)
        new = self._file(version).with_suffix(".new")
        with new.open("wb") as file:
            for piece in _pieces(places, self._marks):
                file.write(piece)
        make_durable([new])
        new.replace(self._file(version))
        for other in self._folder.iterdir():
            if other != self._file(version):
                other.unlink(missing_ok=True)

    def _since(self) -> Additions | None:
        """What was written since the newest snapshot; `None` where there is none."""
        try:
            names = [entry.name for entry in os.scandir(self._folder) if entry.name.endswith(SUFFIX)]
        except FileNotFoundError:
            return None
        base = max((int(name.removesuffix(SUFFIX)) for name in names), default=None)
        return None if base is None else Additions(self._folder / f"{base}{SINCE}", base)

    def _file(self, version: int) -> Path:
        return self._folder / f"{version}{SUFFIX}"

    def _places(self, content: Any) -> Places:
        if bytes(content[:8]) != _MAGIC:
            raise ValueError("it is no snapshot")
        end = 16 + int.from_bytes(content[8:16], "little")
        header, begin = msgspec.msgpack.decode(content[16:end], type=_Header), _room(end)
        if header.marks != self._marks:
            raise ValueError("it is of another table")
        arrays = {array.name: _array(content, begin, array) for array in header.arrays}
        vectors: Vectors = Whole.of(arrays) if "whole" in arrays else Codes.of(arrays)
        return Places(
            header.ids,
            header.states,
            (arrays["state"], arrays["live"], arrays["embedded"]),
            vectors=vectors,
            postings=Postings.of(arrays, header.stems),
            packed=Packed(arrays["packed"].data, arrays["ends"]),
        )


def _array(content: Any, begin: int, told: _Array) -> "NDArray[Any]":
    import numpy as np

    count = told.size // np.dtype(told.kind).itemsize
    flat: NDArray[Any] = np.frombuffer(content, told.kind, count, begin + told.start)
    return flat.reshape(told.shape, order="F" if told.by_columns else "C")


def _pieces(places: Places, marks: dict[str, str]) -> Iterator[bytes | memoryview]:
    import numpy as np

    records = [places.packed[place] for place in range(len(places.packed))]
    arrays = {
        "state": places.state,
        "live": places.live,
        "embedded": places.embedded,
        "ends": np.fromiter(accumulate(map(len, records)), np.int64, len(records)),
        "packed": np.frombuffer(b"".join(records), np.uint8),
        **places.vectors.arrays(),
        **places.postings.arrays(),
    }
    by_columns = {name: array.ndim == 2 and array.flags.f_contiguous for name, array in arrays.items()}
    starts = [0, *accumulate(_room(array.nbytes) for array in arrays.values())]
    told = [
        _Array(name, array.dtype.str, array.shape, by_columns[name], start, array.nbytes)
        for start, (name, array) in zip(starts, arrays.items(), strict=False)
    ]
    header = msgspec.msgpack.encode(
        _Header(marks=marks, ids=places.ids, states=places.states, stems=places.postings.stems(), arrays=told)
    )
    yield _MAGIC + len(header).to_bytes(8, "little") + header
    yield bytes(_room(16 + len(header)) - 16 - len(header))
    for name, array in arrays.items():
        flat = array.reshape(-1, order="F") if by_columns[name] else np.ascontiguousarray(array).reshape(-1)
        yield flat.view(np.uint8).data
        yield bytes(_room(array.nbytes) - array.nbytes)


def _room(size: int) -> int:
    return size + -size % _ALIGNED
