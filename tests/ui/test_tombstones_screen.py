"""What forgetting left behind, on a screen."""

import pytest

from chatmem.forgetting.tombstones import Tombstones
from chatmem.ui.screens.tombstones import TombstonesScreen
from tests.fakes.builders import a_fact, a_quote, a_session, a_turn
from tests.fakes.world import World
from tests.ui.upkeep_hands import SIZES, at, press, shown


def forgotten(*texts: str) -> Tombstones:
    """Tombstones of some memories."""
    world = World()
    world.said(a_turn(1, " ".join(texts)), session=a_session(title="Talk"))
    facts = [a_fact(text, quotes=(a_quote(text),)) for text in texts]
    world.remembers(*facts)
    for fact in facts:
        world.forgetting.forget([fact.id])
    return Tombstones(world.journal, world.eraser)


@pytest.mark.parametrize("size", SIZES)
async def test_tombstones_are_shown_without_a_word_of_what_they_stand_for(size: tuple[int, int]) -> None:
    tombstones = forgotten("Is allergic to peanuts.", "Lives in Porto.")

    async with at(TombstonesScreen(tombstones), size) as pilot:
        seen = shown(pilot)

    assert "2 tombstones, newest first" in seen
    assert seen.count("fact ") == 2
    assert "keeps what was forgotten from being learned" in seen
    assert "peanut" not in seen.lower()


async def test_one_is_removed_when_the_person_asks_twice() -> None:
    tombstones = forgotten("Is allergic to peanuts.", "Lives in Porto.")

    async with at(TombstonesScreen(tombstones)) as pilot:
        await press(pilot, "x")
        once = len(tombstones.list())
        await press(pilot, "x")
        seen = shown(pilot)

    assert (once, len(tombstones.list())) == (2, 1)
    assert "1 tombstone, newest first" in seen


async def test_where_there_are_none_that_is_said() -> None:
    async with at(TombstonesScreen(forgotten())) as pilot:
        assert "There are no tombstones." in shown(pilot)
