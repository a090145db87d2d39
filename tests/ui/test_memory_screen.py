import re
from datetime import timedelta
from time import process_time

from textual.widgets import Input, Static

from chatmem.domain.memory import Extractor, MemoryId, Status
from chatmem.domain.turn import TurnId
from chatmem.ports.memory_store import MemoryFilter
from chatmem.ui.screens.memory import MemoryScreen
from chatmem.ui.widgets.memory_detail import MemoryDetail
from chatmem.ui.widgets.memory_filters import FilterLine
from chatmem.ui.widgets.memory_list import MemoryList
from tests.fakes.builders import NOON, a_fact
from tests.ui.memory_hands import NEWEST_FIRST, of_ana, opened, row_text
from tests.ui.memory_services import MemoryServices


async def test_the_newest_memories_come_first_with_kind_date_and_pin() -> None:
    async with opened(of_ana()) as hands:
        lines = hands.lines()

        assert hands.texts() == NEWEST_FIRST
        assert [line[1] for line in lines] == ["◆", "▸", "●", "●", "●"]
        assert lines[0].endswith("2026-03-09")
        assert lines[4].endswith("★ 2026-03-05")


async def test_the_count_names_what_no_longer_holds() -> None:
    services = of_ana()
    services.learn("The user lives in Braga.", day=6, status=Status.SUPERSEDED)

    async with opened(services) as hands:
        assert hands.said("#memory-count") == "6 memories, 1 superseded"


async def test_an_empty_store_says_what_to_do() -> None:
    async with opened(MemoryServices()) as hands:
        assert "Nothing is remembered yet." in hands.lines()[1]
        assert "press n" in " ".join(hands.lines())


async def test_a_search_shows_the_ranking_of_recall_with_its_scores() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("slash", *"peanuts")

        assert hands.texts()[0] == "The user is allergic to peanuts."
        assert re.search(r"[+-]\d\.\d\d 2026-03-07$", hands.lines()[0])
        assert "found" in hands.said("#memory-count")
        assert "best match first" in hands.line()


async def test_the_detail_of_something_found_tells_the_parts_of_its_score() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("slash", *"peanuts")

        assert re.search(r"Found with \S+ \(words \S+ meaning \S+.*\)", hands.detail())


async def test_letters_typed_into_the_search_are_letters() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("slash", *"feaprkso")

        assert hands.app.screen.query_one(Input).value == "feaprkso"
        assert isinstance(hands.app.screen, MemoryScreen)


async def test_enter_goes_from_the_search_to_the_list_and_from_there_to_the_detail() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("slash", *"porto", "enter")
        at_first = hands.app.focused
        await hands.press("enter")

        assert isinstance(at_first, MemoryList)
        assert isinstance(hands.app.focused, MemoryDetail)


async def test_a_search_that_finds_nothing_says_so() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("slash", *"zzzz")

        assert "Recall finds nothing for this" in hands.lines()[1]


async def test_the_keys_of_the_filters_go_through_their_values() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("k", "k")
        assert hands.texts() == ["Rita visits in May."]

        await hands.press("k", "k", "o")
        assert hands.texts() == ["The user is called Ana."]

        await hands.press("s", "s")
        assert "No memory passes these filters." in hands.lines()[1]


async def test_a_click_on_a_filter_chooses_the_next_value() -> None:
    async with opened(of_ana()) as hands:
        across = hands.line().index("any kind")

        await hands.click(FilterLine, across + 1, 0)
        assert "facts" in hands.line()
        assert hands.texts() == NEWEST_FIRST[2:]

        await hands.click(FilterLine, hands.line().index("x clear") + 1, 0)
        assert hands.texts() == NEWEST_FIRST


async def test_the_detail_shows_the_quote_in_its_turn_with_session_and_date() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("down", "down", "down")

        source = hands.app.screen.query_one("#memory-sources Static", Static)
        assert "The user lives in Porto." in hands.detail()
        assert "● Fact · about you · home" in hands.detail()
        assert str(source.content) == (
            "Moving to Porto · 4 March 2026, 12:01\n"
            "Hi! I'm Ana. I moved to Porto last month. I'm allergic to peanuts, so I cook myself.\n"
            "You: Please keep answers short. My sister Rita visits in May."
        )


async def test_a_memory_written_by_hand_says_so() -> None:
    services = MemoryServices()
    services.learn("The user likes tea.", extractor=Extractor.USER)

    async with opened(services) as hands:
        assert "written by you" in hands.detail()
        assert "You wrote this by hand" in hands.detail()


