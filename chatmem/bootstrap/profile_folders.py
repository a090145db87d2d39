"""The profiles of an installation: folders that share nothing."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec.structs import replace

from chatmem.adapters.sqlite.sole import held_alone
from chatmem.bootstrap.installation import Installation
from chatmem.config.paths import Paths, make_private
from chatmem.domain.errors import NotFoundError, StoreError, UsageError
from chatmem.ui.services import ProfileFolder

_GOING = ".going-"
"""How the folder of a profile is called that is being erased; no profile can have such a name."""


class ProfileFolders:
    """Lists, makes and erases profiles. Methods block."""

    def __init__(self, installation: Installation) -> None:
        """Look the settings up; nothing is made.

        Raises:
            SettingsError: If they are wrong.
        """
        self._settings = installation.settings()
        self._installation = installation
        self._root = self._paths(self._settings.profile).profile.parent

    def list(self) -> list[ProfileFolder]:
        """The profiles that are there, by name."""
        with suppress(FileNotFoundError):
            return [
                ProfileFolder(name=entry.name, current=entry.name == self._settings.profile, size=_size(entry))
                for entry in sorted(self._root.iterdir())
                if entry.is_dir() and not entry.name.startswith(".")
            ]
        return []

    def create(self, name: str) -> Path:
        """Make an empty profile; returns its folder.

        Raises:
            UsageError: If there is one of this name, or no profile can be called so.
            StoreError: If it could not be made.
        """
        folder = self._paths(name).profile
        if folder.exists():
            raise UsageError(f"There is a profile {name} already. `chatmem --profile {name}` opens it.")
        make_private(folder)
        return folder

    def forget(self, name: str) -> int:
        """Erase a profile with everything in it; returns how many bytes that were.

        Raises:
            NotFoundError: If there is none of this name.
            RefusedError: If it is open in another window; nothing was changed then.
            StoreError: If a file could not be erased; forgetting any profile again goes on with it.
        """
        paths = self._paths(name)
        if paths.profile.is_symlink() or not paths.profile.is_dir():
            raise NotFoundError(f"There is no profile {name}. `chatmem profiles list` shows what there is.")
        with _erasing(self._root), held_alone(paths.session_log):
            size = _size(paths.profile)
            # Under another name no window can open it, and what a crash leaves is known for what it is.
            paths.profile.rename(self._root / f"{_GOING}{uuid.uuid4().hex}")
            self._sweep()
        return size

    def _paths(self, name: str) -> Paths:
        return self._installation.paths(replace(self._settings, profile=name))

    def _sweep(self) -> None:
        for left in self._root.glob(f"{_GOING}*"):
            shutil.rmtree(left)


@contextmanager
def _erasing(root: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"Something in {root} could not be erased: {error.strerror}. Make it writable and forget the profile again."
        ) from error


def _size(folder: Path) -> int:
    return sum(file.lstat().st_size for file in folder.rglob("*") if not file.is_dir())
