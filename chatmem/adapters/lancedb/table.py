"""One Lance table: opened late, written under the lock, read while other windows rewrite it."""

import logging
import shutil
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from chatmem.adapters.lancedb.conditions import descending, named, of_statuses, passing
from chatmem.adapters.lancedb.database import LanceDatabase, contents, make_durable
from chatmem.adapters.lancedb.disk import READ_LIMIT, by_vector_in, by_words_in, likeness_in, narrowed
from chatmem.adapters.lancedb.erasure import (
    build_indexes,
    build_vector_index,
    occurrences,
    raw_occurrences,
    rewrite,
    wants_vector_index,
)
from chatmem.adapters.lancedb.held import HeldRows
from chatmem.adapters.lancedb.lately import Lately
from chatmem.adapters.lancedb.places import Places, State
from chatmem.adapters.lancedb.rows import Row, storable
from chatmem.adapters.lancedb.snapshot import Snapshots
from chatmem.adapters.lancedb.versions import newest_version
from chatmem.adapters.lancedb.words import searchable
from chatmem.domain.errors import ChatMemError, StoreError
from chatmem.domain.recall import Match
from chatmem.ports.embedder import Vector

if TYPE_CHECKING:
    import pyarrow as pa
    from lancedb.expr import Expr
    from lancedb.table import Table

LAYOUT = "5"
"""Version of the tables; to be raised whenever columns, their meaning or the words of the index change."""

TIDY_EVERY = 50
"""Writes after which small files are joined: 1,000 of them would slow a search from 8 to 99 ms."""

TIDY_ROWS = 500
"""Rows outside of the index, of which a table may have more the larger it is: tidying rewrites all of it."""

KEPT = timedelta(seconds=20)
"""How long tidying leaves the files that it replaced to readers that are about to open them."""

NO_VECTOR = "vector IS NULL"

CURE = "`chatmem doctor --repair` rebuilds them from the session log."

