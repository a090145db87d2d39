"""Ordering, narrowing, marking: many memories at once on the memory screen."""

from datetime import timedelta

from textual.widgets import Input

from chatmem.domain.memory import Kind, MemoryId, Status
from chatmem.ui.screens.memory_dialogs import ForgetDialog
from chatmem.ui.screens.memory_view import ViewDialog
from chatmem.ui.widgets.memory_filters import Chips
from chatmem.ui.widgets.memory_list import MemoryList
from tests.fakes.builders import NOON
from tests.ui.memory_hands import NEWEST_FIRST, Hands, of_ana, opened
from tests.ui.memory_services import MemoryServices


def marked(hands: Hands) -> list[str]:
    return [text for text, line in zip(hands.texts(), hands.lines(), strict=True) if line.startswith("✓")]


def chips(hands: Hands, name: str) -> Chips:
    return next(one for one in hands.app.screen.query(Chips) if one.name_of_choice == name)


async def test_the_order_is_told_in_words_and_changed_by_a_key() -> None:
    async with opened(of_ana()) as hands:
        assert "t newest first" in hands.line()

        await hands.press("T")
        assert "t oldest first" in hands.line()
        assert hands.texts() == NEWEST_FIRST[::-1]

        await hands.press("t")
        assert "t least used first" in hands.line()


async def test_what_memories_are_ordered_by_stands_beside_each() -> None:
    services = of_ana()
    newest = services.memories.outline().ids[0]
    services.journal.note_use([newest], NOON + timedelta(days=20))

    async with opened(services) as hands:
        await hands.press("t")
        assert hands.lines()[0].endswith("1 × 2026-03-09")  # noqa: RUF001 times
        assert hands.lines()[1].endswith("never 2026-03-08")

        await hands.press("t")
        assert hands.lines()[0].endswith("0.50 2026-03-09")

        await hands.press("t")
        assert hands.texts()[0] == "The user is called Ana."
        assert hands.lines()[0].endswith("100% 2026-03-05")


async def test_what_keeps_the_highlighted_memory_is_told_below_the_list() -> None:
    services = of_ana()
    services.journal.note_use([services.memories.outline().ids[3]], NOON + timedelta(days=50))

    async with opened(services) as hands:
        assert hands.said("#memory-standing") == "Importance 0.50 · never used · retention 0%"

        await hands.press("down", "down", "down")
        assert hands.said("#memory-standing") == "Importance 0.50 · used 1 time · retention 37% · home"


async def test_the_parts_of_the_score_of_the_highlighted_hit_stand_below_the_list() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("slash", *"peanuts")

        assert hands.said("#memory-standing").startswith("Score +")
        assert "words +" in hands.said("#memory-standing")


async def test_a_search_is_narrowed_and_ordered_as_the_list_is() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("slash", *"peanuts", "enter", "k", "k")
        assert "Or press x" in " ".join(hands.lines())

        await hands.press("x", "T")
        assert "oldest first" in hands.line()


async def test_the_dialog_chooses_by_the_arrows_and_the_list_follows_at_once() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("v", "down", "down", "right", "right")
        behind = hands.app.screen_stack[1].query_one(MemoryList)

        assert isinstance(hands.app.screen, ViewDialog)
        assert "episodes" in hands.line()
        assert behind.row_count == 1

        await hands.press("x")
        assert behind.row_count == 5

        await hands.press("escape")
        assert isinstance(hands.app.focused, MemoryList)


async def test_the_dialog_chooses_a_slot_that_memories_have() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("v", *["down"] * 4, "right", "enter")

        assert "slot home" in hands.line()
        assert hands.texts() == ["The user lives in Porto."]


async def test_many_slots_come_into_view_one_after_another() -> None:
    services = MemoryServices()
    for number in range(60):
        services.learn(f"Number {number}.", day=-number, slot=f"slot{number:02}")

    async with opened(services) as hands:
        await hands.press("v", *["down"] * 4, "left")
        slots = chips(hands, "slot")

        assert "slot59" in str(slots.render())
        assert str(slots.render()).startswith("◂")
        assert "slot slot59" in hands.line()


async def test_a_click_chooses_in_the_dialog() -> None:
    async with opened(of_ana(), (120, 40)) as hands:
        await hands.press("v")
        status = chips(hands, "status")
        across = str(status.render()).index("Superseded")
        await hands.pilot.click(status, offset=(across + 1, 0))
        await hands.settle()

        assert "superseded" in hands.line()


