"""Provider profiles between the settings file and the conversation."""

from pathlib import Path

from chatmem.config import writing
from chatmem.config.schema import ProviderSettings, RemoteSettings, Settings
from chatmem.conversation.profiles import Profile, ProfileFile
from chatmem.domain.model import KeyPlace, KeySource, ModelChoice, Parameters


def profiles_of(settings: Settings) -> list[Profile]:
    """The profiles of the settings."""
    return [
        Profile(name=name, choice=_choice(name, provider), fallback=provider.fallback)
        for name, provider in settings.providers.items()
    ]


def profile_file(config_file: Path) -> ProfileFile:
    """The settings file, as far as profiles go."""

    def write(profile: Profile, replaces: str | None) -> None:
        writing.save_provider(config_file, profile.name, _settings(profile), replaces=replaces)

    return ProfileFile(write=write, remove=lambda name: writing.remove_provider(config_file, name))


def _choice(name: str, provider: ProviderSettings) -> ModelChoice:
    return ModelChoice(
        name=name,
        model=provider.model,
        api_base=provider.api_base,
        key=key_of(provider),
        context_tokens=provider.context_tokens,
        parameters=Parameters(
            temperature=provider.temperature,
            reply_tokens=provider.max_tokens,
            reasoning_effort=provider.reasoning_effort,
            headers=tuple(provider.headers.items()),
        ),
    )


def key_of(provider: ProviderSettings | RemoteSettings) -> KeySource | None:
    """Where the key is, as the settings name it; `None` where they don't."""
    named = {
        KeyPlace.ENVIRONMENT: provider.api_key_env,
        KeyPlace.COMMAND: provider.api_key_command,
        KeyPlace.KEYRING: provider.api_key_keyring,
    }
    return next((KeySource(place=place, name=name) for place, name in named.items() if name), None)


def _settings(profile: Profile) -> ProviderSettings:
    choice, parameters = profile.choice, profile.choice.parameters

    def key_in(place: KeyPlace) -> str | None:
        return choice.key.name if choice.key and choice.key.place is place else None

    return ProviderSettings(
        model=choice.model,
        api_base=choice.api_base,
        api_key_env=key_in(KeyPlace.ENVIRONMENT),
        api_key_command=key_in(KeyPlace.COMMAND),
        api_key_keyring=key_in(KeyPlace.KEYRING),
        temperature=parameters.temperature,
        max_tokens=parameters.reply_tokens,
        reasoning_effort=parameters.reasoning_effort,
        context_tokens=choice.context_tokens,
        fallback=profile.fallback,
        headers=dict(parameters.headers),
    )
