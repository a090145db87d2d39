"""However turns are cut into episodes, they are all there, in order, within the bounds."""

import itertools
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from chatmem.consolidation.segment import Bounds, segments
from chatmem.domain.turn import Role, Turn
from tests.fakes.builders import NOON, a_turn

WORDS = ("boat", "sail", "harbour", "bread", "oven", "flour", "the", "and", "로마", "昨日")
BOUNDS = st.tuples(st.integers(1, 8), st.integers(0, 12)).map(lambda two: Bounds(least=two[0], most=two[0] + two[1]))


@st.composite
def talks(draw: st.DrawFn) -> list[Turn]:
    said = draw(st.lists(st.tuples(st.booleans(), st.lists(st.sampled_from(WORDS), max_size=4)), max_size=60))
    gaps = draw(st.lists(st.sampled_from([1, 60, 20_000]), min_size=len(said), max_size=len(said)))
    moment, turns = NOON, []
    for seq, ((ours, words), gap) in enumerate(zip(said, gaps, strict=True), 1):
        moment += timedelta(seconds=gap)
        role = Role.USER if ours else Role.ASSISTANT
        turns.append(a_turn(seq, " ".join(words), role=role, said_at=moment))
    return turns


@st.composite
def vectors(draw: st.DrawFn, count: int) -> list[list[float] | None]:
    one = st.none() | st.sampled_from([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.0, 0.0]])
    return draw(st.lists(one, min_size=count, max_size=count))


@settings(max_examples=60)
@given(st.data(), talks(), BOUNDS)
def test_no_turn_is_lost_or_doubled_and_their_order_is_kept(
    data: st.DataObject, turns: list[Turn], how: Bounds
) -> None:
    cut = segments(turns, data.draw(vectors(len(turns))), how)

    assert [turn for episode in cut for turn in episode] == turns
    assert all(cut)


@settings(max_examples=60)
@given(st.data(), talks(), BOUNDS)
def test_no_episode_is_longer_than_the_bound(data: st.DataObject, turns: list[Turn], how: Bounds) -> None:
    cut = segments(turns, data.draw(vectors(len(turns))), how)

    assert max(map(len, cut), default=0) <= how.most


@settings(max_examples=60)
@given(talks(), BOUNDS)
def test_a_long_pause_always_ends_an_episode(turns: list[Turn], how: Bounds) -> None:
    cut = segments(turns, (), how)

    inside = [later.said_at - earlier.said_at for e in cut for earlier, later in itertools.pairwise(e)]
    assert max(inside, default=timedelta()) < how.pause
