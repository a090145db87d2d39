"""The outline of the memories, made of the columns as they are stored."""

from array import array
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, overload

from chatmem.domain.memory import MemoryId, Relation
from chatmem.domain.outline import KINDS, STATUSES, Outline, outlined

if TYPE_CHECKING:
    import pyarrow as pa

OUTLINED = ("id", "text", "kind", "status", "slot", "created_at", "importance", "pinned", "quotes", "links")
"""The columns that it is made of."""


class Texts(Sequence[str]):
    """A column of texts, each of which is taken out of its row when it is shown."""

    def __init__(self, column: "pa.Array") -> None:
        self._column = column

    def __len__(self) -> int:
        """Number of texts."""
        return len(self._column)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> "Texts": ...
    def __getitem__(self, at: int | slice) -> "str | Texts":
        """One text, or some."""
        found = self._column[at]
        return Texts(found) if isinstance(at, slice) else str(found.as_py())


def outline_of(table: "pa.Table | None") -> Outline:
    """The outline of rows that hold `OUTLINED`; of none where there is no table. Takes 0.1 s for 100,000."""
    if table is None or not table.num_rows:
        return outlined(())
    rows = table.combine_chunks().sort_by([("created_at", "descending"), ("id", "descending")])
    slots = rows["slot"].combine_chunks()
    slot_names = tuple(sorted(name for name in slots.unique().to_pylist() if name is not None))
    created = rows["created_at"].cast("int64").to_numpy()
    return Outline(
        ids=rows["id"].to_pylist(),
        texts=Texts(rows["text"].combine_chunks()),
        kinds=_places("b", rows["kind"], KINDS),
        statuses=_places("b", rows["status"], STATUSES),
        slots=_places("i", slots, slot_names),
        slot_names=slot_names,
        created=_column("q", created),
        told=_column("q", _told(rows["quotes"].combine_chunks(), created)),
        importances=_column("d", rows["importance"].to_numpy()),
        pinned=_column("b", rows["pinned"].to_numpy(zero_copy_only=False)),
        contradictions=tuple(_contradictions(rows)),
    )


def _places(code: str, column: "pa.Array | pa.ChunkedArray", values: Sequence[StrEnum] | Sequence[str]) -> "array[Any]":
    """Where each value stands among `values`; -1 where it does not."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = pc.fill_null(pc.index_in(column, pa.array([str(value) for value in values], pa.string())), -1)
    return _column(code, found.to_numpy(zero_copy_only=False))


def _column(code: str, numbers: Any) -> "array[Any]":
    made: array[Any] = array(code)
    made.frombytes(numbers.astype(code).tobytes())
    return made


def _told(quotes: Any, created: Any) -> Any:
    """When the last of the quotes of each memory was said; where it has none, when it was learned."""
    import numpy as np

    ends = quotes.offsets.to_numpy()[1:]
    quoted = quotes.value_lengths().fill_null(0).to_numpy(zero_copy_only=False) > 0
    said = quotes.values.field("said_at").cast("int64").to_numpy(zero_copy_only=False)
    return np.where(quoted, said[np.where(quoted, ends - 1, 0)], created) if len(said) else created


def _contradictions(rows: "pa.Table") -> Iterator[tuple[MemoryId, MemoryId]]:
    import pyarrow.compute as pc

    links = rows["links"].combine_chunks()
    linked = links.flatten()
    if not len(linked):
        return
    chosen = pc.equal(linked.field("relation"), Relation.CONTRADICTS.value)
    sources = rows["id"].take(pc.list_parent_indices(links).filter(chosen))
    yield from zip(sources.to_pylist(), linked.field("to").filter(chosen).to_pylist(), strict=True)
