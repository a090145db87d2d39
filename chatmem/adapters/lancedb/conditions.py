"""Which rows of a table, as LanceDB is told, and as rows in memory are asked."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from chatmem.adapters.lancedb.library import load
from chatmem.adapters.lancedb.places import State
from chatmem.adapters.lancedb.rows import storable

if TYPE_CHECKING:
    from lancedb.expr import Expr

IDS_AT_ONCE = 500


def passing(statuses: Collection[str]) -> Callable[[State], bool]:
    """Rows of these statuses; all where there are none, in memory."""
    return lambda state: not statuses or state.status in statuses


def of_statuses(statuses: Collection[str]) -> "Sequence[Expr]":
    """The same, as LanceDB is told."""
    load()
    from lancedb.expr import col

    return [col("status").isin(list(statuses))] if statuses else []


def named(ids: Iterable[str]) -> "Iterator[Expr]":
    """Rows of these ids, so many at once."""
    load()
    from lancedb.expr import col

    distinct = list(dict.fromkeys(map(storable, ids)))
    for at in range(0, len(distinct), IDS_AT_ONCE):
        yield col("id").isin(distinct[at : at + IDS_AT_ONCE])


def descending(*columns: str) -> list[Any]:
    """The greatest first, by one column after another."""
    load()
    from lancedb.query import ColumnOrdering

    return [ColumnOrdering(column_name=column, ascending=False) for column in columns]
