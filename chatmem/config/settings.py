"""What the person set: one TOML file, then `CHATMEM_*` variables, then the command line."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import tomlkit
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource
from tomlkit.exceptions import TOMLKitError

from chatmem.config.paths import default_config_file
from chatmem.domain.errors import SettingsError

PREFIX = "CHATMEM_"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WorkingMemorySettings(_Section):
    """`[working_memory]`: how the context is shared out, in tokens."""

    strategy: Literal["sliding", "summarising"] = "summarising"
    reply_tokens: int = Field(1024, ge=16)
    summary_tokens: int = Field(600, ge=0)


class RecallSettings(_Section):
    """`[recall]`."""

    budget_tokens: int = Field(1500, ge=0)


class ConsolidationSettings(_Section):
    """`[consolidation]`: when a session is queued, and who extracts."""

    after_turns: int = Field(10, ge=1)
    idle_s: float = Field(90, ge=1)
    extractor: Literal["auto", "model", "rules"] = "auto"


class BuiltinSettings(_Section):
    """`[builtin]`: the built-in model; 0 threads means one per physical core, up to 8."""

    context_tokens: int = Field(8192, ge=512)
    threads: int = Field(0, ge=0)


class EmbeddingSettings(_Section):
    """`[embedding]`: off means recall by words alone; `fetch` lets the app pull the model by itself."""

    enabled: bool = True
    fetch: bool = True


class ProviderSettings(_Section):
    """`[providers.NAME]`: a model under a name of the person's own. Keys are named, never written here."""

    model: str
    api_base: str | None = None
    api_key_env: str | None = None
    context_tokens: int | None = Field(None, ge=256)


class Settings(BaseSettings):
    """All settings, with their defaults."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True, env_ignore_empty=True
    )

    model: str | None = None
    profile: str = "default"
    data_dir: Path | None = None
    cache_dir: Path | None = None
    theme: str = "chatmem-dark"
    working_memory: WorkingMemorySettings = WorkingMemorySettings()
    recall: RecallSettings = RecallSettings()
    consolidation: ConsolidationSettings = ConsolidationSettings()
    builtin: BuiltinSettings = BuiltinSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    providers: dict[str, ProviderSettings] = {}

    def with_extractor(self, extractor: Literal["auto", "model", "rules"]) -> "Settings":
        """The same, with another extractor."""
        return self.model_copy(update={"consolidation": self.consolidation.model_copy(update={"extractor": extractor})})


def config_file_from(flag: Path | None) -> Path:
    """The settings file: of the flag, else of `CHATMEM_CONFIG_FILE`, else the default."""
    named = flag or os.environ.get(f"{PREFIX}CONFIG_FILE")
    return Path(named).expanduser() if named else default_config_file()


def load(config_file: Path, flags: Mapping[str, object]) -> Settings:
    """Read the settings; `flags` holds what the command line said and wins over all else.

    Raises:
        SettingsError: If the file is no TOML, or it, a variable or a flag holds an unknown key or a wrong value.
    """

    class FromFile(Settings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=config_file)

    try:
        return FromFile(**flags)  # type: ignore[arg-type]  # pydantic checks the values
    except ValidationError as error:
        raise SettingsError(_sentence(error, config_file)) from error
    except (ValueError, OSError) as error:
        raise SettingsError(f"The settings file {config_file} can't be read: {error}.") from error


def _sentence(error: ValidationError, config_file: Path) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        known = ", ".join(sorted(Settings.model_fields))
        return f"The settings file {config_file} holds an unknown key: {key}. Known at the top are: {known}."
    return f"The setting {key} is wrong: {first['msg']}. Look into {config_file} and the {PREFIX}* variables."


def save(config_file: Path, key: str, value: str | float | bool) -> None:
    """Write one setting into the file, leaving all else in it as it is; `key` may be `section.key`.

    Raises:
        SettingsError: If the file can't be read or written.
    """
    try:
        document = (
            tomlkit.parse(config_file.read_text(encoding="utf-8")) if config_file.exists() else tomlkit.document()
        )
        *sections, name = key.split(".")
        table = document
        for section in sections:
            table = table.setdefault(section, tomlkit.table())
        table[name] = value
        config_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = config_file.with_suffix(".partial")
        partial.touch(mode=0o600)
        partial.write_text(tomlkit.dumps(document), encoding="utf-8")
        partial.replace(config_file)
    except (OSError, TOMLKitError) as error:
        raise SettingsError(f"The settings file {config_file} can't be written: {error}.") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One setting, and where its value came from: the command line, a variable, the file, or the default."""

    key: str
    value: object
    origin: str


def explain(settings: Settings, config_file: Path, flags: Mapping[str, object]) -> list[Explained]:
    """Every setting with where it came from, in the order of the documentation."""
    from_file = _flat(tomlkit.parse(config_file.read_text(encoding="utf-8")).unwrap()) if config_file.exists() else {}
    return [
        Explained(key=key, value=value, origin=_origin(key, config_file, flags, from_file))
        for key, value in _flat(settings.model_dump(mode="json")).items()
    ]


def _origin(key: str, config_file: Path, flags: Mapping[str, object], from_file: Mapping[str, object]) -> str:
    variable = PREFIX + key.upper().replace(".", "__")
    if key in flags:
        return "the command line"
    if os.environ.get(variable):
        return variable
    return str(config_file) if key in from_file else "default"


def _flat(values: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat
