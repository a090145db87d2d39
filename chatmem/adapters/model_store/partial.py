"""What has arrived of a model so far."""

import errno
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from chatmem.adapters.model_store.catalogue import Model, ModelFile
from chatmem.domain.errors import ModelStoreError
from chatmem.ports.model_store import Progress

CHUNK = 1 << 20


class Partial:
    """The files of one model, each as far as it has arrived.

    A file here always is a beginning of the model's own file, so that any source can go on where another, or an
    earlier pull, stopped.

    Attributes:
        files: The folder of the files; it becomes the model's folder once they are whole.
        scratch: A folder for what a source must put somewhere.
    """

    def __init__(self, folder: Path, model: Model, progress: Progress) -> None:
        self.files = folder / "files"
        self.scratch = folder / "scratch"
        self._model = model
        self._progress = progress
        self._shown = 0
        make_private(self.files)
        make_private(self.scratch)

    @property
    def arrived(self) -> int:
        """Bytes of all files so far."""
        return sum(self.have(file) for file in self._model.files)

    def have(self, file: ModelFile) -> int:
        """Bytes of a file so far."""
        return size(self.files / file.path) or 0

    def append(self, file: ModelFile, chunks: Iterable[bytes], *, source: str) -> None:
        """Add bytes to a file and show how far it is.

        Raises:
            ModelStoreError: If they are more than the file has.
            OSError: If they can't be written.
        """
        path = self.files / file.path
        make_private(path.parent)
        before = self.arrived - self.have(file)
        with open(path, "ab", opener=_private) as growing:
            for chunk in chunks:
                growing.write(chunk)
                if growing.tell() > file.size:
                    break
                self.show(before + growing.tell(), source)
        if self.have(file) > file.size:
            self.discard(file)
            raise ModelStoreError(f"{source} has another {file.path}")

    def discard(self, file: ModelFile) -> None:
        """Throw away what there is of a file."""
        (self.files / file.path).unlink(missing_ok=True)

    def show(self, arrived: int, source: str) -> None:
        """Tell how many bytes have come; never fewer than were told before."""
        self._shown = max(self._shown, min(arrived, self._model.size))
        self._progress(f"Fetching {self._model.name} from {source}", self._shown, self._model.size)

    def seal(self) -> None:
        """Check every file, and see to it that it outlasts a power cut; a damaged file is thrown away.

        Raises:
            ModelStoreError: If a digest is wrong.
        """
        wrong = damaged(self.files, self._model, self._progress)
        for file in wrong:
            self.discard(file)
        if wrong:
            raise ModelStoreError(f"what came as {wrong[0].path} was damaged and has been thrown away")
        for file in self._model.files:
            with (self.files / file.path).open("rb+") as whole:
                os.fsync(whole.fileno())


def make_private(folder: Path) -> None:
    """Create a folder, and those above it, for its owner alone."""
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def size(path: Path) -> int | None:
    """Bytes of a file; `None` if it is not there."""
    try:
        return path.stat().st_size
    except (FileNotFoundError, NotADirectoryError):
        return None


def sizes_below(folder: Path) -> Iterator[int]:
    """Bytes of each file below a folder, where another process may be adding and removing some."""
    # Not `rglob`, which fails on a folder that goes away.
    for parent, _, names in os.walk(folder):
        yield from (size(Path(parent, name)) or 0 for name in names)


def damaged(folder: Path, model: Model, progress: Progress) -> list[ModelFile]:
    """The files of a model in a folder whose digest is not the catalogue's."""
    checked, wrong = 0, []
    for file in model.files:
        digest = hashlib.sha256()
        with (folder / file.path).open("rb") as whole:
            while chunk := whole.read(CHUNK):
                digest.update(chunk)
                checked += len(chunk)
                progress(f"Checking {model.name}", checked, model.size)
        if digest.hexdigest() != file.sha256:
            wrong.append(file)
    return wrong


def no_space(path: Path) -> OSError:
    """The error the system gives when a disk is full."""
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
