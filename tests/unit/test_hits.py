"""What was found, in a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.ui.widgets.hits import hit_line

LINES = {
    "the line with the hit": ("one\ntwo Porto\nthree", "porto", 20, "two Porto"),
    "cut at its end": ("Porto is a town by the sea", "porto", 12, "Porto is a…"),
    "cut at both ends": ("we moved in spring to Porto which is a town by the sea", "porto", 20, "…ng to Porto which…"),
    "the first words where it is elsewhere": ("one two three", "four", 8, "one two…"),
}


@pytest.mark.parametrize(("text", "wanted", "length", "line"), LINES.values(), ids=LINES.keys())
def test_the_line_shows_the_hit(text: str, wanted: str, length: int, line: str) -> None:
    assert hit_line(text, wanted, length) == line


@given(st.text(), st.text(min_size=1), st.integers(min_value=4, max_value=80))
def test_no_line_is_longer_than_there_is_room(text: str, wanted: str, length: int) -> None:
    assert len(hit_line(text, wanted, length)) <= length
