"""A profile to one file, and back: what was said and learned, from which the indexes are made again."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from chatmem.adapters.exports import archive
from chatmem.adapters.sqlite.snapshot import check_ours, copy_of
from chatmem.bootstrap.installation import Installation
from chatmem.config.paths import Paths, make_private
from chatmem.domain.errors import NotFoundError, StoreError, UsageError
from chatmem.domain.text import clean

_COMING = ".coming-"
"""How the folder of a profile is called that is not whole yet; no profile can have such a name."""


class ProfileArchive:
    """Writes profiles to archives, and makes profiles of archives. Methods block."""

    def __init__(self, installation: Installation) -> None:
        """Look the settings up; nothing is made.

        Raises:
            SettingsError: If they are wrong.
        """
        self._settings = installation.settings()
        self._installation = installation

    def write(self, name: str, file: Path, now: datetime, *, overwrite: bool = False) -> int:
        """Write a profile as it is at this moment, open or not; returns the size of the archive in bytes.

        Settings, keys and logs are no part of a profile, and are not in it.

        Raises:
            NotFoundError: If there is none of this name.
            UsageError: If the file is there and is not to be overwritten.
            StoreError: If the profile can't be read or the file can't be written.
        """
        paths = self._paths(name)
        if not paths.session_log.is_file():
            raise NotFoundError(f"There is no profile {name}. `chatmem profiles list` shows what there is.")
        with TemporaryDirectory(dir=file.absolute().parent, prefix=".chatmem-") as folder, _writing(file):
            copy = Path(folder) / archive.DATABASE
            copy_of(paths.session_log, copy)
            return archive.pack(copy, file, profile=name, now=now, overwrite=overwrite)

    def read(self, file: Path, name: str | None = None) -> str:
        """Make a profile of an archive, under its own name or another; returns the name. It is there whole or not.

        Raises:
            UsageError: If the file is no whole archive of a profile, or there is a profile of this name.
            StoreError: If the profile can't be written.
        """
        name = name or clean(archive.described(file).profile)
        paths = self._paths(name)
        if paths.profile.exists():
            raise UsageError(f"There is a profile {name} already. Give another name: `profiles import FILE NAME`.")
        with _coming(paths.profile.parent) as folder:
            archive.unpack(file, folder)
            try:
                check_ours(folder / archive.DATABASE)
            except (StoreError, UsageError) as error:
                raise type(error)(f"{file} can't be used. {error}") from error
            folder.rename(paths.profile)
        return name

    def _paths(self, name: str) -> Paths:
        return self._installation.paths(replace(self._settings, profile=name))


@contextmanager
def _coming(root: Path) -> Iterator[Path]:
    """A folder beside the profiles, gone when the block ends unless it was given another name."""
    make_private(root)
    folder = root / f"{_COMING}{uuid.uuid4().hex}"
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _writing(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{file} can't be written: {error.strerror}. Check the folder, or choose another.") from error
