"""`chatmem memory export` and `import`, run as a user runs them."""

from tests.e2e.home import Home


def test_a_file_that_is_no_export_is_named_and_ends_with_the_code_of_wrong_usage(home: Home) -> None:
    (home.folder / "x.jsonl").write_text("hello")

    ran = home.run("memory", "import", "x.jsonl", "--yes")

    assert (ran.code, ran.out) == (2, "")
    assert "no format that chatmem reads" in ran.err
