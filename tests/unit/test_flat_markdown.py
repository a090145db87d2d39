"""Markdown laid out as one text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.ui.flat_markdown import CodeBlock, code_blocks, flattened, settled

LAID_OUT = {
    "a paragraph is wrapped": ("one two three four", 10, "one two\nthree four"),
    "lines of a list hang behind their mark": ("- one two three", 10, "• one two\n  three"),
    "numbers go on from the first": ("3. a\n4. b", 20, "3. a\n4. b"),
    "lists nest": ("- a\n  - b", 20, "• a\n  • b"),
    "loose lists keep their distance": ("- a\n\n- b", 20, "• a\n\n• b"),
    "a quote has a bar": ("> one\n> two", 20, "▌ one two"),
    "inline marks vanish": ("**a** *b* `c` ~~d~~ [e](https://f.g)", 20, "a b c d e"),
    "a heading stands alone": ("# A\nb", 20, "A\n\nb"),
    "html is text": ("<b>x</b>", 20, "<b>x</b>"),
    "markup of the screen is text": ("[bold]x[/bold]", 20, "[bold]x[/bold]"),
    "an image is its words": ("![cat](c.png)", 20, "[cat]"),
}


@pytest.mark.parametrize(("source", "width", "wanted"), LAID_OUT.values(), ids=LAID_OUT.keys())
def test_markdown_is_laid_out(source: str, width: int, wanted: str) -> None:
    assert flattened(source, width).plain == wanted


def test_code_keeps_its_lines_and_fills_its_block() -> None:
    assert flattened("```python\nif x:\n    y\n```", 12).plain == " if x:      \n     y      "


def test_a_table_fits_the_width() -> None:
    table = flattened("|a|b|\n|-|-|\n|a long cell|another long cell|", 20).plain

    assert max(map(len, table.splitlines())) <= 20
    assert "│" in table


def test_a_growing_text_is_settled_up_to_its_last_block() -> None:
    before = "# Title\n\n- a\n- b\n\n```\ncode\n\ncode\n```\n\n"

    assert settled(before + "and so") == len(before)
    assert settled("all in one block\nstill") == 0


@given(st.text(alphabet="ab `*_#->|[]()\n1.~<\t", max_size=80), st.integers(8, 60))
def test_anything_can_be_laid_out(source: str, width: int) -> None:
    flattened(source, width)


def test_code_blocks_are_found_wherever_they_are() -> None:
    source = "```python\none()\n```\n\n- a list\n\n  ~~~\n  two\n  ~~~\n\n> quoted\n>\n>     three\n\n`inline`"

    assert code_blocks(source) == [CodeBlock("python", "one()"), CodeBlock("", "two"), CodeBlock("", "three")]
