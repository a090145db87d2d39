"""The model picker: finding a model, fetching it, taking it."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.widgets import OptionList, Static

from chatmem.conversation import Origin
from chatmem.domain.errors import StoreError
from chatmem.domain.model import ModelChoice
from chatmem.ports.model_store import Progress
from chatmem.ui.app import ChatMemApp
from chatmem.ui.screens.chat import ChatScreen
from chatmem.ui.screens.models import ModelPicker
from chatmem.ui.widgets.fetch_bar import FetchBar
from tests.fakes.builders import a_choice
from tests.fakes.model_store import FakeModelStore
from tests.ui.driving import AppPilot, notices, settled, until
from tests.ui.services import FakeServices

HOSTED = ModelChoice(name="openai/gpt-small", model="openai/gpt-small")
LOCAL = ModelChoice(name="ollama/llama", model="ollama_chat/llama")


class HeldStore(FakeModelStore):
    """Fetches half, then waits for `go_on`."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.go_on = threading.Event()

    def pull(self, name: str, progress: Progress) -> Path:
        progress("Downloading tiny-chat", 400_000_000, 1_100_000_000)
        assert self.go_on.wait(20)
        return super().pull(name, progress)


@asynccontextmanager
async def picking(services: FakeServices) -> AsyncIterator[AppPilot]:
    app = ChatMemApp(services, a_choice())
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        await pilot.press("f5")
        await settled(pilot)
        yield pilot


def services(tmp_path: Path) -> FakeServices:
    found = {Origin.SERVER: [LOCAL], Origin.KEY: [HOSTED]}
    return FakeServices(model_store=FakeModelStore(tmp_path), configured={"fake": a_choice()}, found=found)


def rows(pilot: AppPilot) -> list[str]:
    return [str(option.prompt).strip() for option in pilot.app.screen.query_one(OptionList).options]


def said(pilot: AppPilot) -> str:
    return str(pilot.app.screen.query_one("#fetch-said", Static).render())


async def test_models_are_listed_under_where_they_come_from(tmp_path: Path) -> None:
    async with picking(services(tmp_path)) as pilot:
        assert [row.split()[0] for row in rows(pilot)] == [
            "Your",
            "●",
            "Built",
            "builtin/tiny-chat",
            "builtin/tiny-test",
            "Running",
            "ollama/llama",
            "Key",
            "openai/gpt-small",
        ]


async def test_typing_filters_and_enter_takes_the_best(tmp_path: Path) -> None:
    given = services(tmp_path)
    async with picking(given) as pilot:
        await pilot.press(*"gptsm", "enter")
        await settled(pilot)

        assert isinstance(pilot.app.screen, ChatScreen)
        assert given.saved == [("model", "openai/gpt-small")]


async def test_arrows_move_while_the_cursor_stays_in_the_filter(tmp_path: Path) -> None:
    given = services(tmp_path)
    async with picking(given) as pilot:
        await pilot.press("up", "enter")
        await settled(pilot)

        assert given.saved == [("model", "openai/gpt-small")]


async def test_what_is_typed_can_be_taken_as_a_model_of_litellm(tmp_path: Path) -> None:
    given = services(tmp_path)
    async with picking(given) as pilot:
        await pilot.press(*"groq/xyz", "enter")
        await settled(pilot)

        assert given.saved == [("model", "groq/xyz")]


async def test_a_model_that_is_not_here_is_fetched_first(tmp_path: Path) -> None:
    given = services(tmp_path)
    async with picking(given) as pilot:
        await pilot.press(*"tiny-chat", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))
        await settled(pilot)

        assert given.model_store.pulled == ["tiny-chat"]
        assert given.saved == [("model", "builtin/tiny-chat")]


async def test_fetching_shows_how_far_it_is(tmp_path: Path) -> None:
    given = services(tmp_path)
    given.model_store = store = HeldStore(tmp_path)
    async with picking(given) as pilot:
        await pilot.press(*"tiny-chat", "enter")
        await until(pilot, lambda: "400 MB of 1.1 GB" in said(pilot))

        assert pilot.app.screen.query_one(FetchBar).display
        store.go_on.set()
        await until(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))


async def test_a_fetch_can_be_left_without_switching(tmp_path: Path) -> None:
    given = services(tmp_path)
    given.model_store = store = HeldStore(tmp_path)
    async with picking(given) as pilot:
        await pilot.press(*"tiny-chat", "enter")
        await until(pilot, lambda: "400 MB" in said(pilot))
        await pilot.press("escape")
        store.go_on.set()
        await until(pilot, lambda: store.pulled == ["tiny-chat"])

        assert isinstance(pilot.app.screen, ChatScreen)
        assert given.saved == []


async def test_a_failed_fetch_says_why_and_another_try_is_possible(tmp_path: Path) -> None:
    given = services(tmp_path)
    given.model_store.error = "No source could be reached. Check the network, then try again."
    async with picking(given) as pilot:
        await pilot.press(*"tiny-chat", "enter")
        await until(pilot, lambda: "No source could be reached" in said(pilot))
        assert isinstance(pilot.app.screen, ModelPicker)

        given.model_store.error = None
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))
        await settled(pilot)
        assert given.saved == [("model", "builtin/tiny-chat")]


async def test_a_failure_to_save_the_choice_is_told_and_the_switch_holds(tmp_path: Path) -> None:
    class Unwritable(FakeServices):
        def save_setting(self, key: str, value: str) -> None:
            raise StoreError("The settings can't be written.")

    async with picking(Unwritable(model_store=FakeModelStore(tmp_path), found={Origin.SERVER: [LOCAL]})) as pilot:
        await pilot.press(*"llama", "enter")
        await settled(pilot)

        assert notices(pilot) == ["The settings can't be written."]
