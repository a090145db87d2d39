"""Which providers are found without any configuration."""

import subprocess
import sys
from itertools import groupby

import pytest

from chatmem.adapters.litellm.local_servers import LocalServers
from chatmem.adapters.litellm.providers import note, providers_in_environment, title
from chatmem.domain.model import ModelChoice
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.web_server import HUNG, WebServer

KEYS = (
    *("OPENAI", "ANTHROPIC", "GEMINI", "GOOGLE", "MISTRAL", "GROQ", "OPENROUTER", "DEEPSEEK", "XAI", "COHERE"),
    *("TOGETHERAI", "FIREWORKS", "FIREWORKS_AI", "PERPLEXITYAI", "AZURE"),
)
OTHERS = (
    *("AZURE_API_BASE", "AZURE_API_VERSION", "AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_BEARER_TOKEN_BEDROCK"),
    *("AWS_REGION_NAME", "VERTEXAI_PROJECT", "VERTEXAI_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS", "OLLAMA_HOST"),
    "LM_STUDIO_API_BASE",
)
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*(f"{key}_API_KEY" for key in KEYS), *OTHERS):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OLLAMA_HOST", NOWHERE)


def offered() -> list[str]:
    return [prefix for prefix, _ in groupby(c.model.partition("/")[0] for c in providers_in_environment())]


def running(lm_studio: str = NOWHERE, llama_cpp: str = NOWHERE, limit_s: float = 20) -> list[ModelChoice]:
    return LocalServers(lm_studio=lm_studio, llama_cpp=llama_cpp, limit_s=limit_s).running()


def test_without_keys_no_provider_is_offered() -> None:
    assert offered() == []


def test_the_models_of_a_provider_whose_key_is_set_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "synthetic")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "synthetic")

    assert offered() == ["anthropic", "groq"]
    assert len(providers_in_environment()) > 10


def test_every_provider_begins_with_a_good_model_and_offers_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in KEYS:
        monkeypatch.setenv(f"{key}_API_KEY", "synthetic")
    for name in ("AWS_PROFILE", "VERTEXAI_PROJECT"):
        monkeypatch.setenv(name, "synthetic")

    models = [choice.model for choice in providers_in_environment()]

    assert len(offered()) == 15
    assert len(models) == len(set(models))
    assert models[0] == "openai/gpt-6.1-sol"


def test_an_empty_variable_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")

    assert offered() == []


def test_either_variable_of_gemini_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "synthetic")

    assert offered() == ["gemini"]


def test_what_a_provider_needs_beside_the_key_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_API_KEY", "synthetic")
    missing_both = note("azure/gpt-6.1-sol")
    monkeypatch.setenv("AZURE_API_BASE", "https://synthetic.example")

    assert missing_both.startswith("set AZURE_API_BASE and AZURE_API_VERSION too; ")
    assert note("azure/gpt-6.1-sol").startswith("set AZURE_API_VERSION too; ")
    assert "AWS_REGION_NAME" in note("bedrock/x")
    assert "VERTEXAI_LOCATION" in note("vertex_ai/x")
    assert note("openai/x") == note("nobody/x") == ""


def test_a_provider_is_called_what_people_call_it() -> None:
    assert [title(f"{prefix}/x") for prefix in ("openai", "xai", "llamafile", "ollama_chat", "odd")] == [
        "OpenAI",
        "xAI",
        "llama.cpp",
        "Ollama",
        "odd",
    ]


def test_the_models_of_a_running_ollama_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer() as server:
        server.models = ["llama3.2:latest", "nomic-embed-text", "qwen3:4b"]
        monkeypatch.setenv("OLLAMA_HOST", server.origin.removeprefix("http://"))

        found = running()

    assert [choice.model for choice in found] == ["ollama_chat/llama3.2:latest", "ollama_chat/qwen3:4b"]
    assert {choice.api_base for choice in found} == {server.origin}


def test_the_models_of_lm_studio_and_llama_cpp_are_offered_and_known_by_name_later() -> None:
    with OpenAIServer() as server:
        server.models = ["google/gemma-4", "text-embedding-small"]
        found = running(lm_studio=server.origin, llama_cpp=server.origin)
    later = LocalServers(lm_studio=server.origin, llama_cpp=server.origin)

    assert [(choice.name, choice.model) for choice in found] == [
        ("lm_studio/google/gemma-4", "lm_studio/google/gemma-4"),
        ("llama.cpp/google/gemma-4", "llamafile/google/gemma-4"),
    ]
    assert {choice.api_base for choice in found} == {server.base_url}
    assert [later.served(choice.name) for choice in found] == found


@pytest.mark.parametrize("file", ["/models/Llama-3.2.Q4.gguf", "..\\models\\Llama-3.2.Q4.gguf", "Llama-3.2.Q4"])
def test_a_model_that_is_named_by_its_file_is_called_without_the_folder(file: str) -> None:
    with OpenAIServer() as server:
        server.models = [file]

        assert [choice.name for choice in running(llama_cpp=server.origin)] == ["llama.cpp/Llama-3.2.Q4"]


@pytest.mark.parametrize("name", ["openai/gpt", "llama.cpp", "lm_studio/", "ollama_chat/llama3"])
def test_other_names_are_no_models_of_these_servers(name: str) -> None:
    assert LocalServers().served(name) is None


def test_no_server_offers_nothing() -> None:
    assert running() == []


@pytest.mark.parametrize("host", ["nonsense host", "http://127.0.0.1:notaport", "0.0.0.0:9", "::"])
def test_an_odd_address_of_ollama_offers_nothing(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("OLLAMA_HOST", host)

    assert running() == []


@pytest.mark.parametrize(
    "body",
    ["<html>It works!</html>", "[]", '{"data": 3}', '{"data": [3]}', '{"data": [{"id": 7}]}', '{"data": [{}]}', ""],
)
def test_a_server_of_something_else_offers_nothing(monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    with WebServer(body) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.origin)

        assert running(lm_studio=server.origin, llama_cpp=server.origin) == []


def test_a_server_that_sends_elsewhere_is_not_followed() -> None:
    with OpenAIServer() as models, WebServer("", location=f"{models.base_url}/models") as server:
        assert running(llama_cpp=server.origin) == []


def test_servers_that_never_answer_do_not_hold_up_the_others() -> None:
    with OpenAIServer() as server, WebServer(HUNG) as hung:
        found = running(lm_studio=hung.origin, llama_cpp=server.origin, limit_s=1.0)

    assert [choice.name for choice in found] == ["llama.cpp/fake"]


def test_looking_for_providers_does_not_import_litellm() -> None:
    code = "import sys; from chatmem.adapters.litellm import providers, chat_model; sys.exit('litellm' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
