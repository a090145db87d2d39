"""Profiles share nothing, and an incognito conversation leaves nothing: looked for in every file."""

from tests.e2e.home import Home
from tests.fakes.openai_server import OpenAIServer

ZANZIBAR = "My cat is called Zanzibar."


def files(home: Home) -> dict[str, bytes]:
    """All that stands in the home, whatever it is, but the log, which holds no text."""
    return {
        str(file.relative_to(home.folder)): file.read_bytes()
        for file in home.folder.rglob("*")
        if file.is_file() and file.suffix != ".log"
    }


def test_what_one_profile_knows_the_other_neither_recalls_nor_lists_nor_holds(place: Home) -> None:
    place.run("--profile", "sea", "ask", ZANZIBAR)
    place.run("--profile", "sea", "consolidate", "--wait")

    answer = place.run("--profile", "land", "ask", "What is my cat called?", "--json").json()

    assert answer["recalled"] == []
    assert place.run("--profile", "sea", "memory", "list", "--json").json() != []
    assert place.run("--profile", "land", "memory", "list", "--json").json() == []
    assert len(place.run("--profile", "land", "sessions", "list", "--json").json()) == 1
    assert place.files_holding("zanzibar") != []
    assert all("sea" in file.parts for file in place.files_holding("zanzibar"))


def test_incognito_adds_no_file_and_changes_none(place: Home) -> None:
    place.run("ask", "I live in Porto.")
    before = files(place)

    answer = place.run("ask", "--incognito", ZANZIBAR, "--json").json()

    assert answer["recalled"] == []
    assert files(place) == before


def test_the_provider_sees_no_memory_in_an_incognito_conversation(place: Home, server: OpenAIServer) -> None:
    place.run("ask", ZANZIBAR)
    place.run("consolidate", "--wait")

    place.run("ask", "--incognito", "What is my cat called?")

    assert "Zanzibar" not in str(server.requests[-1].body)
