"""Where an episode ends."""

from datetime import timedelta

import pytest

from chatmem.consolidation.segment import Bounds, segments
from chatmem.domain.turn import Role, Turn
from tests.fakes.builders import NOON, a_turn

SAILING = ("We sail the boat to the harbour.", "The boat needs a new sail.", "The harbour is full of boats.")
BAKING = ("The oven bakes bread badly.", "I need more flour for the bread.", "The bread came out of the oven flat.")


def said(*texts: str) -> list[Turn]:
    return [a_turn(seq, text) for seq, text in enumerate(texts, 1)]


def test_an_episode_ends_where_the_vectors_turn() -> None:
    turns = said(*SAILING, *SAILING, *BAKING, *BAKING)
    vectors = [[1.0, 0.0]] * 6 + [[0.0, 1.0]] * 6

    cut = segments(turns, vectors, Bounds(least=3, most=20))

    assert [len(episode) for episode in cut] == [6, 6]


def test_without_an_embedder_an_episode_ends_where_the_words_turn() -> None:
    turns = said(*SAILING, *SAILING, *BAKING, *BAKING)

    cut = segments(turns, bounds=Bounds(least=3, most=20))

    assert [len(episode) for episode in cut] == [6, 6]


def test_an_episode_ends_at_a_long_pause() -> None:
    turns = [a_turn(1), a_turn(2), a_turn(3, said_at=NOON + timedelta(hours=9))]

    assert [len(episode) for episode in segments(turns)] == [2, 1]


def test_a_long_episode_is_cut_where_it_surprises_most() -> None:
    turns = said(*(SAILING * 3), *(BAKING * 3))

    cut = segments(turns, bounds=Bounds(least=2, most=12, deviations=99.0))

    assert [len(episode) for episode in cut] == [9, 9]


def test_an_answer_stays_with_what_it_answers() -> None:
    turns = [
        a_turn(seq, text, role=Role.USER if seq % 2 else Role.ASSISTANT)
        for seq, text in enumerate([*SAILING, "Aye.", *BAKING, "Quite so."] * 3, 1)
    ]

    cut = segments(turns, bounds=Bounds(least=2, most=8))

    assert all(episode[0].role is Role.USER for episode in cut)


def test_a_few_turns_are_one_episode() -> None:
    turns = said(*SAILING, *BAKING)

    assert segments(turns) == [tuple(turns)]


def test_bounds_that_no_cut_can_hold_are_refused() -> None:
    with pytest.raises(ValueError, match="least <= most"):
        Bounds(least=5, most=4)
