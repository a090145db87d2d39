"""Profiles on the screen: listed, switched to, made, erased."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.widgets import OptionList, Static

from chatmem.ui.app import ChatMemApp
from chatmem.ui.screens.profiles import ProfilesScreen
from tests.fakes.builders import a_choice
from tests.ui.chatting import status
from tests.ui.driving import AppPilot, settled
from tests.ui.services import FakeServices


@asynccontextmanager
async def profiles(services: FakeServices) -> AsyncIterator[AppPilot]:
    app = ChatMemApp(services, a_choice())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        app.action_profiles()
        await settled(pilot)
        yield pilot


async def press(pilot: AppPilot, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def rows(pilot: AppPilot) -> list[str]:
    return [str(option.prompt) for option in pilot.app.screen.query_one(OptionList).options]


def said(pilot: AppPilot) -> str:
    return str(pilot.app.screen.query_one("#profiles-said", Static).render())


def wanted(pilot: AppPilot) -> str:
    assert isinstance(pilot.app, ChatMemApp)
    return pilot.app.profile_wanted


async def test_profiles_are_listed_with_their_sizes_and_the_open_one_is_marked() -> None:
    async with profiles(FakeServices()) as pilot:
        assert rows(pilot) == ["default  1 MB · open here", "work  34 MB"]


async def test_enter_closes_this_profile_to_open_another() -> None:
    async with profiles(FakeServices()) as pilot:
        await press(pilot, "down", "enter")

        assert wanted(pilot) == "work"


async def test_enter_on_the_open_one_goes_back() -> None:
    async with profiles(FakeServices()) as pilot:
        await press(pilot, "enter")

        assert not isinstance(pilot.app.screen, ProfilesScreen)
        assert wanted(pilot) == ""


async def test_a_new_one_is_made_by_its_name_and_highlighted() -> None:
    async with profiles(FakeServices()) as pilot:
        await press(pilot, "n", *"home", "enter")

        assert rows(pilot) == ["default  1 MB · open here", "home  0 B", "work  34 MB"]
        assert pilot.app.screen.query_one(OptionList).highlighted == 1


async def test_a_name_that_is_taken_is_told_and_escape_leaves_the_field_alone() -> None:
    async with profiles(FakeServices()) as pilot:
        await press(pilot, "n", *"work", "enter")
        assert said(pilot) == "There is a profile work already."

        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ProfilesScreen)


async def test_one_is_erased_when_asked_twice() -> None:
    services = FakeServices()
    async with profiles(services) as pilot:
        await press(pilot, "down", "delete")
        assert "goes for good, 34 MB" in said(pilot)
        assert "work" in services.profile_folders.sizes

        await press(pilot, "delete")
        assert rows(pilot) == ["default  1 MB · open here"]


async def test_the_open_one_is_not_erased() -> None:
    services = FakeServices()
    async with profiles(services) as pilot:
        await press(pilot, "delete", "delete")

        assert "is open here" in said(pilot)
        assert "default" in services.profile_folders.sizes


@pytest.mark.parametrize(("profile", "shown"), [("default", False), ("work", True)])
async def test_any_profile_but_the_usual_one_is_named_in_the_status_line(profile: str, shown: bool) -> None:
    async with profiles(FakeServices(profile=profile)) as pilot:
        assert ("[work]" in status(pilot)) is shown
