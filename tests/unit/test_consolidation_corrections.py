"""What was said and then put right is learned as it was put right."""

import pytest

from chatmem.consolidation.corrections import corrected
from chatmem.consolidation.rules import extract_by_rules
from tests.fakes.builders import a_turn


def learned(*texts: str) -> list[str]:
    turns = [a_turn(seq, text) for seq, text in enumerate(texts, 1)]
    return [candidate.text for candidate in extract_by_rules(turns)]


@pytest.mark.parametrize(
    ("before", "correction", "after"),
    [
        ("My nephew turns three in June", "I said three, it's four!", "My nephew turns four in June"),
        ("We have 12 hens", "sorry, I meant 14", "We have 14 hens"),
        ("My sister lives in Leeds", "no wait, I meant Bradford", "My sister lives in Bradford"),
    ],
)
def test_the_new_value_takes_the_place_of_the_old(before: str, correction: str, after: str) -> None:
    assert corrected(before, correction) == after


@pytest.mark.parametrize("correction", ["I meant it.", "I said soup, it's stew.", "Sorry about that."])
def test_what_names_no_value_of_the_statement_puts_nothing_right(correction: str) -> None:
    assert corrected("My nephew turns three in June", correction) is None


def test_only_the_corrected_statement_is_learned_and_it_cites_the_correction() -> None:
    turns = [a_turn(1, "My nephew Piet turns three on Sunday."), a_turn(2, "Oh, I said three, it's four!")]

    [candidate] = extract_by_rules(turns)

    assert candidate.text == "My nephew Piet turns four on Sunday."
    assert (candidate.quote.turn_id, candidate.subject) == ("s1t2", "nephew Piet")


def test_a_date_that_is_put_right_is_the_date_of_the_memory() -> None:
    turns = [a_turn(1, "My driving test is on the 21st of May."), a_turn(2, "No wait, I meant the 12th.")]

    [candidate] = extract_by_rules(turns)

    assert candidate.text == "My driving test is on the 12th of May."
    assert candidate.event_date == "2026-05-12"


def test_a_correction_of_nothing_that_was_learned_changes_nothing() -> None:
    assert learned("I live in Porto.", "No wait, I meant the second recipe.") == ["I live in Porto."]
