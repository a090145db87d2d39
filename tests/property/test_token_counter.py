"""Counting and cutting agree, for any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.adapters.tiktoken.counter import TiktokenCounter
from chatmem.ports.token_counter import TokenCounter
from tests.fakes.token_counter import WordCounter

TIKTOKEN = TiktokenCounter()
COUNTERS: list[TokenCounter] = [TIKTOKEN, WordCounter()]

pieces = st.sampled_from(
    ["world", " worldwide", "peanuts", "  ", "\n", "ß", "👩‍👩‍👧", "한국어", "1234", "!?", "'ll", "a\u0301", "Ünï"]
)
texts = st.text(max_size=200) | st.text(st.characters(), max_size=50) | st.lists(pieces, max_size=60).map("".join)
tokens = st.integers(min_value=0, max_value=60)


@pytest.mark.parametrize("counter", COUNTERS)
@given(text=texts, tokens=tokens)
def test_a_cut_is_a_beginning_that_fits(counter: TokenCounter, text: str, tokens: int) -> None:
    beginning = counter.cut(text, tokens)

    assert text.startswith(beginning)
    assert counter.count(beginning) <= tokens


@pytest.mark.parametrize("counter", COUNTERS)
@given(text=texts, tokens=tokens)
def test_more_tokens_never_keep_less(counter: TokenCounter, text: str, tokens: int) -> None:
    assert len(counter.cut(text, tokens)) <= len(counter.cut(text, tokens + 1))


@given(text=texts, tokens=tokens)
def test_no_longer_beginning_fits(text: str, tokens: int) -> None:
    fitting = max(length for length in range(len(text) + 1) if TIKTOKEN.count(text[:length]) <= tokens)

    assert len(TIKTOKEN.cut(text, tokens)) == fitting
