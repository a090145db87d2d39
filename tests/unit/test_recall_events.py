from datetime import timedelta

import pytest

from chatmem.domain.recall import Recalled
from chatmem.recall.events import Event, event_in
from tests.fakes.builders import NOON, a_fact, a_quote, a_turn
from tests.fakes.world import World


@pytest.mark.parametrize(
    ("question", "event"),
    [
        ("Where did I work before the move?", Event(name="move", before=True)),
        ("what did I cook after my sister's wedding?", Event(name="sister's wedding", before=False)),
        ("Who came after Ana's wedding?", Event(name="Ana's wedding", before=False)),
        ("Was habe ich vor dem Umzug gemacht?", Event(name="Umzug gemacht", before=True)),
        ("Was war, nachdem ich gekündigt habe?", Event(name="gekündigt habe", before=False)),
        ("¿qué hice después de la boda?", Event(name="boda", before=False)),
        ("qu'ai-je fait avant le déménagement ?", Event(name="déménagement", before=True)),
        ("이사 전에 어디 살았지?", Event(name="이사", before=True)),
        ("引っ越しの後に何を買った？", Event(name="引っ越し", before=False)),  # noqa: RUF001 as it is written
    ],
)
def test_an_event_gives_a_time_in_six_languages(question: str, event: Event) -> None:
    assert event_in(question) == event


@pytest.mark.parametrize("question", ["Where do I live?", "what did I do before?", "look after plants", "before May?"])
def test_a_question_without_an_event_has_none(question: str) -> None:
    assert event_in(question) is None


def dated(found: list[Recalled]) -> dict[str, float]:
    return {item.text: dict(item.parts).get("date", 0.0) for item in found}


def talk_around_a_move() -> World:
    world = World()
    world.said(
        a_turn(1, "The river run was cold.", said_at=NOON - timedelta(days=60)),
        a_turn(2, "We moved house today.", said_at=NOON - timedelta(days=30)),
        a_turn(3, "The hill run was hot.", said_at=NOON),
    )
    return world


def test_what_was_said_before_a_turn_that_tells_of_the_event_is_preferred() -> None:
    world = talk_around_a_move()

    found = dated(world.recall.find("Which run was it before the move", budget_tokens=200))

    assert found["The river run was cold."] > 0
    assert found["The hill run was hot."] == 0


def test_what_was_said_after_it_is_preferred() -> None:
    world = talk_around_a_move()

    found = dated(world.recall.find("Which run was it since we moved", budget_tokens=200))

    assert found["The hill run was hot."] > 0
    assert found["The river run was cold."] == 0


def test_the_day_that_a_memory_knows_counts_and_not_the_day_it_was_told() -> None:
    world = talk_around_a_move()
    world.remembers(a_fact("The wedding of my sister.", event_date="2025-12-24", quotes=(a_quote(),)))

    found = dated(world.recall.find("Which run was it before the wedding", budget_tokens=200))

    assert found["The river run was cold."] == 0


def test_an_event_that_nobody_told_of_gives_no_time() -> None:
    world = talk_around_a_move()

    found = dated(world.recall.find("Which run was it before the earthquake", budget_tokens=200))

    assert set(found.values()) == {0.0}
