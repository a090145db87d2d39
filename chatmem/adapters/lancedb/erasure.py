"""Making erased rows vanish from the files of a table, and looking for what is left."""

from collections.abc import Collection, Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from chatmem.domain.text import normalised

if TYPE_CHECKING:
    from lancedb.table import Table

AT_ONCE = timedelta(milliseconds=1)
"""The least age of what is cleaned up; for zero LanceDB puts a warning on the screen."""

ROUNDS = 5


def index_words(table: "Table") -> None:
    """Build the full text index anew."""
    from lancedb.index import FTS

    # The words come folded and divided, see `words`.
    tokens = FTS(base_tokenizer="whitespace", lower_case=False, ascii_folding=False, max_token_length=None)
    table.create_index("words", config=tokens, replace=True)


def rewrite(table: "Table") -> None:
    """Replace every file by one that holds live rows only.

    Deleting rows marks them, compaction skips fragments with few of them, an index keeps the words it has seen, and old
    versions keep everything; a change to all rows, a new index and a clean-up leave nothing of that.
    """
    table.update(values_sql={"id": "id"})
    index_words(table)
    for _ in range(ROUNDS):
        table.optimize(cleanup_older_than=AT_ONCE, delete_unverified=True)
        if len(table.list_versions()) == 1:
            return


def lasting_files(folder: Path) -> frozenset[Path]:
    """The files below a table's folder, but the hint, a number that LanceDB overwrites in place."""
    return frozenset(path for path in folder.rglob("*") if path.is_file() and path.name != "latest_version_hint.json")


def occurrences(texts: Iterable[str], needles: Collection[str]) -> int:
    """How often one of the texts holds one of the (normalised) needles."""
    return sum(needle in folded for folded in map(normalised, texts) for needle in needles)


def raw_occurrences(files: Iterable[Path], needles: Collection[str]) -> int:
    """How many of the files' bytes hold one of the (normalised) needles as UTF-8; compressed text is not seen."""
    wanted = [needle.encode() for needle in needles]
    return sum(needle in content for content in (path.read_bytes().lower() for path in files) for needle in wanted)


def stored_texts(table: "Table") -> Iterator[str]:
    """Every text in every row of the version that the table is checked out at."""
    texts_only = [name for name in table.schema.names if name != "vector"]
    for row in table.search().select(texts_only).to_arrow().to_pylist():
        yield from _texts(row)


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for item in value.values():
                yield from _texts(item)
        case list():
            for item in value:
                yield from _texts(item)
