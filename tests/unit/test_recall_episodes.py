from datetime import timedelta

import pytest

from chatmem.domain.memory import Kind, Link, Memory, MemoryId, Practice, Relation, Status
from chatmem.domain.recall import Recalled
from chatmem.domain.turn import Role, TurnId
from tests.fakes.builders import NOON, a_fact, a_quote, a_turn
from tests.fakes.world import World

FLOOD = a_fact("The cellar was flooded.", kind=Kind.EPISODE, quotes=(a_quote("The cellar was flooded.", "s1t2"),))


def flooded() -> World:
    world = World()
    world.said(
        a_turn(1, "It rained all week."),
        a_turn(2, "The cellar was flooded."),
        a_turn(3, "Terrible.", role=Role.ASSISTANT),
        a_turn(4, "Ana lent me a pump."),
        a_turn(5, "Lunch was soup."),
    )
    world.remembers(FLOOD)
    return world


def by_text(found: list[Recalled]) -> dict[str, Recalled]:
    return {item.text: item for item in found}


def test_an_episode_comes_with_what_was_said_around_it() -> None:
    found = by_text(flooded().recall.find("the cellar", budget_tokens=200))

    assert found["It rained all week."].beside == FLOOD.id
    assert found["Ana lent me a pump."].injected
    assert "Lunch was soup." not in found


def test_what_the_assistant_said_around_it_is_left_out() -> None:
    found = by_text(flooded().recall.find("the cellar", budget_tokens=200))

    assert not found["Terrible."].injected


def test_what_was_said_around_an_episode_that_does_not_fit_is_left_out_too() -> None:
    found = by_text(flooded().recall.find("the cellar", budget_tokens=15))

    assert [item.text for item in found.values() if item.injected] == []


def test_what_the_model_sees_anyway_is_not_shown_beside_an_episode() -> None:
    found = by_text(flooded().recall.find("the cellar", budget_tokens=200, exclude=[TurnId("s1t4")]))

    assert "Ana lent me a pump." not in found


def linked(text: str, **changes: object) -> tuple[Memory, Memory]:
    other = a_fact(text, id=MemoryId("other"), **changes)
    return a_fact("Rex is a dog.", links=(Link(to=other.id, relation=Relation.RELATED),)), other


def test_a_memory_that_a_hit_links_to_is_found_without_a_word_in_common() -> None:
    world = World()
    one, other = linked("zzz qqq")
    world.remembers(one, a_fact("Soup was for lunch."))
    world.memories.put([other], [None])

    found = by_text(world.recall.find("Rex the dog", budget_tokens=200))

    assert dict(found["zzz qqq"].parts)["link"] > 0


@pytest.mark.parametrize(
    "changes",
    [
        {"status": Status.PENDING},
        {"status": Status.RETIRED},
        {"status": Status.SUPERSEDED},
        {"expires_at": NOON - timedelta(days=1)},
    ],
)
def test_a_link_brings_back_nothing_that_is_out_of_recall(changes: dict[str, object]) -> None:
    world = World()
    one, other = linked("zzz qqq", **changes)
    world.remembers(one)
    world.memories.put([other], [None])

    assert "zzz qqq" not in by_text(world.recall.find("Rex the dog", budget_tokens=200))


def test_what_has_expired_is_not_recalled_unless_it_is_pinned() -> None:
    world = World()
    gone = NOON - timedelta(days=1)
    world.remembers(
        a_fact("The parcel is at the post office.", expires_at=gone),
        a_fact("Parcels go to the neighbour.", expires_at=gone, pinned=True),
        a_fact("Always mention the parcel.", kind=Kind.PROCEDURE, expires_at=gone),
    )

    found = by_text(world.recall.find("parcel", budget_tokens=200))

    assert list(found) == ["Parcels go to the neighbour."]


def test_a_turn_that_tells_what_no_longer_holds_is_not_put_into_the_prompt() -> None:
    world = World()
    world.said(a_turn(1, "My home is in Porto by the sea."))
    old = a_fact("The user lives in Porto.", status=Status.SUPERSEDED, valid_to=NOON)
    world.remembers(old)

    now = by_text(world.recall.find("a home in Porto", budget_tokens=200))
    then = by_text(world.recall.find("the home I used to have in Porto", budget_tokens=200))

    assert not now["My home is in Porto by the sea."].injected
    assert old.text not in now
    assert then[old.text].injected


def test_a_procedure_with_a_trigger_applies_where_it_is_named() -> None:
    world = World()
    world.remembers(a_fact("Check names first.", kind=Kind.PROCEDURE, practice=Practice(trigger="code reviews")))

    review, other = (world.recall.find(q, budget_tokens=200) for q in ("Do a review of this", "Write a poem"))

    assert [item.text for item in review] == ["Check names first."]
    assert other == []
