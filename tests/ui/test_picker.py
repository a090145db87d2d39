"""The model picker: finding a model, fetching it, taking it."""

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import process_time

from textual.widgets import Input, OptionList, Static

from chatmem.conversation import Listed, Origin, Profile
from chatmem.domain.errors import ProviderError, StoreError
from chatmem.domain.model import ModelChoice, ModelFacts
from chatmem.ports.model_store import Progress
from chatmem.ui.app import ChatMemApp
from chatmem.ui.screens.chat import ChatScreen
from chatmem.ui.screens.models import ModelPicker
from chatmem.ui.screens.profile_form import ProfileForm
from chatmem.ui.widgets.fetch_bar import FetchBar
from chatmem.ui.widgets.model_options import Columns, matching, told
from chatmem.ui.widgets.model_search import found
from tests.fakes.builders import a_choice, a_session, a_turn
from tests.fakes.chat_model import ScriptedChatModel
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
async def picking(services: FakeServices, size: tuple[int, int] = (100, 30)) -> AsyncIterator[AppPilot]:
    app = ChatMemApp(services, a_choice())
    async with app.run_test(size=size) as pilot:
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


async def test_models_are_listed_under_their_providers(tmp_path: Path) -> None:
    async with picking(services(tmp_path)) as pilot:
        assert [row.split()[0] for row in rows(pilot)] == [
            "Your",
            "●",
            "Built",
            "builtin/tiny-chat",
            "builtin/tiny-test",
            "ollama_chat",
            "ollama/llama",
            "openai",
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


FACTS = ModelFacts(
    context_tokens=1_047_576, prompt_usd=0.4, completion_usd=1.6, tools=True, vision=True, reasoning=False
)


def a_model(name: str, provider: str = "OpenAI", note: str = "", facts: ModelFacts | None = FACTS) -> Listed:
    choice = ModelChoice(name=name, model=name)
    return Listed(choice=choice, origin=Origin.KEY, provider=provider, note=note, facts=facts)


def shown(pilot: AppPilot, identity: str) -> str:
    return str(pilot.app.screen.query_one(identity, Static).render())


async def test_a_row_tells_context_prices_and_abilities_without_colour(tmp_path: Path) -> None:
    given = services(tmp_path)
    given.known_facts = {HOSTED.model: FACTS}
    async with picking(given) as pilot:
        row = next(row for row in rows(pilot) if row.startswith("openai/gpt-small"))

        assert row.split() == ["openai/gpt-small", "1.05M", "0.40", "/", "1.60", "TV·"]
        assert shown(pilot, "#picker-columns").split() == ["context", "$/M", "in,", "out"]
        assert shown(pilot, "#picker-legend") == "T calls tools · V looks at pictures · R thinks before it answers"


async def test_what_has_no_room_in_a_row_is_told_of_the_highlighted_one(tmp_path: Path) -> None:
    given = services(tmp_path)
    given.known_facts = {HOSTED.model: FACTS}
    async with picking(given, size=(80, 24)) as pilot:
        await pilot.press(*"gpt")
        await settled(pilot)

        assert shown(pilot, "#picker-told") == (
            "openai/gpt-small · 1,047,576 tokens of context · $0.40 in, $1.60 out per million tokens · tools, pictures"
        )


async def test_models_last_used_come_first(tmp_path: Path) -> None:
    given = services(tmp_path)
    given.log.open_session(a_session())
    given.log.append(a_turn(1, "hi"))
    given.log.set_model(a_session().id, LOCAL.name)
    async with picking(given) as pilot:
        assert rows(pilot)[:2] == ["Last used", "ollama/llama"]


async def test_the_picker_opens_before_the_servers_on_this_machine_have_answered(tmp_path: Path) -> None:
    answer = threading.Event()

    class Slow(list[ModelChoice]):
        def __iter__(self) -> Iterator[ModelChoice]:
            assert answer.wait(20)
            return super().__iter__()

    given = services(tmp_path)
    given.found[Origin.SERVER] = Slow([LOCAL])
    app = ChatMemApp(given, a_choice())
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        await pilot.press("f5")
        await until(pilot, lambda: any("openai/gpt-small" in row for row in rows(pilot)))
        await pilot.press("down", "down")
        before, highlighted = rows(pilot), pilot.app.screen.query_one(OptionList).highlighted_option
        answer.set()
        await settled(pilot)

        assert before[-1] == "Looking for more models…"
        assert "ollama/llama" in rows(pilot)
        still = pilot.app.screen.query_one(OptionList).highlighted_option
        assert highlighted is not None
        assert still is not None
        assert str(still.prompt) == str(highlighted.prompt)


def test_columns_drop_out_where_there_is_no_room() -> None:
    models = [a_model("provider/" + "x" * 60)]

    assert [len(str(Columns.fitting(models, width).row(models[0], "", "a note"))) for width in (40, 60, 80, 120)] == [
        36,
        60,
        80,
        93,
    ]
    assert Columns.fitting(models, 40).price is False


def test_letters_with_gaps_find_a_model_and_whole_words_come_first() -> None:
    models = [a_model(name) for name in ("openai/gpt-4.1-mini", "anthropic/claude-opus", "openai/gpt-4.1", "g/x-41")]

    assert [models[place].choice.name for place in found(models, "gpt-4.1")] == [
        "openai/gpt-4.1",
        "openai/gpt-4.1-mini",
    ]
    assert [models[place].choice.name for place in found(models, "clop")] == ["anthropic/claude-opus"]
    assert found(models, "mini openai") == [0]
    assert found(models, "no such") == []


def test_a_model_is_found_by_its_provider_too() -> None:
    assert found(
        [a_model("azure/x", provider="Azure"), a_model("work", provider="Your profiles", note="b/c")], "b/c"
    ) == [1]


def test_six_hundred_models_are_searched_between_two_keys() -> None:
    models = [a_model(f"provider{number % 7}/family-{number}-instruct-2025-{number:04}") for number in range(600)]
    columns = Columns.fitting(models, 100)
    began = process_time()
    for query in ("p", "pf", "pf3", "family-3", "aaaaaa", "zzz"):
        matching(models, query, "", columns)
    took_s = (process_time() - began) / 6

    assert took_s < 0.05


def test_a_search_shows_the_best_and_counts_the_rest() -> None:
    models = [a_model(f"openai/m{number}") for number in range(80)]
    options = matching(models, "openai", "", Columns.fitting(models, 100))

    assert len(options) == 51
    assert str(options[-1].prompt).strip() == "and 30 more: type on"


def test_what_is_free_and_what_is_not_known_is_told_so() -> None:
    free = ModelFacts(prompt_usd=0, completion_usd=0)

    assert told(a_model("x", facts=free)) == "x · free of charge"
    assert told(a_model("x", facts=None)) == "x"


async def test_a_name_that_is_not_listed_is_taken_as_typed_before_what_only_resembles_it(tmp_path: Path) -> None:
    given = services(tmp_path)
    async with picking(given) as pilot:
        await pilot.press(*"openai/gpt", "enter")
        await settled(pilot)
        await pilot.press("f5")
        await settled(pilot)
        pilot.app.screen.query_one(Input).value = "oai/gpt"
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)

        assert given.saved == [("model", "openai/gpt-small"), ("model", "oai/gpt")]


