"""What was written to a table since its snapshot was made: one write after another, in a file that only grows.

So a snapshot of 400 MB need not be made anew for each turn that is said.
"""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from chatmem.adapters.lancedb.places import Added, State

_HEAD = struct.Struct("<IIqq")
"""Of each write: how many bytes follow, their checksum, the version before it and that after it."""


class _Write(msgspec.Struct, frozen=True, kw_only=True):
    ids: list[str]
    words: list[str]
    states: list[State]
    embedded: bytes
    dimension: int
    vectors: bytes
    packed: list[bytes]


class Additions:
    """The writes that follow a version of a table. Only who keeps other writers out may add one.

    Args:
        file: Where they stand; not there while there are none.
        base: The version.
    """

    def __init__(self, file: Path, base: int) -> None:
        self._file = file
        self._base = base
        self._end = 0
        self._version = base

    @property
    def base(self) -> int:
        """The version that they follow."""
        return self._base

    def version(self) -> int:
        """The version that the last of them made."""
        if self.size() > self._end:
            with self._file.open("rb") as file:
                file.seek(self._end)
                for _ in self._further(file.read()):
                    pass
        return self._version

    def size(self) -> int:
        """Bytes of all."""
        return self._file.stat().st_size if self._file.exists() else 0

    def add(self, rows: Added, *, before: int, after: int) -> None:
        """Add a write that made version `after` out of `before`; does nothing where these do not lead there.

        Raises:
            OSError: If it could not be written.
        """
        if self.version() != before or self.size() != self._end:
            return
        content = _written(rows)
        with self._file.open("ab") as file:
            self._file.chmod(0o600)
            file.write(_HEAD.pack(len(content), zlib.crc32(content), before, after) + content)
        self._end, self._version = self._end + _HEAD.size + len(content), after

    def rows(self) -> Iterator[Added]:
        """What was written, in order, up to the first write that is not whole."""
        self._end, self._version = 0, self.base
        if self._file.exists():
            for content in self._further(self._file.read_bytes()):
                yield _read(content)

    def _further(self, content: bytes) -> Iterator[bytes]:
        """The whole writes in what follows the end that is known, which moves behind them."""
        at = 0
        while at + _HEAD.size <= len(content):
            length, checksum, before, after = _HEAD.unpack_from(content, at)
            write = content[at + _HEAD.size : at + _HEAD.size + length]
            if before != self._version or len(write) < length or zlib.crc32(write) != checksum:
                return
            at += _HEAD.size + length
            self._end, self._version = self._end + _HEAD.size + length, after
            yield write


def _written(rows: Added) -> bytes:
    return msgspec.msgpack.encode(
        _Write(
            ids=list(rows.ids),
            words=list(rows.words),
            states=list(rows.states),
            embedded=rows.embedded.tobytes(),
            dimension=rows.vectors.shape[1] if rows.vectors.ndim == 2 else 0,
            vectors=rows.vectors.tobytes(),
            packed=list(rows.packed),
        )
    )


def _read(content: bytes) -> Added:
    import numpy as np

    write = msgspec.msgpack.decode(content, type=_Write)
    vectors = np.frombuffer(write.vectors, np.float32)
    return Added(
        ids=write.ids,
        words=write.words,
        states=write.states,
        embedded=np.frombuffer(write.embedded, np.bool_),
        vectors=vectors.reshape(-1, write.dimension) if write.dimension else vectors,
        packed=write.packed,
    )
