"""Whatever is said, what is learned rests on words of the user's turn."""

from hypothesis import example, given
from hypothesis import strategies as st

from chatmem.consolidation.guard import screened
from chatmem.consolidation.rules import extract_by_rules
from chatmem.domain.memory import Candidate, Extractor, Kind, Quote
from chatmem.domain.text import words
from tests.fakes.builders import a_turn

PHRASES = st.sampled_from(
    [
        "I live in Porto", "i'm a baker", "my sister Ana is vegan", "do you know why", "if I were rich",
        "yesterday I won",
        "```", "\n", "\n\n", ", ", ". ", "? ", " and ", "$ ls -la", '"', "please stop using emojis",
        "forget that", "…", "\u2019",
    ]
)  # fmt: skip
TALK = st.lists(st.one_of(PHRASES, st.text(max_size=30)), max_size=14).map("".join)


@given(TALK)
@example("I live in Porto\n...I live in Porto")
@example("```I live in Porto```I live in Porto")
@example("yesterday I won\n and yesterday I won and ")
@example('she said "I live in Porto over there", I live in Porto')
def test_every_quote_of_the_rules_is_an_exact_part_of_the_turn_and_passes_the_guard(text: str) -> None:
    turn = a_turn(1, text)

    candidates = extract_by_rules([turn])

    assert all(candidate.quote.text in text and candidate.text.strip() for candidate in candidates)
    kept = screened(candidates, [turn])
    assert {tuple(words(one.text)) for one in kept} == {tuple(words(one.text)) for one in candidates}


@given(TALK, st.text(max_size=40), st.text(max_size=40))
def test_the_guard_lets_nothing_pass_whose_quote_the_user_did_not_say(said: str, quote: str, text: str) -> None:
    turn = a_turn(1, said)
    invented = Candidate(
        kind=Kind.FACT,
        text=text,
        quote=Quote(session_id=turn.session_id, turn_id=turn.id, text=quote, said_at=turn.said_at),
        extractor=Extractor.MODEL,
    )

    kept = screened([invented], [turn])

    assert all(candidate.quote.text and candidate.quote.text in said for candidate in kept)
