"""The vectors held in memory follow the table, whoever writes it."""

from pathlib import Path

import numpy as np
import pytest

from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.turn_index import LanceTurnIndex
from tests.fakes.builders import a_turn

EAST, NORTH, UP = [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]


def index_in(folder: Path) -> LanceTurnIndex:
    return LanceTurnIndex(LanceDatabase(folder / "lance", folder / "lance.lock", "tiny", 4))


def found(index: LanceTurnIndex, vector: list[float]) -> list[tuple[str, float]]:
    return [(match.id, round(match.value, 6)) for match in index.by_vector(vector, limit=9)]


@pytest.fixture
def index(tmp_path: Path) -> LanceTurnIndex:
    return index_in(tmp_path)


def test_what_is_written_after_the_first_search_is_found(index: LanceTurnIndex) -> None:
    index.put([a_turn(1)], [EAST])
    found(index, EAST)

    index.put([a_turn(2), a_turn(3)], [NORTH, None])

    assert found(index, NORTH) == [("s1t2", 1.0), ("s1t1", 0.0)]


def test_a_replaced_vector_counts_and_a_dropped_one_does_not(index: LanceTurnIndex) -> None:
    index.put([a_turn(1), a_turn(2), a_turn(3)], [EAST, NORTH, UP])
    found(index, EAST)

    index.put([a_turn(1), a_turn(2)], [UP, None])

    assert found(index, UP) == [("s1t1", 1.0), ("s1t3", 1.0)]


def test_what_another_window_writes_and_erases_is_followed(index: LanceTurnIndex, tmp_path: Path) -> None:
    index.put([a_turn(1)], [EAST])
    found(index, EAST)
    other = index_in(tmp_path)

    other.put([a_turn(2)], [EAST])
    other.erase([a_turn(1).id])

    assert found(index, EAST) == [("s1t2", 1.0)]


def test_a_cleared_table_has_no_vectors_left_in_memory(index: LanceTurnIndex) -> None:
    index.put([a_turn(1)], [EAST])
    found(index, EAST)

    index.clear()

    assert found(index, EAST) == []


def test_a_table_too_large_for_memory_is_searched_through_its_index(tmp_path: Path) -> None:
    index = LanceTurnIndex(LanceDatabase(tmp_path / "lance", tmp_path / "lock", "tiny", 32, held_rows=100))
    vectors = np.random.default_rng(0).normal(size=(600, 32))
    turns = [a_turn(seq) for seq in range(600)]

    index.put(turns, [None, *vectors[1:].tolist()])

    assert [path.name for path in (tmp_path / "lance" / "turns.lance" / "_indices").iterdir() if path.is_dir()]
    for seq in (1, 300, 599):
        wanted = vectors[seq].tolist()
        assert index.by_vector(wanted, limit=3)[0].id == turns[seq].id
        assert index.likeness(wanted, [turns[seq].id, turns[0].id])[0].value == pytest.approx(1.0, abs=1e-5)


def test_a_large_table_leaves_nothing_of_what_was_erased(tmp_path: Path) -> None:
    index = LanceTurnIndex(LanceDatabase(tmp_path / "lance", tmp_path / "lock", "tiny", 32, held_rows=100))
    vectors = np.random.default_rng(0).normal(size=(600, 32)).tolist()
    index.put([a_turn(seq, "xylophone" if seq == 7 else "drum") for seq in range(600)], vectors)

    index.erase([a_turn(7).id])
    index.scrub()

    assert index.residue(["xylophone"]) == 0
    assert a_turn(7).id not in [match.id for match in index.by_vector(vectors[7], limit=5)]
