"""Searching in memory finds what LanceDB's own indexes find, and follows what is written."""

from pathlib import Path

import numpy as np
import pytest

from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.postings import RECENT, Postings
from chatmem.adapters.lancedb.turn_index import LanceTurnIndex
from chatmem.adapters.lancedb.vectors import Codes, Whole, units
from chatmem.bench import workload
from tests.fakes.builders import a_turn

TEXTS = (
    "the boats lay in the harbour",
    "a boat and another boat and boats",
    "harbour",
    "the of and",
    "",
    "사용 용자 사 용 자",
)


def index_in(folder: Path, held_rows: int) -> LanceTurnIndex:
    return LanceTurnIndex(LanceDatabase(folder / "lance", folder / "lock", "tiny", 4, held_rows=held_rows))


@pytest.mark.parametrize(
    "query", ["boats harbour", "garden bicycle sister", "Porto", "the", "nowhere", "old piano 2024"]
)
def test_words_score_in_memory_as_they_do_on_disk(tmp_path: Path, query: str) -> None:
    turns = [a_turn(seq, text) for seq, text in enumerate([*TEXTS, *workload_texts(RECENT + 40)])]
    index_in(tmp_path, 0).put(turns, [None] * len(turns))

    held = index_in(tmp_path, 10_000).by_words(query, limit=2_000)
    on_disk = index_in(tmp_path, 0).by_words(query, limit=2_000)

    assert {match.id for match in held} == {match.id for match in on_disk}
    assert [match.value for match in held] == pytest.approx([match.value for match in on_disk], abs=1e-4)


def workload_texts(count: int) -> list[str]:
    return [text for text, _ in zip(workload.sentences(), range(count), strict=False)]


def test_texts_added_one_by_one_score_as_those_added_at_once() -> None:
    texts = [*TEXTS, *(text.lower().rstrip(".") for text in workload_texts(2 * RECENT))]
    at_once, one_by_one = Postings(), Postings()
    at_once.add(texts)
    for text in texts:
        one_by_one.add([text])
    live = np.arange(len(texts)) % 7 != 0

    for query in ("boat harbour", "sister bicycle porto", "사용"):
        assert np.allclose(one_by_one.scores(query, live), at_once.scores(query, live))
        assert not at_once.scores(query, live)[~live].any()


def test_a_text_that_was_replaced_is_found_by_its_new_words_alone(tmp_path: Path) -> None:
    index = index_in(tmp_path, 100)
    index.put([a_turn(1, "I like drums."), a_turn(2, "I like pianos.")], [None, None])
    index.by_words("drums", limit=3)

    index.put([a_turn(1, "I like violins.")], [None])

    assert [match.id for match in index.by_words("violins", limit=3)] == [a_turn(1).id]
    assert index.by_words("drums", limit=3) == []


def test_what_was_erased_is_found_no_more(tmp_path: Path) -> None:
    index = index_in(tmp_path, 100)
    index.put([a_turn(1, "I like drums.")], [[1.0, 0.0, 0.0, 0.0]])
    index.by_words("drums", limit=3)

    index.erase([a_turn(1).id])

    assert index.by_words("drums", limit=3) == []
    assert index.by_vector([1.0, 0.0, 0.0, 0.0], limit=3) == []


def test_codes_find_most_of_what_comparing_all_finds_even_where_nothing_is_near() -> None:
    scatter = np.random.default_rng(0)
    vectors = units(scatter.normal(size=(6_000, 384)).astype(np.float32))
    whole, codes, places = Whole(384), Codes(384), np.arange(6_000)
    for at in range(0, 6_000, 1_000):
        whole.put(places[at : at + 1_000], vectors[at : at + 1_000])
        codes.put(places[at : at + 1_000], vectors[at : at + 1_000])

    shares = []
    for wanted in units(scatter.normal(size=(20, 384)).astype(np.float32)):
        best = set(np.argsort(-whole.compare(wanted, places))[:20].tolist())
        shares.append(len(best & set(codes.nearest(wanted, places, 20).tolist())) / 20)
        assert codes.compare(wanted, places) == pytest.approx(whole.compare(wanted, places), abs=0.01)

    assert np.mean(shares) > 0.8