async def test_ctrl_k_checks_the_highlighted_model(tmp_path: Path) -> None:
    given = services(tmp_path)
    given.chat_model = ScriptedChatModel.of("Ready.", ProviderError("The key was refused."))
    async with picking(given) as pilot:
        await pilot.press(*"gpt", "ctrl+k")
        await settled(pilot)
        good = shown(pilot, "#picker-told")
        await pilot.press("ctrl+k")
        await settled(pilot)

        assert good.startswith("✓ openai/gpt-small answers: Ready.")
        assert shown(pilot, "#picker-told") == "✗ The key was refused."


async def test_a_profile_made_of_a_listed_model_is_highlighted_in_the_picker(tmp_path: Path) -> None:
    given = services(tmp_path)
    async with picking(given, size=(100, 40)) as pilot:
        await pilot.press(*"gpt", "ctrl+e")
        await settled(pilot)
        assert isinstance(pilot.app.screen, ProfileForm)
        pilot.app.screen.query_one("#name", Input).value = "small"
        await pilot.press("ctrl+s")
        await settled(pilot)
        assert isinstance(pilot.app.screen, ModelPicker)
        await pilot.press("enter")
        await settled(pilot)

        assert given.saved == [("model", "small")]
        assert given.providers.list() == [Profile(name="small", choice=ModelChoice(name="small", model=HOSTED.model))]
