"""Provider profiles: added, changed, checked and removed, with their keys in the keyring."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from chatmem.bootstrap.profiles import profile_file, profiles_of
from chatmem.config.reading import load
from chatmem.config.schema import Settings
from chatmem.conversation import Profile, ProviderProfiles
from chatmem.conversation.profiles import choices
from chatmem.domain.errors import NotFoundError, ProviderError, SettingsError, UsageError
from chatmem.domain.model import KeyPlace, KeySource, ModelChoice, Parameters
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.keys import FakeKeys

KEY = "synthetic-key-4711"
IN_KEYRING = KeySource(place=KeyPlace.KEYRING, name="work")


@dataclass
class Place:
    """Profiles on a real settings file."""

    file: Path
    keys: FakeKeys = field(default_factory=FakeKeys)
    chat_model: ScriptedChatModel = field(default_factory=ScriptedChatModel)
    known: Mapping[str, ModelChoice] = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        return load(self.file, {})

    def profiles(self) -> ProviderProfiles:
        return ProviderProfiles(
            profiles_of(self.settings),
            file=profile_file(self.file),
            keys=self.keys,
            chat_model=self.chat_model,
            changed=self.know,
        )

    def know(self, choices: Mapping[str, ModelChoice]) -> None:
        self.known = choices


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "config.toml")


def a_profile(name: str = "work", model: str = "openai/gpt", fallback: str | None = None, **more: object) -> Profile:
    choice = replace(ModelChoice(name=name, model=model), **more)  # type: ignore[arg-type]  # any field
    return Profile(name=name, choice=choice, fallback=fallback)


FULL = a_profile(
    api_base="https://gateway.example/v1",
    key=KeySource(place=KeyPlace.COMMAND, name="pass show work"),
    context_tokens=32768,
    parameters=Parameters(
        temperature=0.2, reply_tokens=2000, reasoning_effort="low", headers=(("X-Team", "blue"), ("X.Dot", "a"))
    ),
)


def test_a_saved_profile_is_known_at_once_and_after_the_next_start(place: Place) -> None:
    place.profiles().save(FULL)

    assert place.known == {"work": FULL.choice}
    assert place.profiles().list() == [FULL]


def test_a_typed_key_goes_to_the_keyring_and_nowhere_else(place: Place) -> None:
    place.profiles().save(a_profile(), key=f" {KEY}\n")

    assert place.keys.kept == {"work": KEY}
    assert place.known["work"].key == IN_KEYRING
    assert KEY not in place.file.read_text()


def test_without_a_keyring_nothing_is_saved(place: Place) -> None:
    place.keys.error = "This machine has no keyring."

    with pytest.raises(ProviderError, match="no keyring"):
        place.profiles().save(a_profile(), key=KEY)

    assert place.profiles().list() == []


def test_a_key_of_a_profile_that_cannot_be_saved_is_not_kept(place: Place) -> None:
    with pytest.raises(SettingsError, match="no profile has that name"):
        place.profiles().save(a_profile(fallback="nobody"), key=KEY)

    assert place.keys.kept == {}


def test_a_failed_edit_keeps_the_key_that_was_there(place: Place) -> None:
    profiles = place.profiles()
    profiles.save(a_profile(), key=KEY)

    with pytest.raises(SettingsError, match="circle"):
        profiles.save(a_profile(fallback="work", key=IN_KEYRING), replaces="work")

    assert place.keys.kept == {"work": KEY}
    assert profiles.list() == [a_profile(key=IN_KEYRING)]


def test_a_renamed_profile_keeps_its_key_and_those_that_fall_back_on_it(place: Place) -> None:
    profiles = place.profiles()
    profiles.save(a_profile(), key=KEY)
    profiles.save(a_profile("home", "ollama_chat/llama", fallback="work"))

    profiles.save(a_profile("office", key=IN_KEYRING), replaces="work")

    assert [(profile.name, profile.fallback) for profile in profiles.list()] == [("office", None), ("home", "office")]
    assert place.known["home"].fallback == place.known["office"]
    assert {p.name: p for p in profiles.list()} == {p.name: p for p in place.profiles().list()}
    assert place.known["office"].key == IN_KEYRING


@pytest.mark.parametrize("name", ["", "  ", "home"])
def test_a_name_that_is_empty_or_taken_is_refused(place: Place, name: str) -> None:
    profiles = place.profiles()
    profiles.save(a_profile("home"))

    with pytest.raises(UsageError, match="name"):
        profiles.save(a_profile(name))


def test_a_removed_profile_is_forgotten_with_its_key(place: Place) -> None:
    profiles = place.profiles()
    profiles.save(a_profile(), key=KEY)

    profiles.remove("work")

    assert (profiles.list(), place.known, place.keys.kept) == ([], {}, {})
    assert place.profiles().list() == []


def test_a_profile_that_another_falls_back_on_stays(place: Place) -> None:
    profiles = place.profiles()
    profiles.save(a_profile())
    profiles.save(a_profile("home", fallback="work"))

    with pytest.raises(UsageError, match="home falls back on work"):
        profiles.remove("work")

    assert len(profiles.list()) == 2


def test_a_profile_that_is_not_there_cannot_be_removed(place: Place) -> None:
    with pytest.raises(NotFoundError, match="work"):
        place.profiles().remove("work")


def test_falling_back_goes_on_from_one_to_the_next() -> None:
    known = choices([a_profile("a", fallback="b"), a_profile("b", fallback="c"), a_profile("c")])

    assert known["a"].fallback == known["b"]
    assert known["b"].fallback == known["c"]
    assert known["c"].fallback is None


async def test_a_check_says_what_the_model_answered_and_how_fast(place: Place) -> None:
    place.chat_model = ScriptedChatModel.of("ready")

    said = await place.profiles().check(a_profile(fallback="home"))

    assert said.startswith("work answers: ready (0.")
    assert place.chat_model.requests[0].choice.fallback is None


async def test_a_check_that_fails_says_why(place: Place) -> None:
    place.chat_model = ScriptedChatModel.of(ProviderError("OpenAI refused the key."))

    with pytest.raises(ProviderError, match="refused the key"):
        await place.profiles().check(a_profile())


def test_the_key_of_a_renamed_profile_is_not_overwritten_by_another_of_its_old_name(place: Place) -> None:
    profiles = place.profiles()
    profiles.save(a_profile("work"), key="first-key")
    first = profiles.list()[0]
    profiles.save(replace(first, name="office"), replaces="work")
    profiles.save(a_profile("work"), key="second-key")

    keys = {profile.name: place.keys.key(profile.choice.key) for profile in profiles.list() if profile.choice.key}
    assert keys == {"office": "first-key", "work": "second-key"}
