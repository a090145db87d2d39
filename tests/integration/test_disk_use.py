"""How many bytes of the files no row needs any more."""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chatmem.adapters.lancedb.dead import dead_bytes
from chatmem.adapters.sqlite.database import Database
from chatmem.domain.errors import StoreError

if TYPE_CHECKING:
    from lancedb.table import Table

ROWS = 500


def a_table(folder: Path) -> "Table":
    import lancedb

    rows = [{"id": str(number), "text": f"word {number}"} for number in range(ROWS)]
    return lancedb.connect(folder).create_table("memories", rows)


def test_a_new_table_holds_nothing_dead(tmp_path: Path) -> None:
    a_table(tmp_path / "store")

    assert dead_bytes(tmp_path) == 0


def test_what_was_replaced_is_dead_until_it_is_cleaned_up(tmp_path: Path) -> None:
    table = a_table(tmp_path / "store")
    table.update(values_sql={"text": "'x'"})
    before = dead_bytes(tmp_path)
    table.optimize(cleanup_older_than=timedelta(milliseconds=1), delete_unverified=True)

    assert before > ROWS
    assert dead_bytes(tmp_path) == 0


def test_a_folder_without_tables_holds_nothing_dead(tmp_path: Path) -> None:
    assert dead_bytes(tmp_path / "missing") == 0


def test_a_damaged_table_is_told(tmp_path: Path) -> None:
    a_table(tmp_path / "store")
    for manifest in (tmp_path / "store" / "memories.lance" / "_versions").iterdir():
        manifest.write_bytes(b"nonsense")

    with pytest.raises(StoreError, match="could not be read"):
        dead_bytes(tmp_path)


def test_rows_that_were_erased_leave_free_bytes_until_the_file_is_scrubbed(tmp_path: Path) -> None:
    with Database(tmp_path / "sessions.db") as database:
        with database.writing() as statements:
            statements.execute("CREATE TABLE words (text TEXT)")
            for number in range(ROWS):
                statements.execute("INSERT INTO words VALUES (?)", f"{number} " * 100)
            statements.execute("DELETE FROM words")
        before = database.free_bytes()
        database.scrub()

        assert before > ROWS * 100
        assert database.free_bytes() == 0
