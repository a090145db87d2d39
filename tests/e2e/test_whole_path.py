"""The whole path in a real terminal, with the real small models: told, recalled, looked at, switched, forgotten."""

import os
import re
import signal
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.home import Home
from tests.e2e.terminal import Terminal
from tests.fakes.openai_server import Answer, OpenAIServer

ANA = "Hi, I'm Ana. I live in Porto and I'm allergic to peanuts."
ENTER, ESCAPE, LEAVE = "\r", "\x1b", "\x11"
MEMORIES, MODELS = "\x1bOQ", "\x1b[15~"
READY = "Say something."


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(always="The fake server answers.") as server:
        yield server


@pytest.fixture
def place(home_with_models: Home, server: OpenAIServer) -> Home:
    """A home with a short-spoken built-in model and another provider to switch to."""
    home = home_with_models
    del home.env["CHATMEM_MODEL"]
    home.env["FAKE_KEY"] = "fake-key-for-tests"
    (home.folder / "config.toml").write_text(
        'model = "smollm2-135m"\n[working_memory]\nreply_tokens = 24\n'
        f'[providers.elsewhere]\nmodel = "openai/fake"\napi_base = "{server.base_url}"\napi_key_env = "FAKE_KEY"\n'
    )
    return home


def app(home: Home, *arguments: str, columns: int = 150, lines: int = 45) -> Terminal:
    return Terminal([sys.executable, "-m", "chatmem", *arguments], home.variables, columns=columns, lines=lines)


def replies(home: Home) -> list[tuple[str, str]]:
    """Status and text of all replies, straight from the file."""
    file = home.folder / "data" / "profiles" / "default" / "sessions.db"
    with closing(sqlite3.connect(file)) as database:
        return database.execute("SELECT status, text FROM turns WHERE role = 'assistant' ORDER BY rowid").fetchall()


def wait_for_replies(home: Home, count: int, *, timeout_s: float = 90) -> None:
    """Wait until so many replies have come to their end."""
    until = time.monotonic() + timeout_s
    while [status for status, _ in replies(home)].count("complete") < count:
        assert time.monotonic() < until, replies(home)
        time.sleep(0.1)


def tell(place: Home) -> None:
    """One run of the app, in which something is told."""
    with app(place) as terminal:
        terminal.wait_for(READY)
        terminal.type(ANA)
        terminal.wait_for("allergic to peanuts.")
        terminal.type(ENTER)
        wait_for_replies(place, 1)
        terminal.type(LEAVE)
        terminal.wait_for_end()


def ask_and_switch(place: Home, terminal: Terminal) -> None:
    """Ask the built-in model, then another one in the same conversation."""
    terminal.wait_for(READY)
    terminal.wait_for("loading")
    terminal.wait_until_gone("loading", "opening")
    terminal.type("Which snack should I avoid at a party?" + ENTER)
    terminal.wait_for("I'm allergic to peanuts.")
    wait_for_replies(place, 2)
    terminal.type(MODELS)
    terminal.wait_for("Your profiles")
    terminal.type("elsewhere")
    terminal.type(ENTER)
    terminal.wait_for("elsewhere ━")
    terminal.type("And what can I bring?" + ENTER)
    terminal.wait_for("The fake server answers.", timeout_s=90)


def forget_peanuts(terminal: Terminal) -> None:
    """Erase a memory on the memory screen."""
    terminal.type(MEMORIES)
    terminal.wait_for("3 memories")
    # The keys below the list go away when the search has the focus, and come back.
    terminal.wait_for("Space Mark")
    terminal.type("/")
    terminal.wait_until_gone("Space Mark")
    terminal.type("peanuts")
    terminal.wait_for("found")
    terminal.type(ENTER)
    terminal.wait_for("Space Mark")
    terminal.type("f")
    terminal.wait_for("will be erased")
    terminal.type("y")
    terminal.wait_for("0 traces")


def test_what_is_told_in_one_run_is_recalled_in_the_next_looked_at_and_forgotten(
    place: Home, server: OpenAIServer
) -> None:
    tell(place)

    with app(place) as terminal:
        ask_and_switch(place, terminal)
        forget_peanuts(terminal)
        terminal.type(LEAVE)
        terminal.wait_for_end()

    messages = [message["content"] for message in server.requests[-1].body["messages"]]
    assert any("Which snack should I avoid" in message for message in messages)
    assert place.files_holding("peanut") == []
    assert [memory["text"] for memory in place.run("memory", "list", "--json").json()] != []


def test_a_killed_app_has_lost_at_most_a_second_of_the_answer(place: Home, server: OpenAIServer) -> None:
    server.replies.append(Answer(text=" ".join(f"word{number}" for number in range(400)), pace_s=0.02))
    with app(place, "--model", "elsewhere") as terminal:
        terminal.wait_for(READY)
        terminal.type("Tell me" + ENTER)
        shown = terminal.wait_for("word120")
        os.kill(terminal.process.pid, signal.SIGKILL)
    last_shown = max(int(number) for number in re.findall(r"word(\d+)", shown))

    (_, text), *_ = replies(place)
    until = time.monotonic() + 30
    while replies(place)[0][0] != "interrupted":
        assert time.monotonic() < until, replies(place)
        place.run("sessions", "list")
    with app(place, "--continue") as terminal:
        terminal.wait_for("nterrupted")

    # A second of this stream is 50 words.
    assert max(int(number) for number in re.findall(r"word(\d+)", text)) >= last_shown - 50


def test_an_incognito_conversation_leaves_nothing_behind(place: Home) -> None:
    with app(place, "--model", "elsewhere", "--incognito") as terminal:
        terminal.wait_for("Incognito")
        terminal.type("My secret word is zanzibar." + ENTER)
        terminal.wait_for("The fake server answers.")
        terminal.type(LEAVE)
        terminal.wait_for_end()

    assert place.files_holding("zanzibar") == []
    assert place.run("sessions", "list", "--json").json() == []


def test_it_opens_on_a_small_screen_and_without_a_model(home: Home) -> None:
    with app(home, columns=80, lines=24) as terminal:
        terminal.wait_for("Which model do you want to talk to?")
        terminal.type(ESCAPE)
        terminal.wait_for("no model chosen")
        terminal.type(LEAVE)
        terminal.wait_for_end()


def test_the_built_in_server_ends_with_the_app_that_was_killed(place: Home, models: Path) -> None:
    with app(place) as terminal:
        terminal.wait_for(READY)
        terminal.type("Hello" + ENTER)
        wait_for_replies(place, 1)
        os.kill(terminal.process.pid, signal.SIGKILL)

    assert place.run("ask", "Hello again").code == 0
