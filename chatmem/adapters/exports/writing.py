"""Writing a file whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any

from chatmem.domain.errors import StoreError, UsageError


def written(file: Path, *, overwrite: bool) -> AbstractContextManager[IO[str]]:
    """A file to write text into, readable by its owner only; it takes its place when the block ends.

    Raises:
        UsageError: If it is there and is not to be overwritten.
        StoreError: If it can't be written; what was there stays then.
    """
    return _written(file, "w", "utf-8", overwrite=overwrite)


def written_bytes(file: Path, *, overwrite: bool) -> AbstractContextManager[IO[bytes]]:
    """The same, to write bytes into."""
    return _written(file, "wb", None, overwrite=overwrite)


@contextmanager
def _written(file: Path, mode: str, encoding: str | None, *, overwrite: bool) -> Iterator[IO[Any]]:
    if file.exists() and not overwrite:
        raise UsageError(f"{file} is there already. Choose another name, or have it replaced (--force).")
    partial = None
    try:
        with NamedTemporaryFile(mode, dir=file.parent, prefix=f".{file.name}.", delete=False, encoding=encoding) as out:
            partial = Path(out.name)
            yield out
            out.flush()
            os.fsync(out.fileno())
        partial.replace(file)
        partial = None
    except OSError as error:
        raise StoreError(f"{file} can't be written: {error.strerror}. Check the folder, or choose another.") from error
    finally:
        if partial:
            with suppress(OSError):
                partial.unlink()
