"""Lines of a stream that litellm would leave out, and with them the words they hold."""

from collections.abc import Callable

import pytest

from chatmem.adapters.litellm import library


@pytest.fixture
def read() -> Callable[..., object]:
    library.load()
    return as_it_is()


def as_it_is() -> Callable[..., object]:
    from litellm.llms.base_llm.base_model_iterator import BaseModelResponseIterator

    reading: Callable[..., object] = BaseModelResponseIterator._string_to_dict_parser
    return reading


@pytest.mark.parametrize("line", ['{"message": {"content": "wor', 'data: {"choices": [', "data: words", '{"a": 1}}'])
def test_a_garbled_line_is_an_error(read: Callable[..., object], line: str) -> None:
    with pytest.raises(ValueError, match=r"line 1"):
        read(str_line=line)


@pytest.mark.parametrize("line", ["", "data: [DONE]", "data:[DONE]", ": ping", "event: message", "id: 7", "retry: 10"])
def test_what_holds_no_words_is_left_out(read: Callable[..., object], line: str) -> None:
    assert read(str_line=line) is None


@pytest.mark.parametrize("line", ['{"a": 1}', 'data: {"a": 1}', 'data:{"a": 1}'])
def test_what_can_be_read_is_read(read: Callable[..., object], line: str) -> None:
    assert read(str_line=line) == {"a": 1}


def test_loading_twice_is_loading_once() -> None:
    library.load()
    once = as_it_is()
    library.load()

    assert as_it_is() is once
