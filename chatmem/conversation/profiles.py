"""Models under names of the person's own: where they are reached, with which key and which parameters."""

import builtins
from collections.abc import Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, replace
from itertools import chain, count
from time import perf_counter

from chatmem.domain.errors import ChatMemError, NotFoundError, UsageError
from chatmem.domain.model import ChatRequest, KeyPlace, KeySource, ModelChoice, PromptMessage, TextPart
from chatmem.domain.text import shortened
from chatmem.ports.chat_model import ChatModel
from chatmem.ports.keys import Keys

_QUESTION = "Answer with the one word: ready"
_CHECK_TOKENS = 512
"""Enough for a model that thinks before it says its one word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A provider profile.

    Attributes:
        choice: The model and how it is reached; its `name` is that of the profile, its own `fallback` is ignored.
        fallback: Name of the profile to ask in its place when it fails; `None` for none.
    """

    name: str
    choice: ModelChoice
    fallback: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFile:
    """Where profiles are written; both functions block, and raise `SettingsError`, having changed nothing.

    Attributes:
        write: Writes a profile; takes the name of the one it replaces, or `None`.
        remove: Removes a profile.
    """

    write: Callable[[Profile, str | None], None]
    remove: Callable[[str], None]


class ProviderProfiles:
    """Adds, changes, checks and removes provider profiles. Methods block but for `check`; any thread may call them.

    Args:
        profiles: Those of the settings.
        file: Where they are written.
        keys: Takes the keys that are typed.
        chat_model: Asked by `check`.
        changed: Told the new choices, by name, after each change.
    """

    def __init__(
        self,
        profiles: Iterable[Profile],
        *,
        file: ProfileFile,
        keys: Keys,
        chat_model: ChatModel,
        changed: Callable[[dict[str, ModelChoice]], None],
    ) -> None:
        self._profiles = {profile.name: profile for profile in profiles}
        self._file = file
        self._keys = keys
        self._chat_model = chat_model
        self._changed = changed

    def list(self) -> builtins.list[Profile]:
        """All profiles, in the order of the settings."""
        return [*self._profiles.values()]

    def save(self, profile: Profile, *, key: str | None = None, replaces: str | None = None) -> None:
        """Write a profile into the settings, and a typed key into the system's keyring.

        Args:
            profile: The profile; with a typed key, where its choice looks for the key is set here.
            key: What was typed as the key.
            replaces: The name it had before, if it is an edited one.

        Raises:
            UsageError: If it has no name, or the name of another profile.
            SettingsError: If a value is wrong, or the settings can't be written.
            ProviderError: If the key can't be kept.
        """
        if not profile.name.strip():
            raise UsageError("A profile needs a name.")
        if profile.name != replaces and profile.name in self._profiles:
            raise UsageError(
                f"There is a profile called {profile.name} already. Choose another name, or edit that one."
            )
        before = self._profiles[replaces].choice.key if replaces in self._profiles else None
        if key:
            profile = self._with_key(profile, key)
        try:
            self._file.write(profile, replaces)
        except ChatMemError:
            if key:
                self._drop_unused(profile.choice.key)
            raise
        self._take(profile, replaces)
        self._drop_unused(before)

    def remove(self, name: str) -> None:
        """Take a profile out of the settings, and its key out of the keyring.

        Raises:
            NotFoundError: If there is none of that name.
            UsageError: If another profile falls back on it.
            SettingsError: If the settings can't be written.
        """
        if name not in self._profiles:
            raise NotFoundError(f"There is no profile called {name}.")
        if leaning := next((other.name for other in self.list() if other.fallback == name), None):
            raise UsageError(f"The profile {leaning} falls back on {name}: give it another fallback first.")
        self._file.remove(name)
        removed = self._profiles[name]
        self._profiles = {other: kept for other, kept in self._profiles.items() if other != name}
        self._changed(choices(self.list()))
        self._drop_unused(removed.choice.key)

    async def check(self, profile: Profile) -> str:
        """Ask the model of a profile for one word, and say what it answered and how fast.

        Raises:
            ProviderError: If it did not answer.
        """
        return await answers(self._chat_model, replace(profile.choice, name=profile.name, fallback=None))

    def _with_key(self, profile: Profile, key: str) -> Profile:
        """The profile with its key in an entry that is nobody's: not even its own, whose key stays if saving fails."""
        names = chain([profile.name], (f"{profile.name}-{number}" for number in count(2)))
        sources = (KeySource(place=KeyPlace.KEYRING, name=name) for name in names)
        source = next(source for source in sources if not self._is_used(source))
        self._keys.keep(source.name, key.strip())
        return replace(profile, choice=replace(profile.choice, key=source))

    def _drop_unused(self, key: KeySource | None) -> None:
        if key and key.place is KeyPlace.KEYRING and not self._is_used(key):
            self._keys.drop(key.name)

    def _is_used(self, key: KeySource) -> bool:
        return any(profile.choice.key == key for profile in self.list())

    def _take(self, changed: Profile, replaces: str | None) -> None:
        taken: dict[str, Profile] = {}
        for name, kept in self._profiles.items():
            leans = replaces is not None and kept.fallback == replaces
            taken[changed.name if name == replaces else name] = replace(kept, fallback=changed.name) if leans else kept
        self._profiles = {**taken, changed.name: changed}
        self._changed(choices(self.list()))


def choices(profiles: Iterable[Profile]) -> dict[str, ModelChoice]:
    """The models of profiles by name, each with the one it falls back on; falling back must not lead in a circle."""
    by_name = {profile.name: profile for profile in profiles}

    def chosen(profile: Profile) -> ModelChoice:
        fallback = by_name.get(profile.fallback or "")
        return replace(profile.choice, name=profile.name, fallback=chosen(fallback) if fallback else None)

    return {name: chosen(profile) for name, profile in by_name.items()}


async def answers(chat_model: ChatModel, choice: ModelChoice) -> str:
    """Ask a model for one word, and say what it answered and how fast its first word came.

    Raises:
        ProviderError: If it did not answer.
    """
    message = PromptMessage(role="user", text=_QUESTION)
    request = ChatRequest(choice=choice, messages=(message,), max_reply_tokens=_CHECK_TOKENS)
    said, first_s, began = "", 0.0, perf_counter()
    async with aclosing(chat_model.stream(request)) as parts:
        async for part in parts:
            if isinstance(part, TextPart):
                first_s = first_s or perf_counter() - began
                said += part.text
    return f"{choice.name} answers: {shortened(said.strip(), 80)} ({first_s:.1f} s to the first word)"
