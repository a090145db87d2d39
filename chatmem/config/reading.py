"""Reading the settings: one TOML file, then `CHATMEM_*` variables, then the command line."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec import to_builtins

from chatmem.config.checking import checked
from chatmem.config.paths import default_config_file
from chatmem.config.schema import Settings
from chatmem.domain.errors import SettingsError
from chatmem.domain.masking import MASK, masked

PREFIX = "CHATMEM_"

_PASSWORD = re.compile(r"//[^/@\s]+@")


def config_file_from(flag: Path | None) -> Path:
    """The settings file: of the flag, else of `CHATMEM_CONFIG_FILE`, else the default."""
    named = flag or os.environ.get(f"{PREFIX}CONFIG_FILE")
    return Path(named).expanduser() if named else default_config_file()


def load(config_file: Path, flags: Mapping[str, object]) -> Settings:
    """Read the settings; `flags` holds what the command line said and wins over all else.

    Raises:
        SettingsError: If the file is no TOML, or it, a variable or a flag holds an unknown key or a wrong value.
    """
    written = read(config_file)
    settings = checked(written, f"the settings file {config_file}")
    said = _merged(_variables(), {key: str(value) for key, value in flags.items()})
    if not said:
        return settings
    return checked(_merged(written, said), f"the {PREFIX}* variables or the command line", from_text=True)


def read(config_file: Path) -> dict[str, object]:
    """The tables of a settings file as they are written; empty where there is none.

    Raises:
        SettingsError: If it can't be read or is no TOML.
    """
    try:
        return tomllib.loads(config_file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SettingsError(f"The settings file {config_file} can't be read: {reason}.") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One setting, and where its value came from: the command line, a variable, the file, or the default."""

    key: str
    value: object
    origin: str


def explain(config_file: Path, flags: Mapping[str, object]) -> list[Explained]:
    """Every setting with where it came from, in the order of the documentation; what may hold a key is masked.

    Raises:
        SettingsError: If the settings are wrong.
    """
    from_file = _flat(read(config_file))
    return [
        Explained(key=key, value=_shown(key, value), origin=_origin(key, config_file, flags, from_file))
        for key, value in _flat(to_builtins(load(config_file, flags), enc_hook=str)).items()
    ]


def _shown(key: str, value: object) -> object:
    if not isinstance(value, str) or not key.startswith("providers."):
        return value
    return MASK if ".headers." in key else masked(_PASSWORD.sub(f"//{MASK}@", value))


def _origin(key: str, config_file: Path, flags: Mapping[str, object], from_file: Mapping[str, object]) -> str:
    variable = PREFIX + key.upper().replace(".", "__")
    if key in flags:
        return "the command line"
    if os.environ.get(variable):
        return variable
    return str(config_file) if key in from_file else "default"


def _variables() -> dict[str, object]:
    """What the variables set, as tables: `CHATMEM_RECALL__BUDGET_TOKENS` is `recall.budget_tokens`."""
    found: dict[str, object] = {}
    for variable, value in os.environ.items():
        path = variable.removeprefix(PREFIX).lower().split("__")
        if variable.startswith(PREFIX) and value and path[0] in Settings.__struct_fields__:
            table: object = value
            for part in reversed(path):
                table = {part: table}
            found = _merged(found, table)  # type: ignore[arg-type]  # a path has at least one part
    return found


def _merged(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        both = isinstance(under, Mapping) and isinstance(value, Mapping)
        merged[key] = _merged(under, value) if both else value  # type: ignore[arg-type]  # both are tables
    return merged


def _flat(values: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat
