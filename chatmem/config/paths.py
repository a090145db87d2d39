"""Where chatmem keeps what it keeps."""

import os
import re
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from platformdirs import PlatformDirs

from chatmem.domain.errors import RefusedError, SettingsError, StoreError

PRIVATE_FOLDER = 0o700

_PROFILE_NAME = re.compile(r"[\w][\w.-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """The folders of one installation and one profile.

    Attributes:
        profile: Session log and memories of the profile; profiles share nothing.
        models: Model weights, which can be fetched again.
        run: Where running built-in servers are found by other windows.
        log: The log, which holds ids and counts, never text.
        config_file: The settings.
        themes: The person's own themes.
    """

    profile: Path
    models: Path
    run: Path
    log: Path
    config_file: Path
    themes: Path

    @property
    def session_log(self) -> Path:
        """The SQLite file."""
        return self.profile / "sessions.db"

    @property
    def memories(self) -> Path:
        """The LanceDB database."""
        return self.profile / "memories.lance"

    @property
    def memories_lock(self) -> Path:
        """The lock that writers of the LanceDB database take."""
        return self.profile / "memories.lock"


def default_config_file() -> Path:
    """Where the settings are read from unless `--config` or `CHATMEM_CONFIG_FILE` says otherwise."""
    return PlatformDirs("chatmem", appauthor=False).user_config_path / "config.toml"


def paths(*, profile: str, data_dir: Path | None, cache_dir: Path | None, config_file: Path | None) -> Paths:
    """Work out the folders; creates nothing.

    Raises:
        SettingsError: If the profile's name can't be a folder's name.
    """
    if not _PROFILE_NAME.fullmatch(profile):
        raise SettingsError(
            f"A profile can't be called {profile!r}: use letters, digits, dots, hyphens and underscores, at most 64."
        )
    platform = PlatformDirs("chatmem", appauthor=False)
    data = (data_dir or platform.user_data_path).expanduser()
    cache = (cache_dir or platform.user_cache_path).expanduser()
    config = (config_file or default_config_file()).expanduser()
    return Paths(
        profile=data / "profiles" / profile,
        models=cache / "models",
        run=cache / "run",
        log=data / "log" if data_dir else platform.user_log_path,
        config_file=config,
        themes=config.parent / "themes",
    )


def make_private(folder: Path) -> None:
    """Create a folder that only its owner can enter; one that is there is narrowed.

    Raises:
        RefusedError: If something in it is a link to elsewhere.
        StoreError: If it can't be created or written to.
    """
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        if os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) != PRIVATE_FOLDER:
            folder.chmod(PRIVATE_FOLDER)
        _refuse_links(folder)
    except OSError as error:
        raise StoreError(
            f"The folder {folder} can't be used: {error.strerror}. Make it writable, or choose another with --data-dir."
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(f"The folder {folder} is not writable. Make it writable, or choose another with --data-dir.")


def _refuse_links(folder: Path) -> None:
    """Refuse links out of the folder: whoever placed them may read what is written, and it could not be erased."""
    if folder.is_symlink():
        _check_within(folder, folder.parent.resolve())
    home, waiting = folder.resolve(), [str(folder)]
    while waiting:
        # Another window may be erasing files.
        with suppress(FileNotFoundError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_symlink():
                    _check_within(Path(entry), home)
                elif entry.is_dir():
                    waiting.append(entry.path)


def _check_within(link: Path, home: Path) -> None:
    if not link.resolve().is_relative_to(home):
        raise RefusedError(f"{link} is a link out of the folder. Put what it leads to in its place.")
