"""Turning what was read into settings, with a sentence for what is wrong."""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from msgspec import ValidationError, convert

from chatmem.config.schema import ProviderSettings, Section, Settings
from chatmem.domain.errors import SettingsError

_AT = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?")
_EXPECTED = re.compile(r"Expected `(?P<kinds>[^`]+)`(?: of length)?(?: (?P<sign>[<>]=) (?P<bound>[\d.]+))?")
_WORDS = {"int": "a whole number", "float": "a number", "bool": "true or false", "str": "a text", "object": "a table"}
_BOUNDS = {">=": "at least", "<=": "at most"}
_UNKNOWN = re.compile(r"Object contains unknown field `(.+)`")
_MISSING = re.compile(r"Object missing required field `(.+)`")

KEY_HOLDERS = ("api_key_env", "api_key_command", "api_key_keyring")
WHERE_KEYS_GO = (
    "Keys are not kept in the settings: name the environment variable that holds it (api_key_env), a command that "
    "prints it (api_key_command), or an entry of the system's keyring (api_key_keyring)."
)


def checked(values: Mapping[str, object], source: str, *, from_text: bool = False) -> Settings:
    """The settings that these values come to.

    Args:
        values: Tables as a TOML file has them.
        source: Where they come from, for the sentence.
        from_text: Whether numbers and booleans may be written as text, as variables have them.

    Raises:
        SettingsError: If a key is unknown, or a value wrong; no value is repeated.
    """
    _refuse_keys(values, source)
    settings: Settings = _converted(values, Settings, source, "", from_text=from_text)
    for name, provider in settings.providers.items():
        _check_provider(name, provider, settings.providers, source)
    return settings


def known_keys(settings: Settings) -> list[str]:
    """Every key that can be set, those of the providers that are there included."""
    keys = [*_keys(Settings, "")]
    for name in settings.providers:
        keys += _keys(ProviderSettings, f"providers.{name}.")
    return keys


def unknown(key: str, settings: Settings) -> SettingsError:
    """What to say of a key that can't be set: the keys that look like it, else those at the top."""
    near = get_close_matches(key, known_keys(settings), n=3, cutoff=0.5)
    there = f"Near it are: {', '.join(near)}." if near else f"Known at the top are: {_at_the_top()}."
    return SettingsError(f"There is no setting {key}. {there}")


def _converted(
    values: object, kind: type[Settings] | type[ProviderSettings], source: str, prefix: str, *, from_text: bool
) -> Any:
    try:
        return convert(values, kind, strict=not from_text, dec_hook=_path)
    except ValidationError as error:
        if "[...]" in str(error) and isinstance(values, Mapping) and not prefix:
            for name, provider in values.get("providers", {}).items():
                _converted(provider, ProviderSettings, source, f"providers.{name}.", from_text=from_text)
        raise SettingsError(_sentence(str(error), source, prefix)) from error


def _path(_: type, value: object) -> Path:
    if not isinstance(value, str):
        raise TypeError("Expected `str`")
    return Path(value)


def _sentence(message: str, source: str, prefix: str) -> str:
    found = _AT.fullmatch(message)
    what, where = (found["what"], found["where"] or "") if found else (message, "")
    at = prefix + where.replace("[...]", "")
    if unknown := _UNKNOWN.fullmatch(what):
        key = f"{at}.{unknown[1]}".strip(".").replace("..", ".")
        return f"{source} holds an unknown key: {key}. {_known_beside(key)}"
    if missing := _MISSING.fullmatch(what):
        return f"{source} lacks the key {f'{at}.{missing[1]}'.strip('.').replace('..', '.')}."
    at = at.strip(".")
    must = f"one of {_choices(at)}" if what.startswith("Invalid enum value") else _expected(what)
    return f"The setting {at} in {source} is wrong: it must be {must}."


def _expected(what: str) -> str:
    """What `msgspec` expected, in words for people."""
    found = _EXPECTED.match(what)
    if found is None:
        return "another value"
    kinds = [_WORDS.get(kind, kind) for kind in found["kinds"].split(" | ") if kind != "null"]
    bound = f" of {_BOUNDS[found['sign']]} {found['bound']}" if found["sign"] else ""
    return " or ".join(kinds) + bound


def _known_beside(key: str) -> str:
    table = key.rpartition(".")[0]
    fields = ProviderSettings.__struct_fields__ if table.startswith("providers.") else _fields(table)
    return f"Known there are: {', '.join(sorted(fields))}."


def _fields(table: str) -> tuple[str, ...]:
    section = getattr(Settings(), table, None) if table else None
    return section.__struct_fields__ if isinstance(section, Section) else Settings.__struct_fields__


def _choices(key: str) -> str:
    table, _, name = key.rpartition(".")
    section = type(getattr(Settings(), table))
    return str(section.__annotations__[name].__args__).strip("()")


def _keys(kind: type[Section], prefix: str) -> Iterator[str]:
    for name in kind.__struct_fields__:
        section = getattr(Settings(), name, None) if kind is Settings else None
        if isinstance(section, Section):
            yield from _keys(type(section), f"{name}.")
        elif name not in {"providers", "headers"}:
            yield prefix + name


def _at_the_top() -> str:
    return ", ".join(sorted(Settings.__struct_fields__))


def _refuse_keys(values: Mapping[str, object], source: str) -> None:
    providers = values.get("providers")
    tables: list[tuple[str, object]] = [("", values)]
    if isinstance(providers, Mapping):
        tables += [(f"providers.{name}.", table) for name, table in providers.items()]
    for prefix, table in tables:
        if isinstance(table, Mapping) and "api_key" in table:
            raise SettingsError(f"{source} holds {prefix}api_key. {WHERE_KEYS_GO}")


def _check_provider(
    name: str, provider: ProviderSettings, providers: Mapping[str, ProviderSettings], source: str
) -> None:
    holders = [key for key in KEY_HOLDERS if getattr(provider, key)]
    if len(holders) > 1:
        raise SettingsError(f"The profile {name} in {source} names its key twice: keep one of {', '.join(holders)}.")
    seen, following = [name], provider.fallback
    while following is not None:
        if following not in providers:
            raise SettingsError(
                f"The profile {seen[-1]} in {source} falls back on {following!r}, but no profile has that name. "
                f"There are: {', '.join(sorted(providers))}."
            )
        if following in seen:
            circle = " → ".join([*seen, following])
            raise SettingsError(f"The profiles in {source} fall back in a circle: {circle}. Take one fallback out.")
        seen.append(following)
        following = providers[following].fallback
