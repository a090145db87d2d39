"""What is never kept, and what waits, run as a user runs it."""

import random
import string
from pathlib import Path

import pytest

from tests.e2e.home import Home
from tests.fakes.openai_server import OpenAIServer

TOKEN = "gh" + "p_" + "".join(random.Random(3).choices(string.ascii_letters + string.digits, k=36))
"""Put together at run time, so that none stands in a file."""


@pytest.fixture
def place(home: Home, server: OpenAIServer) -> Home:
    """A home with one model, which says again what it is told."""
    home.env["FAKE_KEY"] = "fake-key-for-tests"
    (home.folder / "config.toml").write_text(
        'model = "fake"\n[consolidation]\nextractor = "rules"\n[embedding]\nenabled = false\n'
        f'[providers.fake]\nmodel = "openai/fake"\napi_base = "{server.base_url}"\napi_key_env = "FAKE_KEY"\n'
    )
    return home


def files_with(word: str, folder: Path) -> list[Path]:
    """The files in which a word can be read."""
    return [file for file in folder.rglob("*") if file.is_file() and word.encode() in file.read_bytes()]


def sent(server: OpenAIServer) -> str:
    return str(server.requests[-1].body["messages"][-1])


def test_a_secret_reaches_neither_the_disk_nor_the_model_and_is_counted(place: Home, server: OpenAIServer) -> None:
    ran = place.run("ask", f"why is {TOKEN} refused?")
    stats = place.run("stats", "--json").json()

    assert "Taken out before anything was kept or sent: GitHub token." in ran.err
    assert "why is [GitHub token removed] refused?" in sent(server)
    assert stats["blocked"] == {"GitHub token": 1}
    assert files_with(TOKEN, place.folder) == []


def test_a_secret_that_is_let_through_once_reaches_the_model_and_not_the_disk(
    place: Home, server: OpenAIServer
) -> None:
    ran = place.run("ask", "--let-secrets-through", f"why is {TOKEN} refused?")
    was_sent = sent(server)
    place.run("ask", "--continue", "and now?")

    assert "not kept: GitHub token." in ran.err
    assert TOKEN in was_sent
    assert TOKEN not in str(server.requests[-1].body)
    assert files_with(TOKEN, place.folder) == []


def test_memories_by_hand_and_imports_are_kept_without_secrets(place: Home) -> None:
    file = place.folder.parent / "talk.json"
    place.run("ask", "Hello")
    session = place.run("sessions", "list", "--json").json()[0]["id"]
    place.run("sessions", "export", session, str(file))
    file.write_text(file.read_text().replace("Hello", f"Hello, {TOKEN}").replace(session, "another"))

    added = place.run("memory", "add", f"The token of staging is {TOKEN}", "--json").json()
    imported = place.run("sessions", "import", str(file), "--json").json()

    assert added["text"] == "The token of staging is [GitHub token removed]"
    assert imported["removed"] >= 1
    assert files_with(TOKEN, place.folder) == []


def test_what_is_sensitive_waits_for_the_person_as_it_was_set(place: Home) -> None:
    config = place.folder / "config.toml"
    config.write_text(config.read_text() + '[policy]\nfinancial = "never"\n')
    place.run("ask", "I am a type 1 diabetic. My salary is 61k euros. I live in Porto.")

    place.run("consolidate", "--wait")

    memories = place.run("memory", "list", "--json").json()
    listed = memories if isinstance(memories, list) else memories["memories"]
    pending = place.run("memory", "list", "--status", "pending", "--json").json()
    waiting = pending if isinstance(pending, list) else pending["memories"]
    assert ["diabetic" in memory["text"] for memory in waiting] == [True]
    assert any("Porto" in memory["text"] for memory in listed)
    assert not any("salary" in memory["text"] for memory in [*listed, *waiting])
