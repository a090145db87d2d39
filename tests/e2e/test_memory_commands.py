"""What asks for the person's word in memory, and what takes a change back, as commands."""

import json
import shutil

from tests.e2e.home import Home


def last_change(home: Home) -> str:
    change = home.run("memory", "changes", "--json", "--limit", "1").json()[0]
    return str(change["id"])


def statuses(home: Home) -> dict[str, str]:
    return {memory["text"]: memory["status"] for memory in home.run("memory", "list", "--json").json()}


def test_a_change_is_shown_undone_and_done_again(home: Home) -> None:
    home.run("memory", "add", "I live in Ghent.")
    home.run("memory", "add", "I live in Antwerp.")
    moved = last_change(home)
    assert "status: active -> superseded" in home.run("memory", "changes").out

    home.run("memory", "undo", moved)
    assert statuses(home) == {"I live in Ghent.": "active"}
    assert home.run("memory", "undo", moved).code == 5

    home.run("memory", "undo", last_change(home))
    assert statuses(home) == {"I live in Ghent.": "superseded", "I live in Antwerp.": "active"}


def test_what_was_taken_back_is_forgotten_with_all_the_rest(home: Home) -> None:
    home.run("memory", "add", "I live in Ghent.")
    home.run("memory", "undo", last_change(home))

    proof = home.run("memory", "forget", "--all", "--yes", "--json").json()

    assert (proof["erased"], proof["residue"]) == (1, 0)


def test_a_contradiction_waits_until_it_is_settled(home: Home) -> None:
    (home.folder / "config.toml").write_text('[consolidation]\nconflicts = "ask"\n')
    home.run("memory", "add", "I live in Ghent.")
    home.run("memory", "add", "I live in Antwerp.")
    (conflict,) = home.run("memory", "conflicts", "--json").json()
    assert conflict["new"]["status"] == "pending"

    settled = home.run("memory", "resolve", conflict["new"]["id"], "--keep", "new", "--json").json()

    assert [memory["status"] for memory in settled] == ["active", "superseded"]
    assert home.run("memory", "conflicts", "--json").json() == []


def test_memories_are_retired_and_restored(home: Home) -> None:
    memory = home.run("memory", "add", "I row.", "--json").json()

    home.run("memory", "retire", memory["id"])
    assert statuses(home) == {"I row.": "retired"}
    home.run("memory", "restore", memory["id"])

    assert statuses(home) == {"I row.": "active"}
    assert home.run("memory", "accept", memory["id"]).code == 2
    assert json.loads(home.run("memory", "stale", "--json").out) == []
    assert home.run("memory", "prune", "--yes", "--json").json() == []


def test_memories_are_there_after_the_index_was_lost(home: Home) -> None:
    home.run("memory", "add", "I row.")
    shutil.rmtree(home.folder / "data" / "profiles" / "default" / "memories.lance")

    assert statuses(home) == {"I row.": "active"}


def test_a_memory_is_split_merged_and_filed_elsewhere_and_all_of_it_is_undone(home: Home) -> None:
    both = home.run("memory", "add", "I live in Porto and work as a nurse.", "--json").json()

    parts = home.run("memory", "split", both["id"], "I live in Porto.", "I work as a nurse.", "--json").json()
    ids = [part["id"] for part in parts]
    whole = home.run("memory", "merge", *ids, "--text", "I nurse in Porto.", "--json").json()
    filed = home.run("memory", "edit", whole[0]["id"], "--kind", "episode", "--slot", "occupation", "--json").json()

    assert (filed["text"], filed["kind"], filed["slot"]) == ("I nurse in Porto.", "episodic", "occupation")
    assert list(statuses(home).values()).count("active") == 1
    for _ in range(3):
        home.run("memory", "undo", first_done(home))
    assert statuses(home) == {both["text"]: "active"}


def first_done(home: Home) -> str:
    """The newest change that was not taken back."""
    changes = home.run("memory", "changes", "--json").json()
    undone = {change["undoes"] for change in changes}
    return str(next(change["id"] for change in changes if change["cause"] != "undo" and change["id"] not in undone))


def test_what_is_called_wrong_may_be_kept_from_being_learned_again(home: Home) -> None:
    memory = home.run("memory", "add", "I row.", "--json").json()

    home.run("memory", "wrong", memory["id"], "--never-again")
    assert statuses(home) == {"I row.": "retired"}
    assert home.run("memory", "add", "I row.").code == 5

    home.run("memory", "undo", last_change(home))
    assert statuses(home) == {"I row.": "active"}
    assert home.run("memory", "add", "I row.").code == 0


def test_an_instruction_added_by_hand_has_its_trigger(home: Home) -> None:
    memory = home.run("memory", "add", "For emails, use short sentences.", "--kind", "procedure", "--json").json()

    assert memory["practice"]["trigger"] == "For emails"
    assert home.run("memory", "edit", memory["id"]).code == 2


def test_memories_are_listed_as_of_a_day(home: Home) -> None:
    home.run("memory", "add", "I row.")

    assert home.run("memory", "list", "--as-of", "2020-01-01", "--json").json() == []
    (memory,) = home.run("memory", "list", "--as-of", "2999-01-01", "--json").json()
    assert memory["text"] == "I row."
