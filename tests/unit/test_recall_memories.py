from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from chatmem.domain.memory import Kind, Status
from chatmem.domain.recall import Recalled
from chatmem.recall.memories import happened_at
from tests.fakes.builders import NOON, a_fact, a_quote
from tests.fakes.world import World

OLD = a_fact("The user lives in Porto.", status=Status.SUPERSEDED, valid_to=NOON, slot="home")
NEW = a_fact("The user moved house to Lisbon last summer.", slot="home", valid_from=NOON)


def part(item: Recalled, name: str) -> float:
    return dict(item.parts).get(name, 0.0)


def test_what_was_superseded_comes_after_what_replaced_it_and_says_until_when_it_held() -> None:
    world = World()
    world.remembers(a_fact(OLD.text, status=Status.SUPERSEDED, superseded_by=NEW.id, valid_to=NOON), NEW)

    found = world.recall.search("where does the user live", limit=5)

    assert [(item.text, item.valid_to) for item in found] == [(NEW.text, None), (OLD.text, NOON)]
    assert found[1].score == pytest.approx(sum(value for _, value in found[1].parts))


def test_what_was_superseded_is_not_put_into_the_prompt() -> None:
    world = World()
    world.remembers(OLD)

    assert world.recall.find("Tell me about Porto", budget_tokens=200) == []


def test_what_held_on_a_day_is_found_for_that_day() -> None:
    world = World()
    before = NOON - timedelta(days=30)
    old = a_fact(OLD.text, status=Status.SUPERSEDED, valid_from=before, valid_to=NOON, created_at=before, quotes=())
    world.remembers(old, NEW)

    found = world.recall.search("where does the user live as-of:2026-02-20", limit=5)

    assert [item.text for item in found] == [OLD.text]


def test_what_was_not_known_on_a_day_pushes_nothing_behind_in_what_is_found_for_it() -> None:
    world = World()
    before, after = NOON - timedelta(days=30), NOON + timedelta(days=1)
    old = a_fact(OLD.text, superseded_by=NEW.id, valid_from=before, valid_to=NOON, created_at=before, quotes=())
    old = replace(old, status=Status.SUPERSEDED)
    world.remembers(old, replace(NEW, valid_from=NOON))

    (then,) = world.recall.search("where does the user live", limit=5, as_of=before + timedelta(days=1))
    now = world.recall.search("where does the user live", limit=5, as_of=after)

    assert (then.text, then.valid_to) == (OLD.text, None)
    assert "superseded" not in dict(then.parts)
    assert [item.text for item in now] == [NEW.text]


def test_a_question_as_of_a_day_is_answered_with_what_held_then() -> None:
    world = World()
    before = NOON - timedelta(days=30)
    old = a_fact(OLD.text, status=Status.SUPERSEDED, valid_from=before, valid_to=NOON, created_at=before, quotes=())
    world.remembers(old, NEW)

    recalled = world.recall.find("Where did I live as-of:2026-02-20", budget_tokens=200)

    assert [(item.text, item.injected) for item in recalled] == [(OLD.text, True)]


def test_a_memory_fades_but_never_vanishes() -> None:
    world = World()
    world.remembers(
        a_fact("The user likes tea.", quotes=(a_quote(),)), a_fact("The user likes tea a lot.", pinned=True)
    )
    world.clock.advance(days=1000)

    found = {item.text: part(item, "retention") for item in world.recall.search("tea", limit=5)}

    assert found["The user likes tea a lot."] == pytest.approx(0.3)
    assert found["The user likes tea."] == pytest.approx(0.0, abs=1e-6)


def test_use_keeps_a_memory() -> None:
    world = World()
    fact = a_fact("The user likes tea.")
    world.remembers(fact)
    for _ in range(5):
        world.journal.note_use([fact.id], world.clock.now())
    world.clock.advance(days=10)

    (found,) = world.recall.search("tea", limit=1)

    assert part(found, "retention") > 0.2


def test_importance_and_confidence_nudge() -> None:
    world = World()
    world.remembers(a_fact("Tea is liked.", importance=0.9, confidence=0.6), a_fact("Tea is bought."))

    parts = {item.text: dict(item.parts) for item in world.recall.search("tea", limit=5)}

    assert parts["Tea is liked."]["importance"] == pytest.approx(0.16)
    assert parts["Tea is liked."]["confidence"] == pytest.approx(-0.08)
    assert parts["Tea is bought."]["importance"] == 0.0


def test_a_memory_is_preferred_for_being_about_the_one_asked_about() -> None:
    world = World()
    world.remembers(a_fact("Likes tea.", subject="sister Ana"), a_fact("Likes tea too.", subject="user"))

    of_her, of_me = (world.recall.search(q, limit=5) for q in ("does Ana like tea", "do I like tea"))

    assert {item.text: part(item, "subject") for item in of_her} == {"Likes tea.": 0.5, "Likes tea too.": 0.0}
    assert {item.text: part(item, "subject") for item in of_me} == {"Likes tea.": 0.0, "Likes tea too.": 0.5}


def test_a_question_may_filter_by_when_something_was_told() -> None:
    world = World()
    world.remembers(a_fact("The user likes tea.", quotes=(a_quote(),)))

    assert world.recall.search("tea before:2026-03-01", limit=5) == []
    assert len(world.recall.search("tea since:2026-03-01", limit=5)) == 1


def test_only_one_kind_is_found_where_one_is_asked_for() -> None:
    world = World()
    world.remembers(a_fact("Make tea first.", kind=Kind.PROCEDURE), a_fact("Tea is liked."))

    assert [item.text for item in world.recall.search("tea", limit=5, kind=Kind.PROCEDURE)] == ["Make tea first."]


@pytest.mark.parametrize(
    ("event_date", "shown"),
    [("2026-06-21", "2026-06-21"), ("2026", "2026"), ("2026-03-04", None), ("</memory>", None), (None, None)],
)
def test_the_day_a_memory_speaks_of_is_told_where_it_is_another_than_it_was_said_on(
    event_date: str | None, shown: str | None
) -> None:
    world = World()
    world.remembers(a_fact("The race is in summer.", event_date=event_date))

    assert [item.event_date for item in world.recall.search("race", limit=5)] == [shown]


@pytest.mark.parametrize(
    ("event_date", "moment"),
    [
        ("2025", datetime(2025, 1, 1, tzinfo=UTC)),
        ("2025-03", datetime(2025, 3, 1, tzinfo=UTC)),
        ("2025-03-04", datetime(2025, 3, 4, tzinfo=UTC)),
        ("2025-02-31", NOON),
        ("some day", NOON),
        (None, NOON),
    ],
)
def test_what_a_memory_tells_of_was_when_it_says_or_else_when_it_was_told(
    event_date: str | None, moment: datetime
) -> None:
    assert happened_at(a_fact("The user moved.", event_date=event_date)) == moment
