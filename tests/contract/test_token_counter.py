"""What every token counter promises."""

import pytest

from chatmem.adapters.tiktoken.counter import TiktokenCounter
from chatmem.ports.token_counter import TokenCounter
from tests.fakes.token_counter import WordCounter

TEXTS = [
    "",
    " ",
    "I live in Porto, and I am allergic to peanuts.",
    "one two  three\n\nfour\tfive ",
    "나는 포르투에 살고 있습니다. 私はポルトに住んでいます。",
    "👩‍👩‍👧 🇰🇷 e\u0301",
    "\x00\x1b[31m\ud83d\udc00",
    "<|endoftext|>",
    "word " * 3_000,
]


@pytest.fixture(params=[WordCounter, TiktokenCounter])
def counter(request: pytest.FixtureRequest) -> TokenCounter:
    made: TokenCounter = request.param()
    return made


def test_nothing_has_no_tokens(counter: TokenCounter) -> None:
    assert counter.count("") == 0


def test_a_longer_text_has_more_tokens(counter: TokenCounter) -> None:
    assert counter.count("I live in Porto.") < counter.count("I live in Porto, and I am allergic to peanuts.")


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_that_fits_is_not_cut(counter: TokenCounter, text: str) -> None:
    assert counter.cut(text, counter.count(text)) == text


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("tokens", [-1, 0, 1, 2, 7, 1_234])
def test_a_cut_is_a_beginning_that_fits(counter: TokenCounter, text: str, tokens: int) -> None:
    beginning = counter.cut(text, tokens)

    assert text.startswith(beginning)
    assert counter.count(beginning) <= max(tokens, 0)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("tokens", [0, 1, 2, 7, 1_234])
def test_one_character_more_than_the_cut_would_not_fit(counter: TokenCounter, text: str, tokens: int) -> None:
    beginning = counter.cut(text, tokens)

    assert beginning == text or counter.count(text[: len(beginning) + 1]) > tokens
