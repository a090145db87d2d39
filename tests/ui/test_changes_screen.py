"""What changed in memory, on the changes screen."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId
from chatmem.domain.memory import MemoryId, Status
from chatmem.ui.screens.changes import ChangesScreen, UndoDialog
from chatmem.ui.widgets.change_words import Counts, counts, entries
from tests.fakes.builders import NOON, a_fact
from tests.ui.chatting import chatting
from tests.ui.driving import notices
from tests.ui.services import FakeServices
from tests.ui.upkeep_hands import SIZES, at, press, shown


def a_change_set(number: int, *changes: Change, **fields: object) -> ChangeSet:
    values: dict[str, object] = {"id": ChangeSetId(f"c{number}"), "cause": Cause.CONSOLIDATION}
    return ChangeSet(made_at=NOON + timedelta(minutes=number), changes=changes, **(values | fields))  # type: ignore[arg-type]  # a builder takes any field


def having_moved() -> FakeServices:
    """Porto was learned by hand, then reworded."""
    services = FakeServices()
    memory = services.curator.add("Ana lives in Porto.")
    services.clock.advance(60)
    services.curator.edit(memory.id, "Ana lives in Lisbon.")
    return services


def having_learned(number: int) -> FakeServices:
    """One consolidation brought many memories."""
    services = FakeServices()
    services.remembers(*(a_fact(f"Ana has {one} boats.", id=MemoryId(f"m{one}")) for one in range(number)))
    return services


@pytest.mark.parametrize("size", SIZES)
async def test_changes_stand_newest_first_with_cause_time_and_counts(size: tuple[int, int]) -> None:
    async with at(ChangesScreen(having_moved()), size) as pilot:
        screen = shown(pilot)

        assert screen.startswith(" 2 changes, newest first")
        assert screen.index("edited by you ~1") < screen.index("added by you +1")
        assert "2026-03-04 12:01" in screen


@pytest.mark.parametrize("size", SIZES)
async def test_a_reworded_memory_shows_both_wordings_marked_by_signs(size: tuple[int, int]) -> None:
    async with at(ChangesScreen(having_moved()), size) as pilot:
        screen = shown(pilot)

        assert "- ● Ana lives in Porto." in screen
        assert "+ ● Ana lives in Lisbon." in screen
        assert "1 changed" in screen


async def test_a_new_memory_shows_its_kind_and_the_words_it_rests_on() -> None:
    async with at(ChangesScreen(having_learned(1))) as pilot:
        assert "+ ● Ana has 0 boats." in shown(pilot)
        assert "fact, active · “I live in Porto.”" in shown(pilot)


async def test_what_became_of_a_memory_is_told_field_by_field() -> None:
    services = FakeServices()
    old, new = a_fact("Ana lives in Porto."), a_fact("Ana lives in Lisbon.")
    gone = replace(old, status=Status.SUPERSEDED, superseded_by=new.id, valid_to=NOON, pinned=True, doubt="It moved.")
    services.journal.record(a_change_set(1, Change(before=None, after=new), Change(before=old, after=gone)))
    async with at(ChangesScreen(services)) as pilot:
        screen = shown(pilot)

        for line in (
            "~ ● Ana lives in Porto.",
            "status: active → superseded",
            "pinned: no → yes",
            "holds until: none → 4 March 2026",
            "to check: none → It moved.",
            "replaced by: Ana lives in Lisbon.",
        ):
            assert line in screen


async def test_u_takes_back_the_highlighted_change_and_shows_what_that_changed() -> None:
    services = having_moved()
    async with at(ChangesScreen(services)) as pilot:
        await press(pilot, "u")

        assert [memory.text for memory in services.journal.latest()] == ["Ana lives in Porto."]
        assert notices(pilot) == ["Taken back: 1 memory. Undo this one to bring it again."]
        assert "edited by you (undone) ~1" in shown(pilot)
        assert "+ ● Ana lives in Porto." in shown(pilot)


async def test_undoing_the_undo_brings_the_change_again() -> None:
    services = having_moved()
    async with at(ChangesScreen(services)) as pilot:
        await press(pilot, "u", "u")

        assert [memory.text for memory in services.journal.latest()] == ["Ana lives in Lisbon."]
        assert "edited by you ~1" in shown(pilot)
        assert "taken back (undone) ~1" in shown(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_what_changes_much_is_asked_about_first(size: tuple[int, int]) -> None:
    services = having_learned(4)
    async with at(ChangesScreen(services), size) as pilot:
        await pilot.press("u")
        await pilot.pause()
        asked, screen = isinstance(pilot.app.screen, UndoDialog), shown(pilot)
        await press(pilot, "escape")

        assert asked
        assert "4 memories it added will go" in screen
        assert len(services.journal.latest()) == 4


async def test_it_is_taken_back_once_the_person_agrees() -> None:
    services = having_learned(4)
    async with at(ChangesScreen(services)) as pilot:
        await pilot.press("u")
        await pilot.pause()
        await press(pilot, "y")

        assert services.journal.latest() == []


async def test_a_refusal_is_shown_in_a_sentence() -> None:
    services = having_moved()
    async with at(ChangesScreen(services)) as pilot:
        await press(pilot, "down", "u")

        assert "touched the same memories. Undo that one first." in notices(pilot)[0]
        assert [memory.text for memory in services.journal.latest()] == ["Ana lives in Lisbon."]


@pytest.mark.parametrize("size", SIZES)
async def test_where_nothing_changed_it_says_what_would_come_here(size: tuple[int, int]) -> None:
    async with at(ChangesScreen(FakeServices()), size) as pilot:
        assert "Nothing has changed yet." in shown(pilot)
        assert "Talk with the model" in shown(pilot)
        assert "Undo" not in shown(pilot)


async def test_of_very_many_changes_in_one_set_the_rest_is_counted() -> None:
    async with at(ChangesScreen(having_learned(1_205)), (150, 45)) as pilot:
        await press(pilot, "enter", "end")

        assert "… and 1,005 more changes" in shown(pilot)


async def test_brackets_in_a_memory_are_shown_as_they_are() -> None:
    services = FakeServices()
    services.curator.add("Ana writes [red]brackets[/red] [.")
    async with at(ChangesScreen(services)) as pilot:
        assert "+ ● Ana writes [red]brackets[/red] [." in shown(pilot)


async def test_f9_and_the_command_open_it_from_the_chat() -> None:
    async with chatting(having_moved()) as pilot:
        await press(pilot, "f9")
        by_key = isinstance(pilot.app.screen, ChangesScreen)
        await press(pilot, "escape")
        await press(pilot, *"/changes", "enter")

        assert by_key
        assert isinstance(pilot.app.screen, ChangesScreen)


def test_a_change_whose_undo_was_undone_stands_again() -> None:
    change = Change(before=None, after=a_fact())
    first = a_change_set(1, change)
    second = a_change_set(2, change, undoes=first.id)
    third = a_change_set(3, change, undoes=second.id)

    assert [entry.taken_back for entry in entries([second, first])] == [False, True]
    assert [entry.taken_back for entry in entries([third, second, first])] == [False, True, False]


def test_changes_are_counted_by_what_they_do() -> None:
    memory = a_fact()
    new, changed, gone = (
        Change(before=None, after=memory),
        Change(before=memory, after=memory),
        Change(before=memory, after=None),
    )

    assert counts(a_change_set(1, new, new, changed, gone)) == Counts(new=2, changed=1, gone=1)
