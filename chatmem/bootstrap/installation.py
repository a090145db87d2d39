"""What the command line said, and the settings and folders it comes to."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from chatmem.config import reading, writing
from chatmem.config.paths import Paths, paths
from chatmem.config.reading import Explained
from chatmem.config.schema import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """What the command line said; settings are read when a command first needs them."""

    config_file: Path | None = None
    flags: Mapping[str, object] = field(default_factory=dict)

    @property
    def config_path(self) -> Path:
        """The settings file."""
        return reading.config_file_from(self.config_file)

    def settings(self) -> Settings:
        """The settings.

        Raises:
            SettingsError: If the file, a variable or a flag is wrong.
        """
        return reading.load(self.config_path, self.flags)

    def paths(self, settings: Settings) -> Paths:
        """The folders that the settings come to."""
        return paths(
            profile=settings.profile,
            data_dir=settings.data_dir,
            cache_dir=settings.cache_dir,
            config_file=self.config_path,
        )

    def with_profile(self, name: str) -> "Installation":
        """The same with another profile."""
        return replace(self, flags={**self.flags, "profile": name})

    def names_model(self) -> bool:
        """Whether the command line or a variable names the model, and not the settings file."""
        return "model" in self.flags or bool(os.environ.get(f"{reading.PREFIX}MODEL"))

    def change(self, key: str, text: str) -> None:
        """Write one setting into the settings file; an empty text goes back to the default.

        Raises:
            SettingsError: If there is no such setting, the value is wrong, or the file can't be written.
        """
        writing.save(self.config_path, key, text)

    def explain(self) -> list[Explained]:
        """Every setting with where it came from."""
        return reading.explain(self.config_path, self.flags)