async def test_a_quote_whose_turn_is_gone_is_shown_as_it_was_noted() -> None:
    services = MemoryServices()
    services.learn("The user likes tea.", quotes=of_ana().memories.select(MemoryFilter())[0].quotes)

    async with opened(services) as hands:
        assert "a session that is gone" in hands.detail()
        assert "My sister Rita visits in May." in hands.detail()
        assert "The turn itself is gone" in hands.detail()


async def test_a_turn_that_lost_words_to_forgetting_says_so() -> None:
    services = of_ana()
    services.log.redact(TurnId("s1t2"), "[forgotten] It rains.")

    async with opened(services) as hands:
        assert "[forgotten] It rains." in hands.detail()
        assert "Part of this turn was forgotten" in hands.detail()


async def test_a_superseded_memory_names_what_replaced_it() -> None:
    services = MemoryServices()
    new = services.learn("The user lives in Braga.", day=1)
    services.learn("The user lives in Porto.", day=2, status=Status.SUPERSEDED, superseded_by=new.id, valid_to=NOON)

    async with opened(services) as hands:
        assert "Superseded: held from 6 March 2026 to 4 March 2026" in hands.detail()
        assert "replaced by  ● The user lives in Braga." in hands.detail()


async def test_escapes_and_markup_in_a_memory_are_shown_as_plain_text() -> None:
    services = MemoryServices()
    services.learn("[red]The user\x1b[31m likes\x00 tea.[/red]")

    async with opened(services) as hands:
        assert hands.texts() == ["[red]The user likes tea.[/red]"]
        assert "[red]The user likes tea.[/red]" in hands.detail()


async def test_p_pins_and_unpins_and_stays_at_the_memory() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("down", "p")
        assert "★" in hands.lines()[1]
        assert "pinned" in hands.detail()

        await hands.press("p")
        assert "★" not in hands.lines()[1]


async def test_a_store_that_can_not_be_read_is_told_and_tried_again() -> None:
    services = of_ana()
    services.memories.broken = "The memory store can't be read. Run `chatmem doctor`."

    async with opened(services) as hands:
        assert hands.notices() == [services.memories.broken]
        assert hands.said("#memory-count") == "Not read; r tries again"

        services.memories.broken = ""
        await hands.press("r")
        assert hands.texts() == NEWEST_FIRST


async def test_a_reload_stays_at_the_memory_even_when_newer_ones_came() -> None:
    services = of_ana()

    async with opened(services) as hands:
        await hands.press("down", "down")
        services.learn("The user has a cat.", day=20)
        await hands.press("r")

        assert hands.texts()[0] == "The user has a cat."
        assert hands.shown.row is not None
        assert hands.shown.row.text == "The user is allergic to peanuts."


async def test_escape_goes_back() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("escape")

        assert not isinstance(hands.app.screen, MemoryScreen)


async def test_pages_ends_and_the_mouse_move_through_a_long_list() -> None:
    services = MemoryServices()
    for number in range(60):
        services.learn(f"Number {number}.", day=-number)

    async with opened(services) as hands:
        page = hands.shown.size.height
        await hands.press("pagedown")
        assert row_text(hands) == f"Number {page - 1}."

        await hands.press("end")
        assert row_text(hands) == "Number 59."
        assert hands.texts()[-1] == "Number 59."

        await hands.click(MemoryList, 10, 0)
        assert row_text(hands) == f"Number {60 - page}."

        await hands.press("home")
        assert row_text(hands) == hands.texts()[0] == "Number 0."


async def test_a_hundred_thousand_memories_are_shown_walked_and_sorted_at_once() -> None:
    services = MemoryServices()
    many = [
        a_fact("A.", id=MemoryId(f"m{number}"), created_at=NOON - timedelta(minutes=number), importance=number % 7 / 7)
        for number in range(100_000)
    ]
    services.memories.put(many, [None] * len(many))
    async with opened(services, (150, 45)) as hands:
        started = process_time()
        await hands.press("end")
        at_end = hands.shown.row
        await hands.press("home", "t", "t")
        worked_s = process_time() - started

        assert hands.said("#memory-count") == "100,000 memories"
        assert at_end is not None
        assert at_end.id == many[-1].id
        assert hands.lines()[0].endswith("0.86 2026-03-04")
        assert worked_s < 5
