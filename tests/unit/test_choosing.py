"""Which model does what, and what the budgets of the day allow."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from chatmem.bootstrap import Installation
from chatmem.bootstrap.choosing import Choosing, is_local
from chatmem.config.schema import BackgroundSettings, ChatSettings, ConsolidationSettings, Settings
from chatmem.conversation import ModelDirectory
from chatmem.domain.model import ModelChoice, ModelFacts, Usage
from tests.fakes.builders import a_session
from tests.fakes.meter import FakeMeter
from tests.fakes.model_store import FakeModelStore

HOSTED = ModelChoice(name="groq/large", model="groq/large")
LLAMA = ModelChoice(name="ollama_chat/llama", model="ollama_chat/llama")


@dataclass
class Place:
    """Where models are chosen."""

    root: Path
    meter: FakeMeter = field(default_factory=FakeMeter)
    prices: dict[str, float] = field(default_factory=dict)
    flags: dict[str, object] = field(default_factory=dict)

    def choosing(self, **settings: object) -> Choosing:
        store = FakeModelStore(self.root)
        return Choosing(
            directory=ModelDirectory(store, {}, {}),
            store=store,
            installation=Installation(flags=self.flags),
            settings=Settings(**settings),  # type: ignore[arg-type]  # a test takes any field
            meter=self.meter,
            facts=self.facts,
        )

    def facts(self, choice: ModelChoice) -> ModelFacts:
        price = self.prices.get(choice.model)
        return ModelFacts(prompt_usd=price, completion_usd=price)

    def spend(self, purpose: str, tokens: int = 0, usd: float | None = None) -> None:
        self.meter.count_call(purpose, "m", Usage(prompt_tokens=tokens, cost_usd=usd))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.delenv("CHATMEM_MODEL", raising=False)
    return Place(tmp_path)


def test_without_a_setting_the_builtin_model_that_is_here_is_taken(place: Place) -> None:
    nothing = place.choosing().choose()
    FakeModelStore(place.root).pull("tiny-chat", lambda *_: None)

    chosen = place.choosing().choose()

    assert nothing is None
    assert chosen is not None
    assert chosen.model == "builtin/tiny-chat"


def test_a_session_talks_to_its_own_model_unless_another_was_asked_for(place: Place) -> None:
    session = a_session(model="groq/large")

    own = place.choosing(model="openai/gpt").choose(session)
    place.flags = {"model": "openai/gpt"}
    asked = place.choosing(model="openai/gpt").choose(session)

    assert own is not None
    assert asked is not None
    assert (own.name, asked.name) == ("groq/large", "openai/gpt")


def test_the_model_talked_to_learns_unless_another_is_set(place: Place) -> None:
    alone = place.choosing(model="groq/large")
    helped = place.choosing(model="groq/large", background=BackgroundSettings(model="ollama_chat/llama"))

    assert (alone.learns(), alone.sums_up()) == (HOSTED, HOSTED)
    assert (helped.learns(), helped.sums_up(), helped.choose()) == (LLAMA, LLAMA, HOSTED)


def test_the_model_that_answers_is_the_one_in_use(place: Place) -> None:
    choosing = place.choosing(model="groq/large")

    choosing.chat_budget(LLAMA)

    assert (choosing.current, choosing.learns()) == (LLAMA, LLAMA)


def test_rules_do_what_the_setting_or_a_weak_model_leaves_them(place: Place) -> None:
    by_setting = place.choosing(model="groq/large", consolidation=ConsolidationSettings(extractor="rules"))
    weak = place.choosing(model="tiny-test")
    insisted = place.choosing(model="tiny-test", consolidation=ConsolidationSettings(extractor="model"))

    assert (by_setting.learns(), weak.learns()) == (None, None)
    assert insisted.learns() is not None
    assert by_setting.why_rules() == weak.why_rules() == place.choosing().why_rules() == ""


@pytest.mark.parametrize("purpose", ["consolidation", "summary"])
def test_a_spent_budget_leaves_background_work_to_rules_and_says_so(place: Place, purpose: str) -> None:
    choosing = place.choosing(model="groq/large", background=BackgroundSettings(tokens_per_day=1000))
    place.spend("chat", tokens=5000)
    before = choosing.learns(), choosing.sums_up(), choosing.why_rules()

    place.spend(purpose, tokens=1000)

    assert before == (HOSTED, HOSTED, "")
    assert (choosing.learns(), choosing.sums_up()) == (None, None)
    assert choosing.why_rules() == "today's budget of 1,000 tokens for background work is used up"
    assert choosing.chat_budget(HOSTED) == ""


def test_the_budget_for_chat_counts_chat_alone(place: Place) -> None:
    choosing = place.choosing(chat=ChatSettings(usd_per_day=0.5))
    place.spend("consolidation", usd=3)
    place.spend("chat", usd=0.25)
    before = choosing.chat_budget(HOSTED)

    place.spend("chat", usd=0.25)

    assert (before, choosing.chat_budget(HOSTED)) == ("", "$0.50")


def test_a_model_that_costs_nothing_needs_no_money(place: Place) -> None:
    choosing = place.choosing(chat=ChatSettings(usd_per_day=0.5, tokens_per_day=1000))
    place.prices = {"groq/free": 0.0, "groq/dear": 2.0}
    place.spend("chat", tokens=10, usd=1)

    def used_up(model: str) -> str:
        return choosing.chat_budget(ModelChoice(name=model, model=model))

    assert [used_up(m) for m in ("groq/free", "ollama_chat/llama", "builtin/tiny-chat")] == ["", "", ""]
    assert [used_up(m) for m in ("groq/dear", "groq/unknown")] == ["$0.50", "$0.50"]
    place.spend("chat", tokens=1000)
    assert used_up("ollama_chat/llama") == "1,000 tokens"


def test_it_is_known_which_models_compute_on_this_machine(place: Place) -> None:
    remote_learner = place.choosing(model="ollama_chat/llama", background=BackgroundSettings(model="groq/large"))
    local = place.choosing(model="ollama_chat/llama")
    remote = place.choosing(model="groq/large")

    assert (local.answers_here(), local.learns_here()) == (True, True)
    assert (remote.answers_here(), remote.learns_here()) == (False, False)
    assert (remote_learner.answers_here(), remote_learner.learns_here()) == (True, False)
    assert (place.choosing().answers_here(), place.choosing().learns_here()) == (False, False)


@pytest.mark.parametrize(
    ("model", "api_base", "local"),
    [
        ("builtin/x", None, True),
        ("ollama_chat/x", None, True),
        ("ollama_chat/x", "http://gpu.example:11434", False),
        ("openai/x", "http://127.0.0.1:8000/v1", True),
        ("openai/x", "http://[::1]:8000/v1", True),
        ("openai/x", "http://[broken", False),
        ("openai/x", None, False),
    ],
)
def test_a_model_is_local_where_its_server_is(model: str, api_base: str | None, local: bool) -> None:
    assert is_local(ModelChoice(name="x", model=model, api_base=api_base)) is local
