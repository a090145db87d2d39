"""Writing the settings: what is written is checked first, comments stay, and the file is never left half written."""

import os
import tomllib
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from chatmem.config.checking import WHERE_KEYS_GO, checked, known_keys, unknown
from chatmem.config.reading import read
from chatmem.config.schema import ProviderSettings, Settings
from chatmem.domain.errors import SettingsError

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

_Path = tuple[str, ...]


def save(config_file: Path, key: str, text: str) -> None:
    """Write one setting, given as text; an empty text goes back to the default.

    Args:
        config_file: The settings file; it need not exist yet.
        key: Such as `recall.budget_tokens` or `providers.NAME.headers.X-Team`.
        text: The value; numbers and booleans as people type them.

    Raises:
        SettingsError: If there is no such key, the value is wrong, or the file can't be read or written.
    """
    source = f"the settings file {config_file}"
    written = read(config_file)
    path = _path_of(key, written)
    if not text:
        _edit(config_file, lambda document: _take_out(document, path))
        return
    value = _typed(written, path, text, source)
    _edit(config_file, lambda document: _put(document, path, value))


def save_provider(config_file: Path, name: str, provider: ProviderSettings, *, replaces: str | None = None) -> None:
    """Write a provider profile, in place of the one called `replaces` where it had another name.

    Raises:
        SettingsError: If a value is wrong, or the file can't be read or written.
    """

    def edit(document: MutableMapping[str, Any]) -> None:
        if replaces and replaces != name:
            _rename(document, replaces, name)
        values: dict[str, object] = to_builtins(provider)
        if _at(document, ("providers", name)) is None:
            # Whole: where tables of providers do not stand together, tomlkit gives copies of what is put in.
            document.setdefault("providers", {})[name] = {k: v for k, v in values.items() if v not in (None, {})}
            return
        for field, value in values.items():
            path = ("providers", name, field)
            if value in (None, {}):
                _take_out(document, path)
            else:
                _put(document, path, value)

    _edit(config_file, edit)


def remove_provider(config_file: Path, name: str) -> None:
    """Take a provider profile out; where it was the model to talk to, or the one that learns, none is set any more.

    Raises:
        SettingsError: If another one falls back on it, or the file can't be read or written.
    """

    def edit(document: MutableMapping[str, Any]) -> None:
        _take_out(document, ("providers", name))
        for path in _REFERENCES:
            if _at(document, path) == name:
                _take_out(document, path)

    _edit(config_file, edit)


_REFERENCES: tuple[_Path, ...] = (("model",), ("background", "model"))
"""Settings that may name a profile."""


def _path_of(key: str, written: Mapping[str, object]) -> _Path:
    parts = tuple(key.split("."))
    settings = _lenient(written)
    if parts[-1] == "api_key":
        raise SettingsError(WHERE_KEYS_GO)
    if parts[0] == "providers" and len(parts) > 2:
        at = parts.index("headers", 2) if "headers" in parts[2:] else len(parts) - 1
        name, field, rest = ".".join(parts[1:at]), parts[at], parts[at + 1 :]
        if field in ProviderSettings.__struct_fields__ and (field == "headers") == bool(rest):
            return ("providers", name, field, *([".".join(rest)] if rest else []))
    elif key in known_keys(settings):
        return parts
    raise unknown(key, settings)


def _lenient(written: Mapping[str, object]) -> Settings:
    """The settings as far as they are right, so that a wrong one can be set right."""
    try:
        return checked(written, "")
    except SettingsError:
        return Settings()


def _typed(written: Mapping[str, object], path: _Path, text: str, source: str) -> object:
    """The value that a text means, by checking all settings with it."""
    values = _copied(written)
    _put(values, path, text)
    return _at(to_builtins(checked(values, source, from_text=True), enc_hook=str), path)


def _copied(table: Mapping[str, object]) -> dict[str, Any]:
    return {key: _copied(value) if isinstance(value, Mapping) else value for key, value in table.items()}


def _put(table: MutableMapping[str, Any], path: _Path, value: object) -> None:
    for part in path[:-1]:
        if not isinstance(table.get(part), MutableMapping):
            table[part] = {}
        table = table[part]
    table[path[-1]] = value


def _take_out(table: MutableMapping[str, Any], path: _Path) -> None:
    holder = _at(table, path[:-1])
    if isinstance(holder, MutableMapping):
        holder.pop(path[-1], None)


def _at(table: object, path: _Path) -> Any:
    for part in path:
        table = table.get(part) if isinstance(table, Mapping) else None
    return table


def _rename(document: MutableMapping[str, Any], old: str, new: str) -> None:
    providers = _at(document, ("providers",)) or {}
    if old in providers:
        providers[new] = providers.pop(old)
    for provider in providers.values():
        if provider.get("fallback") == old:
            provider["fallback"] = new
    for path in _REFERENCES:
        if _at(document, path) == old:
            _put(document, path, new)


def _edit(config_file: Path, edit: Callable[["TOMLDocument"], None]) -> None:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        text = config_file.read_text(encoding="utf-8") if config_file.exists() else ""
        document = tomlkit.parse(text)
        edit(document)
        values = document.unwrap()
        checked(values, f"the settings file {config_file}")
        text = tomlkit.dumps(document)
        if not _holds(text, values):
            # A table that it puts between dotted keys: the comments go, so that every value stays.
            text = tomlkit.dumps(values)
        _replace(config_file, text)
    except (OSError, ValueError, TOMLKitError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SettingsError(f"The settings file {config_file} can't be written: {reason}.") from error


def _holds(text: str, values: object) -> bool:
    try:
        return tomllib.loads(text) == values
    except ValueError:
        return False


def _replace(config_file: Path, text: str) -> None:
    """Write the whole file at once; where it is a link, what it points to."""
    file = config_file.resolve()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, prefix=file.name, delete=False) as partial:
        partial.write(text)
        partial.flush()
        os.fsync(partial.fileno())
    Path(partial.name).replace(file)
