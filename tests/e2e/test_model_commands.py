"""Commands about models, profiles and settings, run as a user runs them, against a real server on loopback."""

import json
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.home import Home
from tests.fakes.openai_server import Answer, OpenAIServer

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(always="ready") as server:
        yield server


@pytest.fixture
def place(home: Home, server: OpenAIServer) -> Home:
    """A home whose settings name the server on loopback, and where no other server is found."""
    home.env |= {"FAKE_KEY": "fake-key-for-tests", "OLLAMA_HOST": NOWHERE, "LM_STUDIO_API_BASE": NOWHERE}
    (home.folder / "config.toml").write_text(
        f'# mine\nmodel = "fake"\n[providers.fake]\nmodel = "openai/fake"\napi_base = "{server.base_url}"\n'
        'api_key_env = "FAKE_KEY"\n'
    )
    return home


def settings(place: Home) -> dict[str, Any]:
    return tomllib.loads((place.folder / "config.toml").read_text())


def test_models_are_listed_with_their_facts_the_last_used_first(place: Home) -> None:
    place.env["GROQ_API_KEY"] = "synthetic"
    place.run("ask", "Hello")

    listed = place.run("models", "list", "--json").json()

    first, groq = listed["models"][0], next(m for m in listed["models"] if m["provider"] == "Groq")
    assert (first["name"], first["used"], listed["current"]) == ("fake", True, "fake")
    assert groq["context_tokens"] > 100_000
    assert groq["tools"]
    assert 0 < groq["prompt_usd"] < groq["completion_usd"]
    assert {"tiny" in e["name"] or e["licence"] for e in listed["store"]} == {"Apache-2.0"}


def test_a_list_for_people_fits_100_cells_and_shows_the_first_few(place: Home) -> None:
    place.env["OPENAI_API_KEY"] = "synthetic"

    few, every = place.run("models", "list").out, place.run("models", "list", "--all").out

    assert max(len(line) for line in every.splitlines()) <= 100
    assert "more: `chatmem models list --all`" in few
    assert few.count("openai/") < every.count("openai/")
    assert "* fake" in few


def test_a_check_says_what_a_model_answers_and_how_fast(place: Home) -> None:
    ran = place.run("models", "check")

    assert ran.out.startswith("fake answers: ready (")
    assert "s to the first word)" in ran.out


def test_a_check_that_fails_says_why_without_the_key(place: Home, server: OpenAIServer) -> None:
    server.replies.append(Answer(status=401, error="wrong key fake-key-for-tests"))

    ran = place.run("models", "check", "fake")

    assert ran.code == 4
    assert "key" in ran.err
    assert "fake-key-for-tests" not in ran.err


def test_a_model_that_is_used_is_the_one_from_then_on(place: Home) -> None:
    place.run("models", "use", "groq/some-model")

    assert settings(place)["model"] == "groq/some-model"
    assert place.run("models", "list", "--json").json()["current"] == "groq/some-model"


def test_a_built_in_model_that_was_not_fetched_is_used_with_a_word_on_that(place: Home) -> None:
    ran = place.run("models", "use", "smollm2-135m")

    assert (ran.code, ran.out.strip()) == (0, "From now on: builtin/smollm2-135m")
    assert "`chatmem models pull smollm2-135m`" in ran.err


def test_a_setting_is_changed_with_its_type_and_the_file_keeps_its_comments(place: Home) -> None:
    assert place.run("config", "set", "recall.budget_tokens", "900").code == 0
    assert place.run("config", "set", "prompt.vi", "true").code == 0

    assert settings(place)["recall"]["budget_tokens"] == 900
    assert settings(place)["prompt"]["vi"] is True
    assert (place.folder / "config.toml").read_text().startswith("# mine\n")
    assert place.run("config", "get", "recall.budget_tokens").out.strip() == "900"


def test_a_variable_that_wins_over_what_was_set_is_named(place: Home) -> None:
    place.env["CHATMEM_THEME"] = "chatmem-light"

    ran = place.run("config", "set", "theme", "chatmem-dark")

    assert (ran.code, "CHATMEM_THEME" in ran.err) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("config", "set", "recall.budget_token", "1"), 2, "recall.budget_tokens"),
        (("config", "set", "recall.budget_tokens", "-1"), 2, "at least 0"),
        (("config", "set", "providers.fake.api_key", "sk-synthetic4711"), 2, "api_key_env"),
        (("config", "set", "providers.fake.fallback", "fake"), 2, "circle"),
        (("config", "get", "nonsense"), 3, "nonsense"),
        (("models", "use", " "), 2, "needs a name"),
        (("models", "use", "nobody"), 4, "provider/model"),
        (("models", "use", "nobody/some-model"), 4, "provider/model"),
        (("models", "use", "builtin/nobody"), 3, "nobody"),
        (("models", "check", "nobody"), 4, "provider/model"),
    ],
)
def test_wrong_input_changes_nothing_and_gets_a_sentence(
    place: Home, arguments: tuple[str, ...], code: int, says: str
) -> None:
    before = settings(place)

    ran = place.run(*arguments)

    assert (ran.code, says in ran.err) == (code, True), ran.err
    assert "4711" not in ran.err
    assert settings(place) == before


def test_no_key_is_shown_with_the_settings(place: Home) -> None:
    place.run("config", "set", "providers.fake.headers.X-Gateway", "secret-of-the-gateway")
    place.run("config", "set", "providers.other.model", "openai/x")
    place.run("config", "set", "providers.other.api_key_command", "echo sk-synthetic4711")

    for command in (("config", "show"), ("config", "show", "--json"), ("doctor",)):
        shown = place.run(*command).out
        assert "secret-of-the-gateway" not in shown
        assert "4711" not in shown


def test_a_header_is_sent_to_the_provider(place: Home, server: OpenAIServer) -> None:
    place.run("config", "set", "providers.fake.headers.X-Gateway", "blue")

    place.run("ask", "Hello")

    assert server.requests[-1].headers["x-gateway"] == "blue"


def test_a_key_comes_from_a_command(place: Home, server: OpenAIServer) -> None:
    place.run("config", "set", "providers.fake.api_key_env", "")
    place.run("config", "set", "providers.fake.api_key_command", "echo synthetic-from-command")

    assert place.run("ask", "Hello").code == 0

    assert server.requests[-1].headers["authorization"] == "Bearer synthetic-from-command"


def test_a_key_that_no_keyring_holds_is_named_with_the_cure(place: Home) -> None:
    place.env["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
    place.run("config", "set", "providers.fake.api_key_env", "")
    place.run("config", "set", "providers.fake.api_key_keyring", "fake")

    ran, findings = place.run("ask", "Hello"), place.run("doctor", "--json")

    assert (ran.code, "no keyring" in ran.err) == (4, True), ran.err
    keys = next(f for f in json.loads(findings.out) if f["check"] == "keys")
    assert (keys["ok"], "api_key_env" in keys["cure"]) == (False, True)


def test_a_spent_budget_for_chat_is_said_and_counted(place: Home) -> None:
    place.run("config", "set", "chat.tokens_per_day", "10")
    first = place.run("ask", "Hello")

    second = place.run("ask", "Hello again")

    chat, background = place.run("stats", "--json").json()["today"]
    assert (first.code, second.code) == (0, 5)
    assert "10 tokens" in second.err
    assert (chat["role"], chat["tokens"] >= 10, chat["tokens_per_day"]) == ("chat", True, 10)
    assert (background["role"], background["tokens"], background["usd_per_day"]) == ("background", 0, None)
    assert "of 10 tokens" in place.run("stats").out
