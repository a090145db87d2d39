"""The models at hand: in which order, under which headings, and which name means which."""

from pathlib import Path

import pytest

from chatmem.conversation import Known, ModelDirectory, Origin, to_begin_with
from chatmem.domain.errors import UsageError
from chatmem.domain.model import ModelChoice, ModelFacts
from tests.fakes.model_store import FakeModelStore

WORK = ModelChoice(name="work", model="openai/gpt", api_base="https://gateway.example/v1")
LLAMA = ModelChoice(name="ollama_chat/llama", model="ollama_chat/llama")
SMALL = ModelChoice(name="groq/small", model="groq/small")
LARGE = ModelChoice(name="groq/large", model="groq/large")
FACTS = {"groq/large": ModelFacts(context_tokens=131072, prompt_usd=0.15, tools=True)}


def directory(root: Path, used: list[str] | None = None) -> ModelDirectory:
    known = Known(
        provider=lambda choice: {"groq": "Groq", "ollama_chat": "Ollama"}.get(choice.model.split("/")[0], "?"),
        note=lambda choice: "set REGION too" if choice == SMALL else "",
        facts=lambda choice: FACTS.get(choice.model),
        served=lambda name: LLAMA if name == "lm/llama" else None,
    )
    found = {Origin.SERVER: lambda: [LLAMA], Origin.KEY: lambda: [LARGE, SMALL]}
    return ModelDirectory(FakeModelStore(root), {"work": WORK}, found, known, used=lambda most: (used or [])[:most])


def test_models_stand_together_under_their_provider(tmp_path: Path) -> None:
    listed = directory(tmp_path).listed()

    assert [(model.provider, model.choice.name) for model in listed] == [
        ("Your profiles", "work"),
        ("Built in", "builtin/tiny-chat"),
        ("Built in", "builtin/tiny-test"),
        ("Ollama", "ollama_chat/llama"),
        ("Groq", "groq/large"),
        ("Groq", "groq/small"),
    ]
    assert not any(model.used for model in listed)


def test_servers_on_this_machine_are_left_out_where_nobody_waits_for_them(tmp_path: Path) -> None:
    names = [model.choice.name for model in directory(tmp_path).listed(everywhere=False)]

    assert LLAMA.name not in names
    assert LARGE.name in names


def test_a_name_goes_on_once_its_provider_is_typed(tmp_path: Path) -> None:
    known = Known(models=lambda prefix: ["groq/large", "groq/small"] if prefix == "groq" else [])
    models = ModelDirectory(FakeModelStore(tmp_path), {}, {}, known)

    assert models.beginning("Groq/s") == ["groq/small"]
    assert models.beginning("gro") == models.beginning("other/") == []


def test_the_ones_last_used_come_first(tmp_path: Path) -> None:
    listed = directory(tmp_path, used=["groq/small", "gone/model", "work"]).listed()

    assert [(model.choice.name, model.used) for model in listed[:3]] == [
        ("groq/small", True),
        ("work", True),
        ("builtin/tiny-chat", False),
    ]
    assert len(listed) == 6


def test_facts_and_notes_stand_beside_the_models(tmp_path: Path) -> None:
    listed = {model.choice.name: model for model in directory(tmp_path).listed()}

    assert listed["groq/large"].facts == FACTS["groq/large"]
    assert listed["groq/small"].facts is None
    assert listed["groq/small"].note == "set REGION too"
    assert listed["builtin/tiny-chat"].fetch == "tiny-chat"


def test_a_model_that_is_found_twice_is_listed_once(tmp_path: Path) -> None:
    found = {Origin.SERVER: lambda: [LLAMA], Origin.KEY: lambda: [LLAMA]}

    listed = ModelDirectory(FakeModelStore(tmp_path), {}, found).listed()

    assert [model.choice.name for model in listed].count(LLAMA.name) == 1


def test_to_begin_with_one_model_of_a_provider_is_enough(tmp_path: Path) -> None:
    names = [model.choice.name for model in to_begin_with(directory(tmp_path).listed())]

    assert names == ["work", "builtin/tiny-chat", "builtin/tiny-test", "ollama_chat/llama", "groq/large"]


def test_a_name_means_a_profile_before_all_else(tmp_path: Path) -> None:
    models = directory(tmp_path)

    assert models.resolve(" work ") == WORK
    assert models.resolve("tiny-chat").model == "builtin/tiny-chat"
    assert models.resolve("lm/llama") == LLAMA
    assert models.resolve("any/thing") == ModelChoice(name="any/thing", model="any/thing")


def test_an_empty_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="chatmem models list"):
        directory(tmp_path).resolve("  ")


def test_other_profiles_are_known_at_once(tmp_path: Path) -> None:
    models = directory(tmp_path)

    models.configure({"home": LLAMA})

    assert models.resolve("home") == LLAMA
    assert models.resolve("work").model == "work"
