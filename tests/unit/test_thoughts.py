from hypothesis import given
from hypothesis import strategies as st

from chatmem.adapters.litellm.thoughts import Thoughts
from chatmem.domain.model import ReasoningPart, TextPart


def split(*pieces: str) -> tuple[str, str]:
    """The reasoning and the text."""
    thoughts = Thoughts()
    parts = [part for piece in pieces for part in thoughts.split(piece)] + thoughts.end()
    assert all(part.text for part in parts)
    reasoning = "".join(part.text for part in parts if isinstance(part, ReasoningPart))
    return reasoning, "".join(part.text for part in parts if isinstance(part, TextPart))


@given(st.data(), st.sampled_from(["", "\n", " \n"]))
def test_thoughts_are_told_apart_wherever_a_reply_is_cut(data: st.DataObject, before: str) -> None:
    whole = f"{before}<think>Is 1 < 2? </thin\nYes.</think>\n\nIt is: <think> is a tag, </think> its end."
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)))))
    pieces = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]

    assert split(*pieces) == ("Is 1 < 2? </thin\nYes.", "It is: <think> is a tag, </think> its end.")


@given(st.lists(st.text("<>/think a\n")))
def test_no_text_is_lost_where_nothing_is_thought(pieces: list[str]) -> None:
    whole = "".join(pieces)
    if not whole.lstrip().startswith("<think>"):
        assert split(*pieces) == ("", whole)


def test_thoughts_without_an_end_are_thoughts() -> None:
    assert split("<think>Well, </thi") == ("Well, </thi", "")


def test_what_is_surely_text_is_not_held_back() -> None:
    assert Thoughts().split("<b") == [TextPart("<b")]


def test_thoughts_arrive_as_they_are_thought() -> None:
    thoughts = Thoughts()

    assert thoughts.split("<think>One, ") == [ReasoningPart("One, ")]
    assert thoughts.split("two </") == [ReasoningPart("two ")]
    assert thoughts.split("think>\n") == []
    assert thoughts.split("\nThree") == [TextPart("Three")]
