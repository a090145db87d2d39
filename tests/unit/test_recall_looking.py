"""Asking the indexes: what happens where one of them can't answer."""

import pytest

from chatmem.domain.errors import StoreError
from chatmem.domain.recall import Match
from chatmem.ports.embedder import Vector
from chatmem.recall.looking import Looker
from chatmem.recall.question import read_question
from tests.fakes.builders import NOON, a_fact
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.memory_store import FakeMemoryStore, FakeTurnIndex

HOME = a_fact("The user lives in Porto.")
QUESTION = read_question("Who lives in Porto?", NOON)


class WithoutVectors(FakeMemoryStore):
    """A store whose vectors are damaged, or of another length than the embedder's."""

    def by_vector(self, vector: Vector, *, limit: int, history: bool = False) -> list[Match]:
        raise StoreError("The vectors can't be read.")


class Damaged(WithoutVectors):
    """A store that can't be searched at all."""

    def by_words(self, query: str, *, limit: int, history: bool = False) -> list[Match]:
        raise StoreError("The store can't be read.")


def looker(store: FakeMemoryStore) -> Looker:
    store.put([HOME], [None])
    embedder = FakeEmbedder()
    embedder.warm_up()
    return Looker(store, FakeTurnIndex(), embedder)


def test_words_answer_where_vectors_cannot() -> None:
    hits = looker(WithoutVectors()).look(QUESTION)

    assert [match.id for match in hits.memories_by_words] == [HOME.id]
    assert (hits.vector, hits.memories_by_vector, hits.turns_by_vector) == (None, [], [])


def test_a_store_that_cannot_be_searched_at_all_is_told() -> None:
    with pytest.raises(StoreError, match="can't be read"):
        looker(Damaged()).look(QUESTION)
