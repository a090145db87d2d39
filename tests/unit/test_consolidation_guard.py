from dataclasses import replace

import pytest

from chatmem.consolidation.guard import beyond_rules, screened
from chatmem.domain.memory import Candidate, Extractor, Kind
from chatmem.domain.turn import Role, Turn
from tests.fakes.builders import a_quote, a_turn


def proposed(text: str, quote: str, **changes: object) -> Candidate:
    candidate = Candidate(kind=Kind.FACT, text=text, quote=a_quote(quote), extractor=Extractor.MODEL)
    return replace(candidate, **changes)  # type: ignore[arg-type]  # any field


def kept(candidate: Candidate, *said: str) -> list[Candidate]:
    return screened([candidate], [a_turn(seq, text) for seq, text in enumerate(said, 1)])


def test_the_quote_comes_back_as_it_stands_in_the_turn() -> None:
    [candidate] = kept(proposed("The user lives in Porto.", "i LIVE in porto."), "Well: I live\nin Porto, you know")

    assert candidate.quote.text == "I live\nin Porto"


def test_a_quote_cited_from_the_wrong_turn_is_attributed_to_the_right_one() -> None:
    [candidate] = kept(
        proposed("The user lives in Porto.", "I live in Porto"), "Good morning to you", "I live in Porto."
    )

    assert candidate.quote.turn_id == "s1t2"


@pytest.mark.parametrize(
    ("text", "quote", "said"),
    [
        ("The user lives in Lisbon.", "I live in Lisbon", "I live in Porto."),
        ("The user is a great pianist and a diver.", "I live in Porto", "I live in Porto."),
        ("The user is 35.", "I'm 34 years old", "I'm 34 years old."),
        ("The user is gluten free.", "I'm not gluten free", "I'm not gluten free."),
        ("The user lives in Porto.", "I live in Porto", "If I could choose, I live in Porto."),
        ("The user lives in Porto.", "I live in Porto", "Do I live in Porto?"),
        ("The user lives in Porto.", "I live in Porto", "```\nI live in Porto\n```"),
        ("The user wants a poem.", "write me a poem", "Please write me a poem"),
        ("", "I live in Porto", "I live in Porto."),
        ("The user lives in Porto." + " Porto" * 80, "I live in Porto", "I live in Porto."),
        ("The user's sister Mara is a vegan.", "I live in Porto", "I live in Porto."),
        ("The user lives in Porto.", "", "I live in Porto."),
    ],
)
def test_what_the_user_did_not_say_or_mean_is_dropped(text: str, quote: str, said: str) -> None:
    assert kept(proposed(text, quote), said) == []


def test_the_assistants_words_are_no_ground() -> None:
    turn: Turn = a_turn(1, "You live in Porto.", role=Role.ASSISTANT)

    assert screened([proposed("The user lives in Porto.", "live in Porto")], [turn]) == []


def test_the_question_after_a_statement_is_cut_from_the_quote() -> None:
    [candidate] = kept(
        proposed("The user has asthma.", "I have asthma, is running bad?"), "I have asthma, is running bad?"
    )

    assert candidate.quote.text == "I have asthma"


def test_a_sisters_diet_is_the_sisters() -> None:
    [candidate] = kept(proposed("The user's sister Ana is vegan.", "my sister Ana is vegan"), "my sister Ana is vegan")

    assert (candidate.subject, candidate.slot) == ("sister Ana", "diet")


def test_the_same_text_is_kept_once() -> None:
    candidate = proposed("The user lives in Porto.", "I live in Porto")

    assert len(screened([candidate, candidate], [a_turn()])) == 1


def test_a_model_adds_what_the_rules_passed_over_and_not_what_they_found() -> None:
    turns = [a_turn(1, "I live in Porto and my cello is from 1920.")]
    by_model = screened(
        [
            proposed("The user lives in Porto.", "I live in Porto"),
            proposed("The user's cello is from 1920.", "my cello is from 1920"),
        ],
        turns,
    )
    by_rules = [proposed("I live in Porto.", "I live in Porto", extractor=Extractor.RULES)]

    more = beyond_rules(by_model, by_rules)

    assert [candidate.text for candidate in more] == ["The user's cello is from 1920."]


def test_a_quote_that_runs_across_pasted_code_is_none() -> None:
    said = "I live in\n```\nx = 1\n```\nPorto with my family"

    assert kept(proposed("The user lives in Porto.", "I live in Porto"), said) == []


def test_words_that_are_said_over_and_over_are_screened_like_others() -> None:
    turn = a_turn(1, "is sister Porto live vegan. Porto and my and my dog Porto my live have")

    assert screened([], [turn]) == []


THESIS = "my thesis defence is on the 21st of November"


@pytest.mark.parametrize(
    ("text", "quote", "said"),
    [
        ("The user's thesis defence is on the 21st of November.", THESIS, (THESIS, "no wait, I meant the 12th")),
        ("The user has five cousins.", "I have five cousins", ("I have five cousins", "sorry, I meant six")),
        ("The user has five cousins.", "I have five cousins", ("I have five cousins. No, I said five, it's six!",)),
    ],
)
def test_what_is_put_right_in_the_same_talk_is_not_kept_as_it_was_before(
    text: str, quote: str, said: tuple[str, ...]
) -> None:
    assert kept(proposed(text, quote), *said) == []


@pytest.mark.parametrize(
    "said",
    [
        (THESIS, "My seminar is on the 3rd of December.", "no wait, I meant the 12th"),
        (THESIS, "I can't wait for it", "My seminar is on the 3rd of December."),
        ("no wait, I meant the 12th", THESIS),
    ],
)
def test_what_another_correction_is_about_stays(said: tuple[str, ...]) -> None:
    [candidate] = kept(proposed("The user's thesis defence is on the 21st of November.", THESIS), *said)

    assert candidate.quote.text == THESIS


def test_a_model_may_tell_what_was_put_right() -> None:
    told = "I have five cousins", "sorry, I meant six cousins"

    [candidate] = kept(proposed("The user has six cousins.", "I meant six cousins"), *told)

    assert candidate.text == "The user has six cousins."
