"""Which providers the first screen offers."""

import subprocess
import sys

import pytest

from chatmem.adapters.litellm.providers import providers_in_environment, running_ollama
from tests.fakes.openai_server import OpenAIServer

VARIABLES = ("OPENAI", "ANTHROPIC", "GEMINI", "GOOGLE", "MISTRAL", "GROQ", "OPENROUTER", "DEEPSEEK")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(f"{name}_API_KEY", raising=False)


def test_without_keys_no_provider_is_offered() -> None:
    assert providers_in_environment() == []


def test_a_provider_whose_key_is_set_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "synthetic")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "synthetic")

    assert [choice.model.partition("/")[0] for choice in providers_in_environment()] == ["anthropic", "groq"]


def test_an_empty_variable_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")

    assert providers_in_environment() == []


def test_either_variable_of_gemini_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "synthetic")

    assert [choice.model.partition("/")[0] for choice in providers_in_environment()] == ["gemini"]


def test_the_models_of_a_running_ollama_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer() as server:
        server.models = ["llama3.2:latest", "qwen3:4b"]
        monkeypatch.setenv("OLLAMA_HOST", server.origin.removeprefix("http://"))

        found = running_ollama()

    assert [choice.model for choice in found] == ["ollama_chat/llama3.2:latest", "ollama_chat/qwen3:4b"]
    assert {choice.api_base for choice in found} == {server.origin}


def test_no_ollama_offers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")

    assert running_ollama() == []


@pytest.mark.parametrize("host", ["nonsense host", "http://127.0.0.1:notaport", "0.0.0.0:9", "::"])
def test_an_odd_address_of_ollama_offers_nothing(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("OLLAMA_HOST", host)

    assert running_ollama() == []


def test_something_else_at_the_address_of_ollama_offers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer() as server:
        monkeypatch.setenv("OLLAMA_HOST", f"{server.origin}/elsewhere")

        assert running_ollama() == []


def test_looking_for_providers_does_not_import_litellm() -> None:
    code = "import sys; from chatmem.adapters.litellm import providers, chat_model; sys.exit('litellm' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
