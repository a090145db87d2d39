from chatmem.domain.recall import Recalled, Source, Tier
from chatmem.domain.turn import SessionId, TurnId
from chatmem.recall.recall import tier_of
from tests.fakes.builders import NOON, a_turn
from tests.fakes.world import World


def talked(summary: str = "They planned a boat trip to the islands.") -> World:
    world = World()
    world.said(a_turn(1, "The boat needs paint."), a_turn(2, "A boat of wood is heavy."), a_turn(3, "Soup for lunch."))
    world.log.save_summary(SessionId("s1"), summary, 3)
    return world


def summaries(found: list[Recalled]) -> list[Recalled]:
    return [item for item in found if item.source is Source.SUMMARY]


def test_the_summary_of_a_session_with_several_hits_is_shown() -> None:
    (found,) = summaries(talked().recall.find("the boat", budget_tokens=200))

    assert (found.text, found.injected) == ("They planned a boat trip to the islands.", True)


def test_a_summary_that_tells_nothing_of_what_is_asked_is_not_shown() -> None:
    assert summaries(talked("They spoke of food.").recall.find("the boat", budget_tokens=200)) == []


def test_one_hit_is_not_enough_for_a_summary() -> None:
    world = World()
    world.said(a_turn(1, "The boat needs paint."))
    world.log.save_summary(SessionId("s1"), "They planned a boat trip.", 1)

    assert summaries(world.recall.find("the boat", budget_tokens=200)) == []


def test_the_summary_of_the_session_that_the_model_sees_is_not_shown_again() -> None:
    found = talked().recall.find("the boat", budget_tokens=200, exclude=[TurnId("s1t3")])

    assert summaries(found) == []


def test_a_summary_has_no_count_of_uses() -> None:
    world = talked()
    recollection = world.recall.recollect("the boat", budget_tokens=200)
    world.log.save_recalled(TurnId("s1t1"), recollection.items, ms=1.0)

    used = world.recall.answered(a_turn(1), recollection, "You planned a trip to the islands.")

    assert used == {"s1"}
    assert world.journal.uses() == {}


def test_where_only_the_summary_is_shown_the_answer_is_learned() -> None:
    item = Recalled(
        id=SessionId("s1"),
        source=Source.SUMMARY,
        text="x",
        score=1.0,
        said_at=NOON,
        parts=(("session", 1.0),),
        injected=True,
    )

    assert tier_of([item], []) is Tier.LEARNED
