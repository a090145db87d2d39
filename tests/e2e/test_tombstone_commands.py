"""Tombstones, and turns that keep their words, as a user runs the commands."""

from tests.e2e.home import Home

SAID = "I'm allergic to quagglefruit."


def told(home: Home) -> str:
    """Something that is said and learned; returns the memory's id."""
    (home.folder / "config.toml").write_text("[embedding]\nenabled = false\n")
    added = home.run("memory", "add", SAID, "--json").json()
    return str(added["id"])


def test_a_tombstone_is_listed_without_text_and_removed(home: Home) -> None:
    memory_id = told(home)
    home.run("memory", "forget", memory_id, "--yes")
    refused = home.run("memory", "add", SAID)

    listed = home.run("memory", "tombstones", "--json").json()
    plain = home.run("memory", "tombstones")
    removed = home.run("memory", "tombstones", "--remove", listed[0]["id"], "--json").json()
    unknown = home.run("memory", "tombstones", "--remove", listed[0]["id"])
    learned = home.run("memory", "add", SAID)

    assert refused.code == 5
    assert [one["of"] for one in listed] == ["fact"]
    assert listed[0]["marks"] > 0
    assert "quagglefruit" not in plain.out + str(listed)
    assert removed == []
    assert (unknown.code, unknown.out) == (3, "")
    assert learned.code == 0


def test_forgetting_twice_and_forgetting_what_never_was_are_told_and_change_nothing(home: Home) -> None:
    memory_id = told(home)
    home.run("memory", "forget", memory_id, "--yes")

    again = home.run("memory", "forget", memory_id, "--yes", "--json")
    never = home.run("memory", "forget", "nothing", "--yes", "--json")

    assert (again.code, again.out, never.code, never.out) == (3, "", 3, "")
    assert f"no memory {memory_id}" in again.err
    assert "forgotten already" in again.err