async def test_every_choice_is_told_in_words_and_none_is_cut() -> None:
    services = of_ana()
    for size in ((80, 24), (150, 45), (200, 60)):
        async with opened(services, size) as hands:
            await hands.press("v")
            for number in range(1, 12):
                await hands.press("right", *(["down"] if number < 11 else []))
            words = hands.line()

            for told in (
                "least used first", "facts", "active", "slot home", "learned in the last 7 days", "never used",
                "importance under 1/3", "retention under 1/3", "in conflict", "pinned", "x clear", "v all filters",
            ):  # fmt: skip
                assert told in words
            assert max(map(len, words.split("\n"))) <= size[0] - 2


async def test_space_marks_and_goes_on_and_the_count_is_shown() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("space", "space", "down", "space")

        assert marked(hands) == [NEWEST_FIRST[0], NEWEST_FIRST[1], NEWEST_FIRST[3]]
        assert hands.said("#memory-count") == "3 marked of 5 memories"

        await hands.press("home", "space")
        assert marked(hands) == [NEWEST_FIRST[1], NEWEST_FIRST[3]]


async def test_shift_and_an_arrow_mark_one_after_another() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("down", "shift+down", "shift+down")

        assert marked(hands) == NEWEST_FIRST[1:4]


async def test_a_marks_all_that_is_shown_and_takes_the_marks_off_again() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("k", "a")
        assert hands.said("#memory-count") == "3 marked of 3 of 5 memories"

        await hands.press("a")
        assert marked(hands) == []


async def test_where_nothing_is_found_the_count_says_so_and_the_slots_can_still_be_chosen() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("k", "k", "o")
        assert hands.said("#memory-count") == "0 of 5 memories"
        assert "Press x" in " ".join(hands.lines())

        await hands.press("v")
        assert "home" in str(chips(hands, "slot").render())


async def test_the_list_stays_in_view_behind_the_dialog() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("v")
        top = hands.app.screen.query_one(".memory-dialog").region.y

        assert hands.app.screen.styles.background.a == 0
        assert top >= 6


async def test_marks_are_set_with_the_mouse() -> None:
    async with opened(of_ana()) as hands:
        await hands.click(MemoryList, 0, 1)
        assert marked(hands) == [NEWEST_FIRST[1]]

        await hands.pilot.click(MemoryList, offset=(20, 3), shift=True)
        await hands.settle()
        assert marked(hands) == NEWEST_FIRST[1:4]


async def test_marks_of_what_is_not_shown_any_more_vanish() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("a", "k", "x")

        assert marked(hands) == NEWEST_FIRST[2:]


async def test_p_pins_all_that_is_marked_in_one_change_and_takes_the_pins_off_again() -> None:
    services = of_ana()

    async with opened(services) as hands:
        await hands.press("a", "p")
        assert [memory.pinned for memory in services.memories.get(services.memories.outline().ids)] == [True] * 5
        assert len(services.journal.change_sets()) == 1
        assert len(services.journal.change_sets()[0].changes) == 4

        await hands.press("p")
        assert [memory.pinned for memory in services.memories.get(services.memories.outline().ids)] == [False] * 5


async def test_f_forgets_all_that_is_marked() -> None:
    services = of_ana()

    async with opened(services) as hands:
        await hands.press("space", "space", "f")
        assert isinstance(hands.app.screen, ForgetDialog)
        assert "2 memories will be erased" in hands.said("#forget-report")

        await hands.press("y")
        await hands.press("escape")
        assert hands.texts() == NEWEST_FIRST[2:]
        assert hands.said("#memory-count") == "3 memories"


async def test_shift_f_forgets_what_the_search_shows() -> None:
    services = of_ana()

    async with opened(services) as hands:
        await hands.press("slash", *"answers short", "enter")
        shown = hands.shown.row_count
        await hands.press("F")
        assert hands.said("#forget-report").startswith(
            f"{shown} memor" + ("y" if shown == 1 else "ies") + " will be erased"
        )

        await hands.press("y")
        await hands.press("escape")
        assert len(services.memories.outline()) == 5 - shown


async def test_a_memory_that_was_just_written_is_shown_whatever_the_filters() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("k", "k", "n")
        await hands.pilot.press(*"I like tea.", "ctrl+s")
        await hands.settle()

        assert hands.shown.row is not None
        assert hands.shown.row.text == "I like tea."


async def test_a_search_overtaken_by_another_shows_nothing() -> None:
    async with opened(of_ana()) as hands:
        search = hands.app.screen.query_one(Input)
        search.value = "porto"
        search.value = "peanuts"
        await hands.settle()

        assert hands.texts()[0] == "The user is allergic to peanuts."


async def test_superseded_memories_are_counted_and_can_be_listed_alone() -> None:
    services = of_ana()
    services.learn("The user lives in Braga.", day=6, status=Status.SUPERSEDED, kind=Kind.FACT, id=MemoryId("m9"))

    async with opened(services) as hands:
        await hands.press("s", "s")

        assert hands.texts() == ["The user lives in Braga."]
        assert hands.said("#memory-count") == "1 of 6 memories"
