import pytest

from chatmem.recall.question import read_question, without_names
from tests.fakes.builders import NOON, a_turn
from tests.fakes.world import World

SPEAKERS = {"Caroline", "Ana Souza"}


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("What does Caroline paint?", "What does paint?"),
        ("What is Caro's favourite colour?", "What is favourite colour?"),
        ("What did Ana and Caroline paint?", "What did and paint?"),
        ("Which car does she drive?", "Which car does she drive?"),
        ("Who is Caroline?", "Who is Caroline?"),
        ("Does Ewan paint?", "Does Ewan paint?"),
    ],
)
def test_the_topic_of_a_question_is_without_the_names_of_those_who_spoke(text: str, rest: str) -> None:
    assert without_names(text, SPEAKERS) == rest


def test_a_common_word_names_nobody_whose_name_begins_with_it() -> None:
    world = World()
    world.said(a_turn(1, "I bought a red one.", speaker="Caroline"), a_turn(2, "The car is red.", speaker="Bo"))

    ranked = world.recall.rank_turns("which car is red?", limit=5)

    assert all("speaker" not in dict(turn.parts) for turn in ranked)


@pytest.mark.parametrize(
    ("text", "past"),
    [
        ("where do I live?", False),
        ("where did I live before the move?", True),
        ("where did I live after the move?", False),
        ("where did I use to live? I used to love it", True),
        ("wo habe ich früher gewohnt?", True),
        ("where did I live as-of:2024-05?", True),
    ],
)
def test_a_question_about_what_no_longer_holds_is_known(text: str, past: bool) -> None:
    assert read_question(text, NOON).past is past
