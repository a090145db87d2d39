import re
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from time import perf_counter

from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Button, Input, RadioButton, Static, TextArea
from textual.widgets._toast import Toast
from textual.worker import WorkerCancelled

from chatmem.domain.memory import Extractor, Kind, MemoryId, Status
from chatmem.domain.turn import TurnId
from chatmem.ports.memory_store import MemoryFilter
from chatmem.ui.screens.memory import PAGE, MemoryScreen
from chatmem.ui.screens.memory_dialogs import ForgetDialog, WriteDialog
from chatmem.ui.services import Services
from chatmem.ui.widgets.memory_detail import MemoryDetail
from chatmem.ui.widgets.memory_filters import MemoryFilters
from chatmem.ui.widgets.memory_list import MemoryList
from chatmem.ui.widgets.memory_rows import MemoryRow
from tests.fakes.builders import NOON
from tests.ui.memory_services import MemoryServices, Saying


class Host(App[None]):
    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services = services

    def on_mount(self) -> None:
        self.push_screen(MemoryScreen(self._services))


class Hands:
    """What a person does and sees."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot
        self.app = pilot.app

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def click(self, widget: type | str, x: int, y: int) -> None:
        await self.pilot.click(widget, offset=(x, y))
        await self.settle()

    async def settle(self) -> None:
        await self.pilot.pause()
        while busy := [worker for worker in self.app.workers if worker.group != "dialog" and not worker.is_finished]:
            with suppress(WorkerCancelled):
                await self.app.workers.wait_for_complete(busy)
            await self.pilot.pause()

    @property
    def shown(self) -> MemoryList:
        return self.app.screen.query_one(MemoryList)

    def lines(self) -> list[str]:
        """What the list shows, from the top, without the blank lines at its end."""
        return (
            "\n".join(self.shown.render_line(y).text.rstrip() for y in range(self.shown.size.height))
            .rstrip()
            .split("\n")
        )

    def texts(self) -> list[str]:
        return [re.split(r" {2,}|…", line[3:])[0] for line in self.lines()]

    def detail(self) -> str:
        return "\n".join(str(part.content) for part in self.app.screen.query_one(MemoryDetail).query(Static))

    def said(self, selector: str) -> str:
        return str(self.app.screen.query_one(selector, Static).content)

    def notices(self) -> list[str]:
        return [str(toast.render()) for toast in self.app.screen.query(Toast)]


@asynccontextmanager
async def opened(services: Services, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Hands]:
    async with Host(services).run_test(size=size, notifications=True) as pilot:
        hands = Hands(pilot)
        await hands.settle()
        yield hands


def of_ana() -> MemoryServices:
    services = MemoryServices()
    moved = services.say("Hi! I'm Ana. I moved to Porto last month. I'm allergic to peanuts, so I cook myself.")
    short = services.say("Please keep answers short. My sister Rita visits in May.")
    services.learn("The user is called Ana.", Saying(moved, "I'm Ana."), day=1, pinned=True)
    services.learn("The user lives in Porto.", Saying(moved, "I moved to Porto last month."), day=2, slot="home")
    services.learn("The user is allergic to peanuts.", Saying(moved, "I'm allergic to peanuts"), day=3)
    services.learn("Keep answers short.", Saying(short, "keep answers short."), day=4, kind=Kind.PROCEDURE)
    services.learn("Rita visits in May.", Saying(short, "My sister Rita visits in May."), day=5, kind=Kind.EPISODE)
    return services


NEWEST_FIRST = [
    "Rita visits in May.",
    "Keep answers short.",
    "The user is allergic to peanuts.",
    "The user lives in Porto.",
    "The user is called Ana.",
]


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
        assert "press a" in " ".join(hands.lines())


async def test_a_search_shows_the_ranking_of_recall_with_its_scores() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("slash", *"peanuts")

        assert hands.texts()[0] == "The user is allergic to peanuts."
        assert re.search(r"[+-]\d\.\d\d 2026-03-07$", hands.lines()[0])
        assert "found, best first" in hands.said("#memory-count")


async def test_the_detail_of_something_found_tells_the_parts_of_its_score() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("slash", *"peanuts")

        assert re.search(r"Found with \S+ \(words \S+ meaning \S+\)", hands.detail())


async def test_letters_typed_into_the_search_are_letters() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("slash", *"feaprkso")

        assert hands.app.screen.query_one(Input).value == "feaprkso"
        assert isinstance(hands.app.screen, MemoryScreen)


async def test_enter_goes_from_the_search_to_the_list_and_from_there_to_the_detail() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("slash", *"porto", "enter")
        assert hands.app.focused is hands.shown

        await hands.press("enter")
        assert hands.app.focused is hands.app.screen.query_one(MemoryDetail)


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


async def test_a_click_on_a_filter_chooses_it_and_a_second_click_takes_it_back() -> None:
    async with opened(of_ana()) as hands:
        filters = hands.app.screen.query_one(MemoryFilters)
        across = filters.kinds.region.x + 12

        await hands.click(MemoryFilters, across, 0)
        assert (filters.kinds.value, hands.texts()) == (Kind.EPISODE, ["Rita visits in May."])

        await hands.click(MemoryFilters, across, 0)
        assert (filters.kinds.value, hands.texts()) == (None, NEWEST_FIRST)


async def test_the_detail_shows_the_quote_in_its_turn_with_session_and_date() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("down", "down", "down")

        source = hands.app.screen.query_one("#memory-sources Static", Static)
        assert "The user lives in Porto." in hands.detail()
        assert "● Fact · about you · home" in hands.detail()
        assert str(source.content) == (
            "Moving to Porto · 4 March 2026, 12:01\n"
            "Hi! I'm Ana. I moved to Porto last month. I'm allergic to peanuts, so I cook myself."
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
        assert "Replaced by: The user lives in Braga." in hands.detail()


async def test_escapes_and_markup_in_a_memory_are_shown_as_plain_text() -> None:
    services = MemoryServices()
    services.learn("[red]The user\x1b[31m likes\x00 tea.[/red]")

    async with opened(services) as hands:
        assert hands.texts() == ["[red]The user likes tea.[/red]"]
        assert "[red]The user likes tea.[/red]" in hands.detail()


async def test_an_edit_is_saved_with_ctrl_s() -> None:
    services = of_ana()

    async with opened(services) as hands:
        await hands.press("e", "ctrl+u", *"Rita came.", "ctrl+s")

        assert hands.texts()[0] == "Rita came."
        assert "Rita came." in hands.detail()
        assert "changed on" in hands.detail()


async def test_escape_leaves_an_edit_without_saving() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("e", *"xyz", "escape")

        assert hands.texts() == NEWEST_FIRST


async def test_an_edit_that_is_refused_keeps_the_dialog_and_its_text() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("e", "ctrl+u", "space", "ctrl+s")

        assert isinstance(hands.app.screen, WriteDialog)
        assert hands.app.screen.query_one(TextArea).text == " "
        assert hands.notices() == ["A memory needs a text."]


async def test_a_memory_that_another_window_forgot_is_not_edited() -> None:
    services = of_ana()

    async with opened(services) as hands:
        services.memories.erase([services.memories.select(MemoryFilter())[0].id])
        await hands.press("e")

        assert isinstance(hands.app.screen, MemoryScreen)
        assert "forgotten meanwhile" in hands.notices()[0]


async def test_a_memory_can_be_written_by_hand_with_its_kind() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("a", *"Say thanks.")
        hands.app.screen.query(RadioButton).last().value = True
        await hands.press("ctrl+s")

        assert hands.texts()[0] == "Say thanks."
        assert hands.lines()[0][1] == "▸"
        assert hands.shown.row is not None
        assert hands.shown.row.text == "Say thanks."


async def test_p_pins_and_unpins_and_stays_at_the_memory() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("down", "p")
        assert "★" in hands.lines()[1]
        assert "pinned" in hands.detail()

        await hands.press("p")
        assert "★" not in hands.lines()[1]


async def test_forgetting_shows_what_goes_and_then_its_proof() -> None:
    services = of_ana()

    async with opened(services) as hands:
        await hands.press("down", "down", "f")
        preview = hands.said("#forget-report")
        await hands.press("y")

        assert "1 memory will be erased" in preview
        assert "1 turn loses words" in preview
        assert "I'm allergic to peanuts" in preview
        assert "[forgotten]" in preview
        assert re.fullmatch(
            r"Erased 1 memory, 1 turn redacted, 0 traces left on disk \(\d+ ms\)\.", hands.said("#forget-report")
        )


async def test_after_forgetting_the_list_goes_on_in_its_place() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("down", "down", "f")
        await hands.press("y")
        await hands.press("escape")

        assert "The user is allergic to peanuts." not in hands.texts()
        assert hands.shown.row is not None
        assert hands.shown.row.text == "The user lives in Porto."


async def test_what_is_not_confirmed_is_kept() -> None:
    async with opened(of_ana()) as hands:
        await hands.press("f")
        await hands.press("enter")

        assert isinstance(hands.app.screen, MemoryScreen)
        assert hands.texts() == NEWEST_FIRST


class LeftOver:
    """A file that keeps what it was told to lose."""

    def scrub(self) -> None: ...

    def residue(self, needles: Sequence[str]) -> int:
        return 3


async def test_traces_that_are_left_are_told_as_a_failure() -> None:
    services = of_ana()
    services.files.append(LeftOver())

    async with opened(services) as hands:
        await hands.press("f")
        await hands.press("y")

        assert "3 traces left on disk" in hands.said("#forget-report")
        assert "can still be found" in hands.said("#forget-report")
        assert hands.said(".title") == "Not all of it is gone"


class SlowFile:
    """A file that takes its time."""

    def __init__(self) -> None:
        self.go_on = threading.Event()

    def scrub(self) -> None:
        assert self.go_on.wait(10)

    def residue(self, needles: Sequence[str]) -> int:
        return 0


async def test_an_erasure_that_runs_is_shown_and_can_not_be_left() -> None:
    services, slow = of_ana(), SlowFile()
    services.files.append(slow)

    async with opened(services) as hands:
        await hands.press("f")
        await hands.pilot.press("y", "escape")
        assert isinstance(hands.app.screen, ForgetDialog)
        assert hands.app.screen.query_one("LoadingIndicator").display
        assert hands.app.screen.query_one("#forget", Button).disabled

        slow.go_on.set()
        await hands.settle()
        assert hands.said("#forget-report").startswith("Erased 1 memory")


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


async def test_a_long_list_is_filled_at_once_and_then_read_to_its_end() -> None:
    services = MemoryServices()
    for number in range(PAGE + 20):
        services.learn(f"Number {number}.", day=-number)

    async with opened(services) as hands:
        await hands.press("end")

        assert hands.said("#memory-count") == f"{PAGE + 20} memories"
        assert row_text(hands) == f"Number {PAGE + 19}."


async def test_a_hundred_thousand_rows_are_shown_at_once() -> None:
    rows = [
        MemoryRow(
            id=MemoryId(f"m{number}"),
            kind=Kind.FACT,
            status=Status.ACTIVE,
            pinned=False,
            text=f"Number {number}.",
            created_at=NOON,
        )
        for number in range(100_000)
    ]
    async with opened(MemoryServices(), (150, 45)) as hands:
        started = perf_counter()
        hands.shown.show(rows)
        await hands.pilot.pause()
        drawn_s = perf_counter() - started

        assert hands.texts()[0] == "Number 0."
        assert drawn_s < 1.0


def row_text(hands: Hands) -> str:
    row = hands.shown.row
    return row.text if row else ""
