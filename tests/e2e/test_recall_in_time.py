"""What was known and held at a time, asked of a real store: `since:`, `before:`, `as-of:` and `--as-of`."""

import json
from collections.abc import Sequence

import pytest

from tests.e2e.home import Home

SAID = (
    ("2025-01-10T09:00:00Z", "I live in Ghent."),
    ("2025-03-05T09:00:00Z", "I have a dog called Rex."),
    ("2025-06-10T09:00:00Z", "I moved. I live in Ostend now."),
)


def conversation(number: int, at: str, text: str) -> dict[str, object]:
    messages = [
        {"uuid": f"m{number}a", "sender": "human", "text": text, "created_at": at},
        {"uuid": f"m{number}b", "sender": "assistant", "text": "Noted.", "created_at": at},
    ]
    return {"uuid": f"c{number}", "name": f"Talk {number}", "created_at": at, "chat_messages": messages}


@pytest.fixture
def lived(home: Home) -> Home:
    """A home in which somebody moved, told in three conversations over half a year."""
    file = home.folder / "conversations.json"
    file.write_text(json.dumps([conversation(number, *said) for number, said in enumerate(SAID)]))
    imported = home.run("sessions", "import", str(file))
    assert imported.code == 0, imported.err
    learned = home.run("consolidate", "--wait", "--extractor", "rules")
    assert learned.code == 0, learned.err
    return home


def found(home: Home, *arguments: str) -> list[str]:
    return [memory["text"] for memory in home.run("memory", "search", *arguments, "--json").json()]


def places(texts: Sequence[str]) -> list[str]:
    return [place for text in texts for place in ("Ghent", "Ostend") if place in text]


def test_a_search_in_time(lived: Home) -> None:
    # One store for all, as it takes seconds to make.
    assert places(found(lived, "where do I live")) == ["Ostend", "Ghent"]

    assert places(found(lived, "where do I live", "--as-of", "2025-02-01")) == ["Ghent"]
    assert places(found(lived, "where do I live", "--as-of", "2025-01-10")) == ["Ghent"]
    assert places(found(lived, "where do I live", "--as-of", "2025-01-09")) == []
    assert places(found(lived, "where do I live", "--as-of", "2025-07-01")) == ["Ostend"]
    assert places(found(lived, "where do I live as-of:2025-02-01")) == ["Ghent"]
    assert places(found(lived, 'where do I live as-of:"10 June 2025"')) == ["Ostend"]

    assert places(found(lived, "where do I live since:2025-05")) == ["Ostend"]
    assert places(found(lived, "where do I live before:2025-05-01")) == ["Ghent"]
    assert found(lived, "dog since:2025-03-05 before:2025-03-06") == ["I have a dog called Rex."]
    assert found(lived, "dog since:2025-04") == []
    assert found(lived, "dog before:2025-03-05") == []


def test_the_parts_that_are_printed_add_up_to_the_score_printed(lived: Home) -> None:
    for memory in lived.run("memory", "search", "where do I live with my dog", "--json").json():
        assert sum(memory["parts"].values()) == pytest.approx(memory["score"], abs=1e-4)

    line = lived.run("memory", "search", "where do I live").out.splitlines()[0]
    score, parts = line.split("  ", 1)[0], line.rsplit("(", 1)[1].rstrip(")").split("  ")
    assert sum(float(part.rsplit(" ", 1)[1]) for part in parts) == pytest.approx(float(score), abs=0.01 * len(parts))
