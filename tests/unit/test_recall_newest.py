from datetime import timedelta

import pytest

from chatmem.domain.memory import Kind, Memory
from tests.fakes.builders import NOON, a_fact
from tests.fakes.world import World

LATER = NOON + timedelta(days=40)


def found(question: str, *memories: Memory) -> list[str]:
    world = World()
    world.remembers(*memories)
    world.clock.advance(days=50)
    return [item.text for item in world.recall.search(question, limit=5)]


def told(text: str, *, later: bool, **changes: object) -> Memory:
    at = LATER if later else NOON
    return a_fact(text, quotes=(), created_at=at, updated_at=at, valid_from=at, **changes)


@pytest.mark.parametrize("first", [True, False])
def test_of_what_can_be_one_thing_at_a_time_the_newer_stands_first(*, first: bool) -> None:
    old = told("The user lives in a flat in Ghent, and where they live it is quiet.", later=not first, slot="home")
    new = told("Writing from the new place in Ostend.", later=first, slot="home")

    assert found("Where do I live?", old, new)[0].startswith("Writing" if first else "The user")


def test_of_what_can_be_many_the_newer_stands_where_it_fits() -> None:
    old = told("The user likes the band Low, their favourite band.", later=False, slot="likes")
    new = told("The user likes peanuts.", later=True, slot="likes")

    assert found("Which band do I like?", old, new)[0].startswith("The user likes the band")


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        (
            "Which headings does the report have?",
            "The report has three headings: done, next and blocked. The report of headings is weekly.",
            "One addition, put a fourth heading called risks at the end.",
        ),
        (
            "What is the deadline of the thesis?",
            "The deadline of the thesis is in May, and the thesis has a deadline.",
            "No wait, the deadline is in June.",
        ),
    ],
)
def test_what_changes_the_thing_asked_for_stands_before_what_it_changes(question: str, old: str, new: str) -> None:
    memories = (told(old, later=False, kind=Kind.PROCEDURE), told(new, later=True))

    assert found(question, *memories)[0] == new


def test_what_changes_something_else_is_left_where_it_was() -> None:
    old = told("The name of my dog is Rex, a good dog.", later=False)
    new = told("Actually my dog hates cats.", later=True)

    assert found("What is the name of my dog?", old, new)[0] == old.text


def test_who_asks_for_what_was_gets_the_older_where_it_fits_better() -> None:
    old = told("Where I live: I lived in Ghent previously.", later=False, slot="home")
    new = told("Writing from Ostend.", later=True, slot="home")

    assert found("Where did I live previously?", old, new)[0].startswith("Where I live")


def test_the_parts_of_what_was_put_first_add_up_to_its_score() -> None:
    world = World()
    world.remembers(
        told("The user lives in a flat in Ghent, where they live well.", later=False, slot="home"),
        told("Writing from the new place in Ostend.", later=True, slot="home"),
    )

    found = world.recall.search("where do I live", limit=5)

    assert "newer" in dict(found[0].parts)
    assert all(item.score == pytest.approx(sum(value for _, value in item.parts)) for item in found)
