"""`chatmem memory export` and `import`, run as a user runs them."""

from tests.e2e.home import Home


def test_memories_go_to_another_profile_and_are_forgotten_there_for_good(home: Home) -> None:
    (home.folder / "config.toml").write_text("[embedding]\nenabled = false\n")
    home.run("memory", "add", "I row on the Douro.")
    home.run("memory", "export", "all.jsonl")
    elsewhere = ("--profile", "elsewhere", "memory")

    asked = home.run(*elsewhere, "import", "all.jsonl")
    taken = home.run(*elsewhere, "import", "all.jsonl", "--yes", "--json").json()
    (memory,) = home.run(*elsewhere, "list", "--json").json()
    proof = home.run(*elsewhere, "forget", memory["id"], "--yes", "--json").json()
    again = home.run(*elsewhere, "import", "all.jsonl", "--yes", "--json").json()

    assert (asked.code, "Add --yes" in asked.err) == (2, True)
    assert (taken["imported"], memory["imported_from"]) == (1, "all.jsonl")
    assert (proof["erased"], proof["residue"]) == (1, 0)
    assert (again["imported"], again["counts"]["forgotten"]) == (0, 1)


def test_a_file_that_is_no_export_is_named_and_ends_with_the_code_of_wrong_usage(home: Home) -> None:
    (home.folder / "x.jsonl").write_text("hello")

    ran = home.run("memory", "import", "x.jsonl", "--yes")

    assert (ran.code, ran.out) == (2, "")
    assert "no format that chatmem reads" in ran.err
