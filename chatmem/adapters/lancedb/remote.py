"""A LanceDB elsewhere, as a far store: in the cloud (`db://`), in a bucket (`s3://`, `gs://`, `az://`), or in a folder.

Any table with a column `text` will do. Where it has `vector`, `words` (see there), `id`, `created_at` or `status` as
chatmem's own tables have them, these are used: vectors of the embedder's model and length, else words alone. Vectors of
its length whose model nobody names are looked at, and words decide where they tell nothing.

What leaves the machine is the question's embedding, or its words without grammar, and what LanceDB needs to get in.
"""

import hashlib
import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from chatmem.adapters.lancedb.library import load
from chatmem.adapters.lancedb.words import searchable
from chatmem.domain.embedding import model_of
from chatmem.domain.errors import StoreError
from chatmem.domain.recall import Match
from chatmem.ports.embedder import Vector
from chatmem.ports.far_store import FarFinds, FarMemory

if TYPE_CHECKING:
    from lancedb.table import Table

SHOWN = ("id", "text", "created_at")

Row = Mapping[str, Any]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemotePlace:
    """Where the LanceDB is.

    Attributes:
        uri: Of the database.
        table: Of its tables, that which is asked.
        key: Gets the key of a `db://`; `None` where none is needed.
        region: Of a `db://`.
        endpoint: Of a `db://` of one's own.
        options: For a bucket, as LanceDB calls them (`region`, `endpoint`, ...).
        wait_s: How long a question waits for the answer, in seconds; connecting counts, loading LanceDB does not.
    """

    uri: str
    table: str = "memories"
    key: Callable[[], str] | None = None
    region: str = "us-east-1"
    endpoint: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    wait_s: float = 1.0


class RemoteStore:
    """A `FarStore` in a LanceDB. It is opened at the first question or before, and asked one question at a time."""

    def __init__(self, place: RemotePlace) -> None:
        self._place = place
        self._busy = threading.Lock()
        self._opening = threading.Lock()
        self._table: Table | None = None

    def warm_up(self) -> None:
        """Begin to open it, so that the first question finds it open; returns at once, and sends no question."""
        threading.Thread(target=self._open_ahead, daemon=True).start()

    def find(self, words: str, vector: Vector | None, *, limit: int) -> FarFinds:
        """Memories that share words with a question, and those like it; waits `wait_s` at most.

        Where LanceDB is not loaded yet, that comes first (1 s) and does not count. A question without an answer in
        time leaves the connection made, so that the next may.

        Raises:
            StoreError: If it could not be asked, or did not answer in time.
        """
        load()
        if not self._busy.acquire(blocking=False):
            raise StoreError("The remote memory store is still busy with the question before.")
        answer: Future[FarFinds] = Future()
        # Nobody waits for it when the program ends.
        threading.Thread(target=self._answer, args=(answer, words, vector, limit), daemon=True).start()
        try:
            return answer.result(self._place.wait_s)
        except TimeoutError as error:
            raise StoreError(
                f"The remote memory store did not answer within {self._place.wait_s:g} s. recall.remote.wait_s gives "
                "it longer."
            ) from error
        except Exception as error:  # LanceDB's errors are of many kinds
            raise StoreError(
                "The remote memory store could not be asked; see recall.remote in the settings."
            ) from error

    def _answer(self, answer: Future[FarFinds], words: str, vector: Vector | None, limit: int) -> None:
        try:
            answer.set_result(self._found(words, vector, limit))
        except BaseException as error:  # it is raised where the answer is waited for
            self._table = None
            answer.set_exception(error)
        finally:
            self._busy.release()

    def _found(self, words: str, vector: Vector | None, limit: int) -> FarFinds:
        table = self._opened()
        schema = table.schema
        shown = [name for name in SHOWN if name in schema.names]
        by_meaning: list[Row] = []
        alike = vector is not None and _made_alike(schema, vector)
        if vector is not None and alike:
            near = table.search([float(x) for x in vector], vector_column_name="vector").distance_type("cosine")
            by_meaning = _active(near, schema).select([*shown, "_distance"]).limit(limit).to_list()
        by_words = _worded(table, words, shown, limit)
        return FarFinds(
            memories=tuple({row_id(row): _memory(row) for row in (*by_meaning, *by_words)}.values()),
            by_words=tuple(Match(id=row_id(row), value=row["_score"]) for row in by_words),
            by_meaning=tuple(Match(id=row_id(row), value=1.0 - row["_distance"]) for row in by_meaning),
            compared=alike and bool(_model(schema)),
        )

    def _open_ahead(self) -> None:
        try:
            self._opened()
        except Exception as error:  # LanceDB's errors are of many kinds, and the first question meets them again
            logger.info("the remote store could not be opened ahead: %s", type(error).__name__)

    def _opened(self) -> "Table":
        with self._opening:  # a question may come while it is opened ahead
            if self._table is None:
                self._table = self._open()
            return self._table

    def _open(self) -> "Table":
        load()
        import lancedb

        place = self._place
        if place.uri.startswith("db://"):
            key = place.key() if place.key else None
            database = lancedb.connect(place.uri, api_key=key, region=place.region, host_override=place.endpoint)
        else:
            database = lancedb.connect(place.uri, storage_options=dict(place.options) or None)
        return database.open_table(place.table)


def row_id(row: Row) -> str:
    """The id of a row, or one that its text gives it."""
    return str(row.get("id") or hashlib.blake2b(str(row["text"]).encode(), digest_size=8).hexdigest())


def _memory(row: Row) -> FarMemory:
    written = row.get("created_at")
    known = isinstance(written, datetime) and written.tzinfo is not None
    return FarMemory(id=row_id(row), text=str(row["text"]), written_at=written if known else None)


def _made_alike(schema: Any, vector: Vector) -> bool:
    """Whether the vectors of a table can be compared with this one, as far as can be told."""
    if "vector" not in schema.names:
        return False
    model, length = _model(schema), getattr(schema.field("vector").type, "list_size", None)
    return length == len(vector) and (not model or model_of(vector) in {None, model})


def _model(schema: Any) -> str:
    named: bytes = (schema.metadata or {}).get(b"chatmem.embedding_model", b"")
    return named.decode()


def _worded(table: "Table", words: str, shown: Iterable[str], limit: int) -> list[Row]:
    """The rows that full text finds; none where the table has no index for it."""
    from lancedb.query import MatchQuery

    column, query = ("words", searchable(words)) if "words" in table.schema.names else ("text", words)
    if not query or not any(index.columns == [column] for index in table.list_indices()):
        return []
    found = table.search(MatchQuery(query, column), query_type="fts")
    rows: list[Row] = _active(found, table.schema).select([*shown, "_score"]).limit(limit).to_list()
    return rows


def _active(query: Any, schema: Any) -> Any:
    return query.where("status = 'active'") if "status" in schema.names else query
