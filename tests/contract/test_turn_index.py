"""What every turn index does."""

from pathlib import Path

import pytest

from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.turn_index import LanceTurnIndex
from chatmem.domain.turn import Role, Turn, TurnId
from chatmem.ports.memory_store import TurnIndex
from tests.fakes.builders import a_turn
from tests.fakes.memory_store import FakeTurnIndex

HOME = a_turn(1, "I live in Porto.", speaker="Ana")
ANSWER = a_turn(2, "A fine town.", role=Role.ASSISTANT)
FOOD = a_turn(3, "I cannot eat peanuts.")

EAST, NORTH, UP = [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]


@pytest.fixture(params=["fake", "lancedb"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> TurnIndex:
    if request.param == "fake":
        return FakeTurnIndex()
    return LanceTurnIndex(LanceDatabase(tmp_path / "lance", tmp_path / "lance.lock", "tiny", 4))


def put(index: TurnIndex, *turns: Turn) -> None:
    index.put(turns, [None] * len(turns))


def worded(index: TurnIndex, query: str, limit: int = 10) -> list[str]:
    return [match.id for match in index.by_words(query, limit=limit)]


def test_an_empty_index_finds_nothing(index: TurnIndex) -> None:
    index.erase([HOME.id])
    index.scrub()
    index.clear()

    assert index.without_vector(limit=5) == []
    assert index.by_words("Porto", limit=5) == []
    assert index.by_vector(EAST, limit=5) == []
    assert index.residue(["Porto"]) == 0


def test_turns_are_found_by_their_words(index: TurnIndex) -> None:
    put(index, HOME, ANSWER, FOOD)

    assert worded(index, "peanut") == [FOOD.id]
    assert worded(index, "Where does she live, in PORTO?")[0] == HOME.id


def test_turns_are_found_by_who_spoke(index: TurnIndex) -> None:
    put(index, HOME, ANSWER, FOOD)

    assert worded(index, "Ana") == [HOME.id]
    assert worded(index, "assistant") == [ANSWER.id]


def test_turns_are_found_by_their_date(index: TurnIndex) -> None:
    other = a_turn(4, "I moved.", said_at=HOME.said_at.replace(year=2025, month=7))
    put(index, HOME, other)

    assert worded(index, "july 2025") == [other.id]


def test_turns_are_found_by_their_vectors(index: TurnIndex) -> None:
    index.put([HOME, ANSWER, FOOD], [EAST, None, [0.6, 0.8, 0.0, 0.0]])

    found = index.by_vector(NORTH, limit=10)

    assert [match.id for match in found] == [FOOD.id, HOME.id]
    assert [match.value for match in found] == pytest.approx([0.8, 0.0])


def test_turns_without_a_vector_are_known_until_they_have_one(index: TurnIndex) -> None:
    index.put([HOME, ANSWER], [None, EAST])
    before = index.without_vector(limit=10)
    index.put([HOME], [UP])

    assert before == [HOME.id]
    assert index.without_vector(limit=10) == []


def test_putting_again_replaces(index: TurnIndex) -> None:
    index.put([HOME], [EAST])
    index.put([a_turn(1, "I live in Lisbon.")], [UP])

    assert worded(index, "Porto") == []
    assert worded(index, "Lisbon") == [HOME.id]
    assert len(index.by_vector(UP, limit=10)) == 1


@pytest.mark.parametrize("query", ["", "\x00\ud800", "👩\u200d🚀", '"a AND (b', "x" * 1_000_000])
def test_any_text_is_a_valid_query(index: TurnIndex, query: str) -> None:
    put(index, HOME)

    assert worded(index, query) == []


def test_a_turn_of_any_text_can_be_put(index: TurnIndex) -> None:
    put(
        index,
        a_turn(1, ""),
        a_turn(2, "\ud800\x00"),
        a_turn(3, "word " * 200_000),
        a_turn(4, "包含花生", speaker="\udfff"),
    )

    assert worded(index, "word") == ["s1t3"]
    assert worded(index, "花生") == ["s1t4"]


def test_scrubbing_leaves_no_residue_of_the_erased_and_keeps_the_rest(index: TurnIndex) -> None:
    index.put([HOME, FOOD], [EAST, NORTH])
    index.erase([HOME.id, TurnId("unknown")])
    before = index.residue(["i LIVE in Porto."])
    index.scrub()

    assert before > 0
    assert index.residue(["i LIVE in Porto."]) == 0
    assert index.residue(["peanuts"]) > 0
    assert worded(index, "Porto") == []
    assert worded(index, "peanuts") == [FOOD.id]
    assert [match.id for match in index.by_vector(EAST, limit=10)] == [FOOD.id]


def test_clearing_takes_everything_out_without_residue(index: TurnIndex) -> None:
    index.put([HOME, FOOD], [EAST, None])
    index.clear()

    assert worded(index, "Porto") == []
    assert index.without_vector(limit=10) == []
    assert index.residue(["Porto"]) == 0


def test_turns_are_compared_with_a_vector(index: TurnIndex) -> None:
    index.put([HOME, ANSWER, FOOD], [EAST, NORTH, None])

    likeness = {match.id: match.value for match in index.likeness(EAST, [HOME.id, ANSWER.id, FOOD.id, TurnId("gone")])}

    assert likeness == pytest.approx({HOME.id: 1.0, ANSWER.id: 0.0})
