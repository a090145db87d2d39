"""Searching a table through its indexes on disk, where it is too large to be held in memory, or the machine too small.

The index of the vectors is of 1-bit codes (RaBitQ), and the best by these are compared exactly.
"""

import math
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from chatmem.adapters.lancedb.library import load
from chatmem.adapters.lancedb.vectors import unit
from chatmem.domain.recall import Match
from chatmem.ports.embedder import Vector

if TYPE_CHECKING:
    from lancedb.expr import Expr
    from lancedb.table import Table

READ_LIMIT = timedelta(seconds=20)
"""After a panic in a damaged index LanceDB may wait for ever."""

WITH_VECTOR = "vector IS NOT NULL"

PROBES, REFINED = 20, 10
"""Of the vectors' index: partitions that are searched, and how many times more rows than wanted are compared exactly.
Of 100,000 rows this finds .999 of what comparing all finds."""


def by_words_in(table: "Table", wanted: str, where: "Sequence[Expr]", limit: int) -> list[Match]:
    """Rows that share words with the query, by BM25, best first."""
    load()
    from lancedb.query import MatchQuery

    found = table.search(MatchQuery(wanted, "words"), query_type="fts").select(["id", "_score"]).limit(limit)
    rows = narrowed(found, where).to_list(timeout=READ_LIMIT)
    return sorted((Match(id=row["id"], value=row["_score"]) for row in rows), key=_best_first)


def by_vector_in(table: "Table", vector: Vector, where: "Sequence[Expr]", limit: int) -> list[Match]:
    """Rows by cosine similarity, most similar first."""
    found = table.search([float(x) for x in vector], vector_column_name="vector").distance_type("cosine")
    best = found.nprobes(PROBES).refine_factor(REFINED).select(["id", "_distance"]).limit(limit)
    rows = narrowed(best, where).to_list(timeout=READ_LIMIT)
    matches = (Match(id=row["id"], value=1.0 - row["_distance"]) for row in rows)
    return sorted((match for match in matches if not math.isnan(match.value)), key=_best_first)


def likeness_in(table: "Table", vector: Vector, named: Iterable[Any]) -> list[Match]:
    """How similar the rows that the conditions name are, read from the table."""
    load()
    import numpy as np

    found = []
    for condition in named:
        query = table.search().where(condition).where(WITH_VECTOR).select(["id", "vector"])
        for row in query.to_list(timeout=READ_LIMIT):
            value = float(unit(np.array(row["vector"], dtype=np.float32)) @ unit(vector))
            found.append(Match(id=row["id"], value=value))
    return found


def narrowed(query: Any, where: "Sequence[Expr | str]") -> Any:
    """A query of those rows only that all conditions hold for."""
    for condition in where:
        query = query.where(condition)
    return query


def _best_first(match: Match) -> tuple[float, str]:
    return -match.value, match.id