Answer = TypeVar("Answer")
Value = TypeVar("Value")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Which rows of a selection, in which order.

    Attributes:
        newest_by: Column of the time that puts the newest first; `None` for no particular order.
        limit: Most rows; `None` for all.
    """

    newest_by: str | None = None
    limit: int | None = None
    offset: int = 0


class LanceTable:
    """A table with the columns `id`, `words`, `vector` and others. Methods block; any thread may call them.

    All raise `StoreError` if the files could not be read or written, and those that write `RefusedError` if another
    window keeps the lock.

    Args:
        database: Where it lies.
        name: How it is called there.
        schema: Makes its columns for vectors of a length.
        packed: Columns that are held in memory beside those that are searched.
    """

    def __init__(
        self, database: LanceDatabase, name: str, schema: "Callable[[int], pa.Schema]", packed: Sequence[str] = ()
    ) -> None:
        self._database = database
        self._name = name
        self._schema = schema
        self._folder = database.folder / f"{name}.lance"
        self._handle: Table | None = None
        self._held = HeldRows(database.held_rows, packed, Snapshots(self._folder, self._marks()))
        self._newest = Lately(lambda: newest_version(self._folder))
        self._opening = threading.Lock()
        self._condemned: frozenset[Path] = frozenset()

    def read(self, query: "Callable[[Table], Answer]", *, otherwise: Answer) -> Answer:
        """The answer to `query`, which may be asked twice; `otherwise` while there is no table."""

        def ask() -> Answer:
            table = self._table()
            return otherwise if table is None else query(table)

        return self._twice(ask)

    def version(self) -> int:
        """A number that grows with every write of any window; 0 while there is no table."""
        with self._faults("read"):
            return self._newest()

    def warm_up(self) -> None:
        """Open the table, which loads LanceDB (1 s): questions can do without, and the first write need not wait."""
        self.read(lambda _: None, otherwise=None)

    def keep(self) -> None:
        """Keep what is held in memory for the next run, where it is not kept yet; waits for no other window.

        Raises:
            RefusedError: If another window writes.
        """
        with self._faults("read"):
            if not self._held.unkept(newest_version(self._folder)):
                return
        with self._database.exclusive(wait=False), self._faults("read"):
            if newest := newest_version(self._folder):
                self._held.keep(newest)

    def select(
        self, make: Callable[[Mapping[str, Any]], Value], columns: Sequence[str], *where: "Expr | str", page: Page
    ) -> list[Value]:
        """What `make` makes of rows; conditions are of `col` and `lit`, or constants."""

        def scan(table: "Table") -> list[Value]:
            query = narrowed(table.search().select(list(columns)), where)
            if page.newest_by:
                query = query.order_by(descending(page.newest_by, "id"))
            if page.limit is not None:
                query = query.limit(page.limit)
            return [make(row) for row in query.offset(page.offset).to_list(timeout=READ_LIMIT)]

        return [] if page.limit == 0 else self.read(scan, otherwise=[])

    def get(
        self, make: Callable[[Mapping[str, Any]], Value], columns: Sequence[str], ids: Sequence[str]
    ) -> list[Value]:
        """What `make` makes of the rows of these ids that are there."""
        return [value for some in named(ids) for value in self.select(make, columns, some, page=Page())]

    def packed(self, ids: Sequence[str]) -> list[bytes] | None:
        """The packed columns of the rows of these ids that are there; `None` where the table is not held in memory."""
        return self._ask(lambda rows: rows.records(ids), lambda _: None, otherwise=None)

    def packed_of(self, passes: Callable[[State], bool], most: int) -> list[bytes] | None:
        """The packed columns of the rows of some states; `None` if they are more than `most`, or not held in memory."""
        return self._ask(lambda rows: rows.records_of(passes, most), lambda _: None, otherwise=None)

    def by_words(self, query: str, statuses: Collection[str] = (), *, limit: int) -> list[Match]:
        """Rows that share words with the query, by BM25, best first.

        Args:
            query: Any text.
            statuses: Only rows of these; all where there are none.
            limit: Most rows.
        """
        if limit < 1 or not (wanted := searchable(query)):
            return []
        return self._ask(
            lambda rows: rows.by_words(wanted, passing(statuses), limit),
            lambda table: by_words_in(table, wanted, of_statuses(statuses), limit),
            otherwise=[],
        )

    def by_vector(self, vector: Vector, statuses: Collection[str] = (), *, limit: int) -> list[Match]:
        """Rows by cosine similarity, most similar first.

        Args:
            vector: What to compare with.
            statuses: Only rows of these; all where there are none.
            limit: Most rows.
        """
        self.check([vector])
        if limit < 1 or not any(vector):
            return []
        return self._ask(
            lambda rows: rows.nearest(vector, passing(statuses), limit),
            lambda table: by_vector_in(table, vector, of_statuses(statuses), limit),
            otherwise=[],
        )

    def likeness(self, vector: Vector, ids: Sequence[str]) -> list[Match]:
        """Cosine similarity of these rows, those that have a vector, in no particular order."""
        self.check([vector])
        if not ids or not any(vector):
            return []
        return self._ask(
            lambda rows: rows.likeness(vector, ids),
            lambda table: likeness_in(table, vector, named(ids)),
            otherwise=[],
        )

    def check(self, vectors: Sequence[Vector | None]) -> None:
        """Refuse vectors of another length than the table's."""
        dimension = self._database.dimension
        for length in {len(vector) for vector in vectors if vector is not None} - {dimension}:
            raise StoreError(
                f"A vector has {length} dimensions where {self._database.embedding_model} makes {dimension}. {CURE}"
            )

    def put(self, rows: Sequence[Row]) -> None:
        """Insert rows or replace those of the same ids, durably."""
        import pyarrow as pa

        distinct = list({row["id"]: row for row in rows}.values())
        if not distinct:
            return
        with self._writing():
            table = self._usable()
            before = table.version
            merge = table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
            # Without "null" LanceDB refuses rows that have no vector.
            merge.execute(pa.Table.from_pylist(distinct, schema=self._columns()), on_bad_vectors="null")
            if table.version // TIDY_EVERY > before // TIDY_EVERY or _many_unindexed(table):
                table.optimize(cleanup_older_than=KEPT)
                if wants_vector_index(table, self._database.held_rows) and not _has_index(table, "vector"):
                    build_vector_index(table)
            self._held.take_over(distinct, before=before, after=table.version)

    def erase(self, ids: Sequence[str]) -> None:
        """Take rows out; their bytes stay until `scrub`."""
        if not ids:
            return
        # The manifest keeps the condition verbatim, so it names nothing but opaque ids.
        with self._writing():
            self._held.drop()
            if (table := self._table()) is not None:
                for some in named(ids):
                    table.delete(some)

    def clear(self) -> None:
        """Take everything out, also what cannot be read any more, and what is of another model or layout."""
        with self._writing():
            self._handle = None
            self._held.drop()
            stale = self._files()
            if not stale:
                return
            try:
                # Counts its versions on, so that windows which have it open notice.
                rewrite(self._create(mode="overwrite"), stale, self._database.held_rows)
            except Exception as error:
                logger.warning("%s could not be emptied: %s", self._name, type(error).__name__)
            if stale & self._files():
                self._handle = None
                shutil.rmtree(self._folder)

    def scrub(self) -> None:
        """Rewrite the files so that they hold nothing of rows that were erased or replaced."""
        with self._writing():
            if (table := self._table()) is not None:
                self._condemned = self._files()
                rewrite(table, self._condemned, self._database.held_rows)

    def residue(self, needles: Sequence[str]) -> int:
        """Number of places that hold any of these texts, and of files that the last `scrub` should have removed."""
        wanted = [storable(needle) for needle in needles]
        with self._database.exclusive(), self._faults("read"):
            files = self._files()
            in_rows = sum(occurrences(version, wanted) for version in self._versions())
            return (
                len(self._condemned & files) + raw_occurrences(files, wanted, str(self._columns()).casefold()) + in_rows
            )

    def _ask(
        self, held: Callable[[Places], Answer], on_disk: "Callable[[Table], Answer]", *, otherwise: Answer
    ) -> Answer:
        """The answer of the rows in memory or, where these are too many, of the table; `otherwise` without a table."""

        def ask() -> Answer:
            if not (version := self._newest()):
                return otherwise
            # What the rows answer is wrapped, as `None` says that there are none.
            answer = self._held.ask(version, lambda rows: (held(rows),), self._table)
            if answer is not None:
                return answer[0]
            table = self._table()
            return otherwise if table is None else on_disk(table)

        return self._twice(ask)

    def _twice(self, ask: Callable[[], Answer]) -> Answer:
        with self._faults("read"):
            try:
                return ask()
            except ChatMemError:
                raise
            except Exception as error:
                # Files vanish under a reader when another window erases or rebuilds: look again.
                logger.info("reading %s again after %s", self._name, type(error).__name__)
                self._handle = None
                self._newest.forget()
            return ask()

    def _table(self) -> "Table | None":
        with self._opening:
            if self._handle is None and self._folder.is_dir():
                self._handle = self._open()
            return self._handle

    def _open(self) -> "Table | None":
        try:
            table = self._database.connection().open_table(self._name)
        except ValueError:  # there is none; but where there are rows there was one
            if any(self._folder.glob("data/*")):
                raise
            return None
        self._check_made_alike(table.schema.metadata or {})
        return table

    def _usable(self) -> "Table":
        table = self._table()
        if table is None:
            return self._create()
        # Another window may have emptied it for another model, and vectors of another length would be dropped.
        self._check_made_alike(table.schema.metadata or {})
        if not _has_index(table, "words"):
            # The process that made the table was killed over it.
            build_indexes(table, self._database.held_rows)
        return table

    def _create(self, *, mode: str = "create") -> "Table":
        self._handle = self._database.connection().create_table(self._name, schema=self._columns(), mode=mode)
        build_indexes(self._handle, self._database.held_rows)
        return self._handle

    def _columns(self) -> "pa.Schema":
        return self._schema(self._database.dimension).with_metadata(self._marks())

    def _marks(self) -> dict[str, str]:
        return {
            "chatmem.layout": LAYOUT,
            "chatmem.embedding_model": self._database.embedding_model,
            "chatmem.dimension": str(self._database.dimension),
        }

    def _check_made_alike(self, found: Mapping[bytes, bytes]) -> None:
        ours, theirs = self._marks(), [found.get(mark.encode(), b"?").decode() for mark in self._marks()]
        if theirs == list(ours.values()):
            return
        (layout, model, dimension), (their_layout, their_model, their_dimension) = ours.values(), theirs
        raise StoreError(
            f"The {self._name} in {self._database.folder} were made with {their_model} ({their_dimension} dimensions, "
            f"layout {their_layout}), but chatmem now uses {model} ({dimension} dimensions, layout {layout}). {CURE}"
        )

    def _files(self) -> frozenset[Path]:
        return frozenset(path for path in contents(self._folder) if path.is_file())

    def _versions(self) -> "Iterator[Table]":
        if (table := self._table()) is not None:
            for version in table.list_versions():
                yield self._database.connection().open_table(self._name, version=version["version"])

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._database.exclusive(), self._faults("written"):
            before = contents(self._folder)
            try:
                yield
            finally:
                self._newest.forget()
            make_durable(contents(self._folder) - before)

    @contextmanager
    def _faults(self, done: str) -> Iterator[None]:
        try:
            yield
        except ChatMemError:
            raise
        except Exception as error:  # a panic of LanceDB's is of a class that cannot be imported
            self._handle = None
            raise StoreError(
                f"The {self._name} in {self._database.folder} could not be {done}; the disk may be full or a file "
                f"damaged. {CURE}"
            ) from error


def _has_index(table: "Table", column: str) -> bool:
    return any(index.columns == [column] for index in table.list_indices())


def _many_unindexed(table: "Table") -> bool:
    return any(index.num_unindexed_rows > max(TIDY_ROWS, index.num_indexed_rows // 4) for index in table.list_indices())
