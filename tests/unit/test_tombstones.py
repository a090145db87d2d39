import pytest

from chatmem.domain.forgetting import Tombstone, TombstoneId, forbids, forbids_text, marks, text_hash
from tests.fakes.builders import NOON, a_fact, a_quote

KEY = b"a synthetic key for the tests"


def a_tombstone(text: str) -> Tombstone:
    return Tombstone(
        id=TombstoneId("t"), made_at=NOON, turn_ids=(), hashes=(text_hash(text, KEY),), marks=marks(text, KEY)
    )


def forbidden(forgotten: str, told: str) -> bool:
    return forbids(a_tombstone(forgotten), KEY, a_fact(told, quotes=(a_quote(told, "s9t9"),)), None)


@pytest.mark.parametrize(
    "told",
    [
        "i take citalopram for anxiety",
        "For anxiety I take citalopram.",
        "The user has been taking citalopram for anxiety.",
    ],
)
def test_what_was_forgotten_is_known_by_its_words_in_any_order_without_an_embedder(told: str) -> None:
    assert forbidden("I take citalopram for anxiety.", told)


@pytest.mark.parametrize("told", ["I take vitamins for my skin.", "Anxiety is a word.", "I take the bus."])
def test_another_fact_that_shares_a_word_is_learned(told: str) -> None:
    assert not forbidden("I take citalopram for anxiety.", told)


def test_marks_are_one_byte_a_word_and_leave_out_what_many_facts_share() -> None:
    assert len(marks("I live in Ghent.", KEY)) == 1
    assert marks("My home is in Ghent!", KEY) == marks("I live in Ghent.", KEY)
    assert marks("I live in Ghent.", b"another key") != marks("I live in Ghent.", KEY)


@pytest.mark.parametrize(
    "told",
    [
        "i take citalopram for anxiety",
        "Notes of May. The user takes citalopram for anxiety. The office has moved to the harbour.",
        "The user takes citalopram. It is for anxiety.",
    ],
)
def test_a_text_from_elsewhere_that_says_what_was_forgotten_is_known_by_its_words(told: str) -> None:
    assert forbids_text([a_tombstone("I take citalopram for anxiety.")], KEY, told)


@pytest.mark.parametrize("told", ["I take vitamins for my skin.", "Anxiety is a word.", ""])
def test_another_text_from_elsewhere_is_not_kept_out(told: str) -> None:
    assert not forbids_text([a_tombstone("I take citalopram for anxiety.")], KEY, told)
