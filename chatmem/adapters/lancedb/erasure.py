"""Making erased rows vanish from the files of a table, and looking for what is left."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from chatmem.adapters.lancedb.disk import WITH_VECTOR
from chatmem.adapters.lancedb.library import load
from chatmem.domain.sought import Sought
from chatmem.domain.text import normalised

if TYPE_CHECKING:
    import pyarrow as pa
    from lancedb.table import Table

AT_ONCE = timedelta(milliseconds=1)
"""The least age of what is cleaned up; for zero LanceDB puts a warning on the screen."""

READ_LIMIT = timedelta(minutes=2)
"""For a whole table."""

ROUNDS = 5

COMPARED = 500
"""Vectors that are compared one by one: fewer are too few to make an index of."""

NO_CHANCE = 6
"""Letters of a text that stands nowhere by chance: six do in one of ten thousand stores of 100,000 vectors."""

BLOCK_BYTES = 1 << 22

_ROW_END = "\x00"

_LANCE = {".lance", ".manifest", ".txn", ".arrow", ".bin"}
"""Endings of files that LanceDB itself knows when to remove."""


def build_indexes(table: "Table", held_rows: int) -> None:
    """Build every index anew: full text, the status where there is one, which halves the time of a search, and vectors.

    Args:
        table: The table.
        held_rows: Up to so many rows it is held in memory, and its vectors need no index.
    """
    load()
    from lancedb.index import FTS, Bitmap

    # The words come folded and divided, see `words`.
    tokens = FTS(base_tokenizer="whitespace", lower_case=False, ascii_folding=False, max_token_length=None)
    table.create_index("words", config=tokens, replace=True)
    if "status" in table.schema.names:
        table.create_index("status", config=Bitmap(), replace=True)
    if wants_vector_index(table, held_rows):
        build_vector_index(table)


def wants_vector_index(table: "Table", held_rows: int) -> bool:
    """Whether the vectors of a table need an index: it is not held in memory, and comparing all would take long."""
    return bool(table.count_rows() > held_rows and table.count_rows(WITH_VECTOR) > COMPARED)


def build_vector_index(table: "Table") -> None:
    """Build the index of the vectors anew: bits that are compared first, then the vectors of the best."""
    load()
    from lancedb.index import IvfRq

    table.create_index("vector", config=IvfRq(distance_type="cosine"), replace=True)


def rewrite(table: "Table", stale: Iterable[Path], held_rows: int) -> None:
    """Replace every file of the table, which are the `stale` ones, by files that hold live rows only.

    Deleting rows marks them, compaction skips fragments with few of them, an index keeps the words it has seen, and old
    versions keep everything; a change to all rows, a new index and a clean-up leave nothing of that.
    """
    table.update(values_sql={"id": "id"})
    build_indexes(table, held_rows)
    for _ in range(ROUNDS):
        table.optimize(cleanup_older_than=AT_ONCE, delete_unverified=True)
        if len(table.list_versions()) == 1:
            break
    for path in stale:
        if path.suffix not in _LANCE:  # such as data.lance#1, which a writer was killed over
            path.unlink(missing_ok=True)


def occurrences(table: "Table", needles: Sequence[str]) -> int:
    """How often the rows of the version that a table is checked out at hold any of these texts."""
    sought = Sought(needles)
    return sum(sum(sought.in_text(text)) for text in _stored_texts(table)) if sought else 0


def raw_occurrences(files: Iterable[Path], needles: Iterable[str], names: str) -> int:
    """How often a file's bytes hold one of these texts; compressed text is not seen.

    Args:
        files: The files.
        needles: The texts; short ones, which may stand in any bytes by chance, are passed over.
        names: Of the columns, folded, which every file holds.
    """
    rare = Sought(one for one in map(normalised, needles) if len(one) >= NO_CHANCE and one not in names)
    return sum(sum(rare.in_binary(block)) for file in files for block in _blocks(file, rare.reach)) if rare else 0


def _blocks(file: Path, overlap: int) -> Iterator[bytes]:
    with file.open("rb") as stream:
        tail = b""
        while block := stream.read(BLOCK_BYTES):
            yield tail + block
            tail = block[-overlap:]


def _stored_texts(table: "Table") -> Iterator[str]:
    """The texts of each column, vectors left out; each once."""
    others = [name for name in table.schema.names if name != "vector"]
    for column in table.search().select(others).to_arrow(timeout=READ_LIMIT).columns:
        for array in _text_arrays(column):
            yield _ROW_END.join([text for text in array.unique().to_pylist() if text])


def _text_arrays(array: "pa.ChunkedArray") -> "Iterator[pa.ChunkedArray]":
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_string(array.type):
        yield array
    elif pa.types.is_list(array.type):
        yield from _text_arrays(pc.list_flatten(array))
    elif pa.types.is_struct(array.type):
        for at in range(array.type.num_fields):
            yield from _text_arrays(pc.struct_field(array, at))
