"""Themes: colours in TOML files, which a person may add to."""

import logging
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from textual.color import Color, ColorParseError
from textual.theme import Theme

from chatmem.domain.errors import SettingsError

DEFAULT_THEME = "chatmem-dark"

COLOURS = frozenset(
    {
        "primary",
        "secondary",
        "accent",
        "foreground",
        "background",
        "surface",
        "panel",
        "boost",
        "success",
        "warning",
        "error",
    }
)

logger = logging.getLogger(__name__)


def load_themes(folders: Iterable[Path]) -> tuple[list[Theme], list[str]]:
    """Read the themes of some folders; where two have one name, that of the later folder wins.

    Returns:
        The themes, and a sentence for each file that is none.
    """
    themes: dict[str, Theme] = {}
    faults: list[str] = []
    for file in (file for folder in folders for file in sorted(folder.glob("*.toml"))):
        try:
            theme = read_theme(file)
        except SettingsError as error:
            logger.warning("a theme file could not be used")
            faults.append(str(error))
        else:
            themes[theme.name] = theme
    return list(themes.values()), faults


class ThemeWatch:
    """Looks whether theme files have changed.

    Args:
        folders: Of themes; later ones win, and none need be there.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(folders)
        self._seen = self._stamps()

    def changed(self) -> tuple[list[Theme], list[str]]:
        """The themes as they are now, and a sentence for each file that is none; nothing if no file has changed.

        Blocks for a moment.
        """
        stamps = self._stamps()
        if stamps == self._seen:
            return [], []
        self._seen = stamps
        return load_themes(self._folders)

    def _stamps(self) -> dict[Path, tuple[int, int]]:
        stamps = {}
        for file in (file for folder in self._folders for file in folder.glob("*.toml")):
            with suppress(FileNotFoundError):
                told = file.stat()
                stamps[file] = told.st_mtime_ns, told.st_size
        return stamps


def read_theme(file: Path) -> Theme:
    """Read one theme.

    Raises:
        SettingsError: If the file can't be read, has an unknown key, or a colour that is none.
    """
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"The theme {file} can't be read: {error}.") from error
    colours, variables = (_texts(file, content, section) for section in ("colors", "variables"))
    unknown = [*(content.keys() - {"name", "dark", "colors", "variables"}), *(colours.keys() - COLOURS)]
    if unknown:
        raise SettingsError(f"The theme {file} has an unknown key, {min(unknown)!r}. Take it out.")
    if "primary" not in colours:
        raise SettingsError(f"The theme {file} lacks the colour 'primary' under [colors].")
    for key, value in colours.items():
        _check_colour(file, key, value)
    return Theme(
        name=str(content.get("name", file.stem)),
        dark=bool(content.get("dark", True)),
        variables=variables,
        primary=colours["primary"],
        secondary=colours.get("secondary"),
        warning=colours.get("warning"),
        error=colours.get("error"),
        success=colours.get("success"),
        accent=colours.get("accent"),
        foreground=colours.get("foreground"),
        background=colours.get("background"),
        surface=colours.get("surface"),
        panel=colours.get("panel"),
        boost=colours.get("boost"),
    )


def _texts(file: Path, content: dict[str, object], section: str) -> dict[str, str]:
    table = content.get(section, {})
    if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
        raise SettingsError(f"The theme {file} needs a table [{section}] with a text for each key.")
    return table


def _check_colour(file: Path, key: str, value: str) -> None:
    try:
        Color.parse(value)
    except ColorParseError as error:
        raise SettingsError(f"The theme {file} has {value!r} for {key!r}, which is no colour.") from error
