"""The first screen, where no model is chosen yet."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.widgets import OptionList, Static

from chatmem.conversation import Origin
from chatmem.domain.model import ModelChoice
from chatmem.ui.app import ChatMemApp
from chatmem.ui.screens.chat import ChatScreen
from chatmem.ui.screens.models import ModelPicker
from chatmem.ui.screens.welcome import WelcomeScreen
from chatmem.ui.widgets.prompt import PromptBox
from chatmem.ui.widgets.status_line import StatusLine
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.model_store import FakeModelStore, an_entry
from tests.ui.driving import AppPilot, settled, until
from tests.ui.services import FakeServices

HOSTED = ModelChoice(name="openai/gpt-small", model="openai/gpt-small")
LOCAL = ModelChoice(name="ollama/llama", model="ollama_chat/llama")


@asynccontextmanager
async def welcomed(services: FakeServices) -> AsyncIterator[AppPilot]:
    app = ChatMemApp(services, None)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        yield pilot


def services(tmp_path: Path) -> FakeServices:
    entries = [an_entry("tiny-test", "test", 98_000_000), an_entry("tiny-chat", size=1_100_000_000)]
    return FakeServices(
        chat_model=ScriptedChatModel.of("Hello."),
        model_store=FakeModelStore(tmp_path, entries),
        found={Origin.SERVER: [LOCAL], Origin.KEY: [HOSTED]},
    )


def offers(pilot: AppPilot) -> list[str]:
    return [str(option.prompt) for option in pilot.app.screen.query_one(OptionList).options]


async def test_the_built_in_model_is_offered_first_and_the_test_model_last(tmp_path: Path) -> None:
    async with welcomed(services(tmp_path)) as pilot:
        names = [offer.splitlines()[0] for offer in offers(pilot)]

        assert names == ["tiny-chat", "ollama/llama", "openai/gpt-small", "tiny-test"]


async def test_an_offer_says_size_licence_and_where_words_go(tmp_path: Path) -> None:
    async with welcomed(services(tmp_path)) as pilot:
        builtin, _, hosted, test = offers(pilot)

        assert "nothing leaves this machine · 1.1 GB to fetch · Apache-2.0" in builtin
        assert "what you say goes to this provider" in hosted
        assert "a test model, answers badly" in test


async def test_enter_fetches_the_first_offer_and_begins(tmp_path: Path) -> None:
    given = services(tmp_path)
    given.model_store = FakeModelStore(tmp_path)
    async with welcomed(given) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))
        await settled(pilot)
        await pilot.press(*"hi", "enter")
        await settled(pilot)

        assert given.model_store.pulled == ["tiny-chat"]
        assert ("model", "builtin/tiny-chat") in given.saved
        assert given.chat_model.requests[0].choice.model == "builtin/tiny-chat"


async def test_a_failed_fetch_says_why_and_stays(tmp_path: Path) -> None:
    given = services(tmp_path)
    given.model_store.error = "The disk is full: 1.1 GB are needed."
    async with welcomed(given) as pilot:
        await pilot.press("enter")
        said = pilot.app.screen.query_one("#fetch-said", Static)
        await until(pilot, lambda: str(said.render()) == "The disk is full: 1.1 GB are needed.")

        assert isinstance(pilot.app.screen, WelcomeScreen)


async def test_another_model_can_be_typed(tmp_path: Path) -> None:
    given = services(tmp_path)
    async with welcomed(given) as pilot:
        await pilot.press("f5")
        await settled(pilot)
        assert isinstance(pilot.app.screen, ModelPicker)
        await pilot.press(*"groq/xyz", "enter")
        await settled(pilot)

        assert isinstance(pilot.app.screen, ChatScreen)
        assert given.saved == [("model", "groq/xyz")]


async def test_without_a_model_the_words_are_kept_and_the_way_is_told(tmp_path: Path) -> None:
    async with welcomed(services(tmp_path)) as pilot:
        await pilot.press("escape")
        await settled(pilot)
        await pilot.press(*"hello", "enter")

        prompt = pilot.app.screen.query_one(PromptBox)
        assert prompt.text == "hello"
        assert "choose a model first" in str(prompt.border_subtitle)
        assert "no model chosen" in str(pilot.app.screen.query_one(StatusLine).render())


async def test_a_person_with_a_key_adds_a_provider_and_talks_to_it(tmp_path: Path) -> None:
    given = services(tmp_path)
    async with welcomed(given) as pilot:
        await pilot.press("ctrl+n")
        await settled(pilot)
        await pilot.press(*"work", "tab", *"openai/gpt", "ctrl+s")
        await settled(pilot)
        await pilot.press(*"hi", "enter")
        await settled(pilot)

        assert given.chat_model.requests[0].choice == ModelChoice(name="work", model="openai/gpt")
