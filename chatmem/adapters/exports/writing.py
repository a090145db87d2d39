"""Writing a file whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from chatmem.domain.errors import StoreError, UsageError


@contextmanager
def written(file: Path, *, overwrite: bool) -> Iterator[IO[str]]:
    """A file to write text into, readable by its owner only; it takes its place when the block ends.

    Raises:
        UsageError: If it is there and is not to be overwritten.
        StoreError: If it can't be written; what was there stays then.
    """
    if file.exists() and not overwrite:
        raise UsageError(f"{file} is there already. Choose another name, or have it replaced (--force).")
    partial = None
    try:
        with NamedTemporaryFile("w", dir=file.parent, prefix=f".{file.name}.", delete=False, encoding="utf-8") as out:
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
