import pytest

from chatmem.domain.recall import Match
from chatmem.recall.fusion import fuse, standardised


def test_what_both_lists_rank_high_comes_first() -> None:
    words = [Match(id="a", value=9.0), Match(id="b", value=8.0), Match(id="c", value=1.0)]
    vectors = [Match(id="b", value=0.9), Match(id="c", value=0.4), Match(id="d", value=0.1)]

    ranked = fuse(words, vectors)

    assert [candidate.id for candidate in ranked] == ["b", "a", "c", "d"]


def test_without_vectors_full_text_counts_alone() -> None:
    ranked = fuse([Match(id="a", value=9.0), Match(id="b", value=1.0)], [])

    assert [candidate.id for candidate in ranked] == ["a", "b"]
    assert ranked[0].parts == (("words", 1.0), ("meaning", 0.0))


def test_the_parts_add_up_to_the_score() -> None:
    ranked = fuse([Match(id="a", value=3.0), Match(id="b", value=1.0)], [Match(id="a", value=0.5)])

    assert ranked[0].score == pytest.approx(sum(value for _, value in ranked[0].parts))


def test_equal_values_are_worth_nothing() -> None:
    assert standardised([0.1] * 3) == [0.0] * 3
