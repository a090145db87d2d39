import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.cli.output import print_json, say, tell, write
from chatmem.conversation.assembly import memory_line
from chatmem.domain.memory import MemoryId
from chatmem.domain.recall import Recalled, Source
from chatmem.domain.text import clean
from tests.fakes.builders import NOON

HOSTILE = "\x1b]0;owned\x07a\x1b[31mb\x9b2Jc\x1bPq\x1b\\d\u202ee\x7f\x00\U000e0041\U000e0042"
OBEYED = frozenset([*map(chr, range(32)), *map(chr, range(0x7F, 0xA0)), "\u202e", "\u2066"]) - {"\n", "\t"}


@given(st.text(st.one_of(st.sampled_from(sorted(OBEYED)), st.characters(exclude_categories=["Cs"])), max_size=80))
def test_nothing_that_a_terminal_obeys_is_left_in_any_text(text: str) -> None:
    assert OBEYED.isdisjoint(clean(text))
    assert clean(clean(text)) == clean(text)


def test_letters_that_nobody_sees_are_dropped_and_flags_stay() -> None:
    scotland = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"

    assert clean(f"hi\U000e0049\U000e0067{scotland}") == f"hi{scotland}"


def test_nothing_that_a_terminal_obeys_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    say(HOSTILE)
    tell(HOSTILE)
    for letter in HOSTILE:
        write(letter)
    print_json({"text": HOSTILE})

    printed = capsys.readouterr()
    assert OBEYED.isdisjoint(printed.out + printed.err)
    assert printed.err == "abcqde\n"


def test_json_holds_the_very_text_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"text": HOSTILE})

    assert json.loads(capsys.readouterr().out) == {"text": HOSTILE}


def test_what_an_older_chatmem_stored_reaches_no_model_as_it_is() -> None:
    item = Recalled(id=MemoryId("m1"), source=Source.FACT, text=HOSTILE, score=1.0, said_at=NOON)

    assert memory_line(item) == '- The user told you on 4 March 2026: "abcqde"'


@pytest.mark.parametrize("text", ["a\rb", "a\r\nb", "\ud800", "\x0b", "\U000e0041"])
def test_what_has_to_be_looked_at_closely_is(text: str) -> None:
    assert clean(text) != text


def test_a_plain_text_stays_the_very_same() -> None:
    text = "Zoë, 日本語\n\tend 🏴"

    assert clean(text) is text
