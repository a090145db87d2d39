"""Provider profiles: listed, added, edited, checked, removed; with the keyboard alone."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.widgets import Input, OptionList, Select, Static, TextArea

from chatmem.conversation import Profile
from chatmem.domain.errors import ProviderError
from chatmem.domain.model import KeyPlace, KeySource, ModelChoice, ModelFacts, Parameters
from chatmem.ui.app import ChatMemApp
from chatmem.ui.screens.chat import ChatScreen
from chatmem.ui.screens.profile_form import ProfileForm
from chatmem.ui.screens.providers import ProvidersScreen
from chatmem.ui.widgets.profile_fields import Typed, WrongFieldsError, profile_of, typed_of
from tests.fakes.builders import a_choice
from tests.fakes.chat_model import ScriptedChatModel
from tests.ui.driving import AppPilot, settled
from tests.ui.services import FakeServices

SECRET = "not-a-real-key-0123456789"


def a_profile(name: str = "work", *, key: KeySource | None = None, fallback: str | None = None) -> Profile:
    return Profile(name=name, choice=ModelChoice(name=name, model="openai/gpt", key=key), fallback=fallback)


IN_KEYRING = a_profile(key=KeySource(place=KeyPlace.KEYRING, name="work"))


@asynccontextmanager
async def profiles(services: FakeServices, size: tuple[int, int] = (80, 24)) -> AsyncIterator[AppPilot]:
    app = ChatMemApp(services, a_choice())
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        app.action_providers()
        await settled(pilot)
        yield pilot


def rows(pilot: AppPilot) -> list[str]:
    return [str(option.prompt) for option in pilot.app.screen.query_one(OptionList).options]


def shown(pilot: AppPilot, identity: str) -> str:
    return str(pilot.app.screen.query_one(identity, Static).render())


def wrong(pilot: AppPilot) -> dict[str, str]:
    places = pilot.app.screen.query(".field-wrong").results(Static)
    return {str(place.id).removesuffix("-wrong"): str(place.render()) for place in places if place.display}


async def write(pilot: AppPilot, field: str, text: str) -> None:
    pilot.app.screen.query_one(f"#{field}", Input).value = text
    await pilot.pause()


async def take_key_from(pilot: AppPilot, place: KeyPlace) -> None:
    pilot.app.screen.query_one("#place", Select).value = place.value
    await pilot.pause()


async def test_each_profile_is_listed_with_its_model_key_and_fallback() -> None:
    command = KeySource(place=KeyPlace.COMMAND, name="pass show x")
    services = FakeServices(profiles=[IN_KEYRING, a_profile("cheap", key=command, fallback="work"), a_profile("plain")])
    async with profiles(services) as pilot:
        assert rows(pilot) == [
            "work\n  openai/gpt · key in the keyring",
            "cheap\n  openai/gpt · key from a command · then work",
            "plain\n  openai/gpt · key from the usual variable",
        ]


async def test_a_profile_is_added_with_keys_alone() -> None:
    services = FakeServices()
    async with profiles(services) as pilot:
        assert "There is no profile yet" in shown(pilot, "#providers-none")
        await pilot.press("n")
        await settled(pilot)
        await pilot.press(*"gateway", "tab", *"openai/big", "enter", *"https://x.example/v1", "ctrl+s")
        await settled(pilot)

        choice = ModelChoice(name="gateway", model="openai/big", api_base="https://x.example/v1")
        assert services.providers.list() == [Profile(name="gateway", choice=choice)]
        assert isinstance(pilot.app.screen, ProvidersScreen)
        assert services.models.resolve("gateway") == choice


async def test_a_typed_key_goes_to_the_keyring_and_is_never_shown() -> None:
    services = FakeServices()
    async with profiles(services, (100, 40)) as pilot:
        await pilot.press("n")
        await settled(pilot)
        await write(pilot, "name", "work")
        await write(pilot, "model", "openai/gpt")
        await take_key_from(pilot, KeyPlace.KEYRING)
        await write(pilot, "key", SECRET)
        await pilot.pause()
        assert SECRET not in pilot.app.export_screenshot()
        await pilot.press("ctrl+s")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)

        assert services.keys.kept == {"work": SECRET}
        assert services.providers.list() == [IN_KEYRING]
        assert pilot.app.screen.query_one("#key", Input).value == ""
        assert "kept in the keyring" in pilot.app.screen.query_one("#key", Input).placeholder


async def test_a_key_typed_for_the_keyring_is_neither_shown_nor_taken_as_anything_else() -> None:
    variable = KeySource(place=KeyPlace.ENVIRONMENT, name="WORK_KEY")
    async with profiles(FakeServices(profiles=[a_profile(key=variable)]), (100, 40)) as pilot:
        await pilot.press("enter")
        await settled(pilot)
        await take_key_from(pilot, KeyPlace.KEYRING)
        await write(pilot, "key", SECRET)
        values = []
        for place in (KeyPlace.COMMAND, KeyPlace.KEYRING, KeyPlace.ENVIRONMENT):
            await take_key_from(pilot, place)
            values.append(pilot.app.screen.query_one("#key", Input).value)

        assert values == ["", "", "WORK_KEY"]
        assert SECRET not in pilot.app.export_screenshot()


async def test_an_edited_profile_keeps_its_key_and_takes_its_new_name() -> None:
    services = FakeServices(profiles=[IN_KEYRING])
    services.keys.kept["work"] = SECRET
    async with profiles(services) as pilot:
        await pilot.press("enter")
        await settled(pilot)
        await write(pilot, "name", "office")
        await write(pilot, "temperature", "0.2")
        await pilot.press("ctrl+s")
        await settled(pilot)

        [profile] = services.providers.list()
        assert (profile.name, profile.choice.key) == ("office", IN_KEYRING.choice.key)
        assert profile.choice.parameters == Parameters(temperature=0.2)
        assert services.keys.kept == {"work": SECRET}


async def test_the_model_that_is_talked_to_is_so_as_its_profile_was_edited() -> None:
    services = FakeServices(profiles=[a_profile("fake")], chat_model=ScriptedChatModel.of("Fine."))
    async with profiles(services) as pilot:
        await pilot.press("enter")
        await settled(pilot)
        await write(pilot, "name", "warm")
        await write(pilot, "temperature", "0.9")
        await pilot.press("ctrl+s")
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        await pilot.press(*"hi", "enter")
        await settled(pilot)

        asked = services.chat_model.requests[0].choice
        assert (asked.name, asked.parameters.temperature) == ("warm", 0.9)
        assert services.saved == [("model", "warm")]


async def test_the_name_of_a_model_is_completed_once_its_provider_is_typed() -> None:
    services = FakeServices(known_facts={"openai/gpt-9": ModelFacts(), "openai/other": ModelFacts()})
    async with profiles(services) as pilot:
        await pilot.press("n")
        await settled(pilot)
        await pilot.press("x", "tab", *"openai/g")
        await settled(pilot)
        await pilot.press("right", "ctrl+s")
        await settled(pilot)

        assert [profile.choice.model for profile in services.providers.list()] == ["openai/gpt-9"]


async def test_what_is_wrong_stands_at_its_field_and_nothing_is_saved() -> None:
    services = FakeServices()
    async with profiles(services) as pilot:
        await pilot.press("n")
        await settled(pilot)
        await write(pilot, "api_base", "gateway")
        await write(pilot, "temperature", "hot")
        await pilot.press("ctrl+s")
        await settled(pilot)

        assert list(wrong(pilot)) == ["name", "model", "api_base", "temperature"]
        assert wrong(pilot)["api_base"] == "An address begins with http:// or https://."
        assert pilot.app.focused is pilot.app.screen.query_one("#name")
        assert services.providers.list() == []


async def test_a_name_that_is_taken_is_told_and_the_form_stays() -> None:
    services = FakeServices(profiles=[a_profile()])
    async with profiles(services) as pilot:
        await pilot.press("n")
        await settled(pilot)
        await write(pilot, "name", "work")
        await write(pilot, "model", "openai/other")
        await pilot.press("ctrl+s")
        await settled(pilot)

        assert "There is a profile called work already" in shown(pilot, "#profile-said")
        assert isinstance(pilot.app.screen, ProfileForm)


async def test_a_keyring_that_is_locked_is_told_and_the_key_stays_typed() -> None:
    services = FakeServices()
    services.keys.error = "The keyring is locked. Unlock it, or use a variable."
    async with profiles(services) as pilot:
        await pilot.press("n")
        await settled(pilot)
        await write(pilot, "name", "work")
        await write(pilot, "model", "openai/gpt")
        await take_key_from(pilot, KeyPlace.KEYRING)
        await write(pilot, "key", SECRET)
        await pilot.press("ctrl+s")
        await settled(pilot)

        assert shown(pilot, "#profile-said") == "The keyring is locked. Unlock it, or use a variable."
        assert pilot.app.screen.query_one("#key", Input).value == SECRET
        assert services.providers.list() == []


async def test_a_form_is_saved_and_checked_in_place() -> None:
    services = FakeServices(chat_model=ScriptedChatModel.of("Ready.", ProviderError("No such model: openai/gtp.")))
    async with profiles(services) as pilot:
        await pilot.press("n")
        await settled(pilot)
        await pilot.press(*"work", "tab", *"openai/gpt", "ctrl+k")
        await settled(pilot)
        good = shown(pilot, "#profile-said")
        await write(pilot, "model", "openai/gtp")
        await pilot.press("ctrl+k")
        await settled(pilot)
        bad = shown(pilot, "#profile-said")
        await pilot.press("escape")
        await settled(pilot)

        assert good.startswith("✓ work answers: Ready.")
        assert bad == "✗ No such model: openai/gtp."
        assert rows(pilot) == ["work\n  openai/gtp · key from the usual variable"]


async def test_escape_asks_once_before_it_drops_what_was_typed() -> None:
    async with profiles(FakeServices()) as pilot:
        await pilot.press("n")
        await settled(pilot)
        await pilot.press("x", "escape")
        assert "Esc once more drops it" in shown(pilot, "#profile-said")
        await pilot.press("escape")
        await settled(pilot)

        assert isinstance(pilot.app.screen, ProvidersScreen)


async def test_a_profile_is_checked_from_the_list() -> None:
    services = FakeServices(profiles=[a_profile()], chat_model=ScriptedChatModel.of("Ready."))
    async with profiles(services) as pilot:
        await pilot.press("k")
        await settled(pilot)

        assert shown(pilot, "#providers-said").startswith("✓ work answers: Ready.")


async def test_a_profile_is_removed_when_asked_twice_and_its_key_with_it() -> None:
    services = FakeServices(profiles=[IN_KEYRING])
    services.keys.kept["work"] = SECRET
    async with profiles(services) as pilot:
        await pilot.press("delete")
        await settled(pilot)
        assert len(rows(pilot)) == 1
        await pilot.press("delete")
        await settled(pilot)

        assert services.providers.list() == []
        assert services.keys.kept == {}
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(pilot.app.screen, ChatScreen)


async def test_one_on_which_another_falls_back_stays_and_the_reason_is_told() -> None:
    services = FakeServices(profiles=[a_profile(), a_profile("other", fallback="work")])
    async with profiles(services) as pilot:
        await pilot.press("d", "d")
        await settled(pilot)

        assert "falls back on work" in shown(pilot, "#providers-said")
        assert len(rows(pilot)) == 2


async def test_every_field_can_be_reached_in_a_small_terminal() -> None:
    async with profiles(FakeServices()) as pilot:
        await pilot.press("n")
        await settled(pilot)
        form = pilot.app.screen
        await pilot.press(*["tab"] * 9)
        await settled(pilot)

        assert pilot.app.focused is form.query_one("#fallback")
        assert form.query_one("#fallback").region.bottom <= 24
        assert isinstance(form.query_one("#headers"), TextArea)


FULL = Typed(
    name="work",
    model="openai/gpt",
    api_base="https://x.example/v1",
    place=KeyPlace.ENVIRONMENT,
    key="WORK_KEY",
    temperature="0.5",
    reply_tokens="2,000",
    reasoning_effort="low",
    context_tokens="32000",
    headers="X-Team: research\nX-Cost: 7:1",
    fallback="cheap",
)


def test_a_profile_and_its_fields_say_the_same() -> None:
    profile, key = profile_of(FULL)

    assert key is None
    assert profile.choice.parameters == Parameters(
        temperature=0.5, reply_tokens=2000, reasoning_effort="low", headers=(("X-Team", "research"), ("X-Cost", "7:1"))
    )
    assert (profile.choice.context_tokens, profile.fallback) == (32_000, "cheap")
    assert profile_of(typed_of(profile.choice, profile.fallback)) == (profile, None)


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        (Typed(model="a/b"), "name"),
        (Typed(name="x"), "model"),
        (Typed(name="x", model="gpt", api_base="https://x"), "model"),
        (Typed(name="x", model="a/b", api_base="x.example"), "api_base"),
        (Typed(name="x", model="a/b", place=KeyPlace.ENVIRONMENT, key="not-a-real-key"), "key"),
        (Typed(name="x", model="a/b", place=KeyPlace.ENVIRONMENT), "key"),
        (Typed(name="x", model="a/b", place=KeyPlace.KEYRING), "key"),
        (Typed(name="x", model="a/b", place=KeyPlace.COMMAND, key=" "), "key"),
        (Typed(name="x", model="a/b", temperature="2.1"), "temperature"),
        (Typed(name="x", model="a/b", temperature="nan"), "temperature"),
        (Typed(name="x", model="a/b", reply_tokens="0"), "reply_tokens"),
        (Typed(name="x", model="a/b", reply_tokens="1.5"), "reply_tokens"),
        (Typed(name="x", model="a/b", context_tokens="100"), "context_tokens"),
        (Typed(name="x", model="a/b", headers="no colon"), "headers"),
        (Typed(name="x", model="a/b", headers="Bad Name: x"), "headers"),
    ],
)
def test_a_wrong_field_is_named(typed: Typed, field: str) -> None:
    with pytest.raises(WrongFieldsError) as raised:
        profile_of(typed)

    assert list(raised.value.sentences) == [field]
