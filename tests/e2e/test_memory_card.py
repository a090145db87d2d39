"""What is known of the user, as a command."""

from tests.e2e.home import Home


def test_the_card_tells_what_is_known_and_in_how_much_room(home: Home) -> None:
    empty = home.run("memory", "card")
    home.run("memory", "add", "I live in Ghent.")
    home.run("memory", "add", "Always answer in one sentence.", "--kind", "procedure")

    told = home.run("memory", "card").out
    card = home.run("memory", "card", "--json").json()

    assert "Nothing is known of you yet." in empty.err
    assert "Current context  (18 of 1,000 characters)\n- I live in Ghent." in told
    assert [(one["name"], [memory["text"] for memory in one["memories"]]) for one in card["blocks"][:2]] == [
        ("Current context", ["I live in Ghent."]),
        ("Preferences", ["Always answer in one sentence."]),
    ]
    assert card["characters"] <= card["limit"] == 2000
