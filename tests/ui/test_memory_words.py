from hypothesis import given
from hypothesis import strategies as st

from chatmem.domain.forgetting import BLOT, Proof
from chatmem.domain.memory import Extractor, Status
from chatmem.domain.text import clean
from chatmem.ui.widgets.memory_words import (
    COMPARED_WORDS,
    Excerpt,
    Kept,
    Lost,
    differences,
    excerpt,
    holding,
    learned_by,
    told,
)
from tests.fakes.builders import NOON, a_fact

WORDED = st.lists(st.sampled_from(["tea", "Porto,", BLOT, "\n", " ", "and  ", "漢字", "x\x1b[31m"])).map("".join)


@given(before=WORDED, after=WORDED)
def test_what_is_kept_and_lost_adds_up_to_the_wording_before(before: str, after: str) -> None:
    assert "".join(piece.text for piece in differences(before, after)) == clean(before)


@given(before=WORDED, after=WORDED)
def test_what_is_kept_and_put_instead_adds_up_to_the_wording_after(before: str, after: str) -> None:
    pieces = differences(before, after)

    assert "".join(piece.text if isinstance(piece, Kept) else piece.instead for piece in pieces) == clean(after)


def test_only_the_blotted_clause_counts_as_lost() -> None:
    pieces = list(differences("I like tea. I live in Porto. It rains.", f"I like tea. {BLOT} It rains."))

    assert pieces == [Kept("I like tea. "), Lost("I live in Porto. ", f"{BLOT} "), Kept("It rains.")]


def test_a_blot_in_a_huge_turn_is_still_found_exactly() -> None:
    many = "word " * (2 * COMPARED_WORDS)

    assert list(differences(many + "secret " + many, many + many)) == [Kept(many), Lost("secret ", ""), Kept(many)]


def test_texts_too_different_to_compare_are_told_apart_as_a_whole() -> None:
    before, after = "a b " * COMPARED_WORDS, "c d " * COMPARED_WORDS

    assert list(differences(before, after)) == [Lost(before, after)]


def test_an_excerpt_cuts_what_is_far_from_the_quote() -> None:
    found = excerpt("one two three FOUR five six", "FOUR", 6)

    assert found == Excerpt(before="…three ", quote="FOUR", after=" five…")


def test_a_quote_that_is_not_there_has_no_excerpt() -> None:
    assert excerpt("one two", "three") is None


def test_the_proof_counts_in_words() -> None:
    proof = Proof(erased=2, turns_redacted=1, residue=0, ms=1234.5)

    assert told(proof) == "Erased 2 memories, 1 turn redacted, 0 traces left on disk (1,234 ms)."


def test_a_memory_says_who_learned_it_and_whether_it_holds() -> None:
    learned = a_fact(extractor=Extractor.MODEL, model="openai/gpt")
    pending = a_fact(status=Status.PENDING)

    assert learned_by(learned) == "learned by openai/gpt"
    assert learned_by(a_fact(extractor=Extractor.MODEL)) == "learned by a model"
    assert holding(pending) == "pending: it waits for your decision"
    assert holding(a_fact(valid_to=NOON)) == "active since 4 March 2026 until 4 March 2026"
