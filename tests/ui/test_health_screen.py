"""How memory does, on the health screen."""

from datetime import UTC, datetime, timedelta

import pytest
from textual.widgets import Sparkline

from chatmem.domain.errors import StoreError
from chatmem.domain.memory import Kind, Memory, MemoryId, Status
from chatmem.domain.model import Usage
from chatmem.ui.screens.health import HealthScreen, StaleList
from chatmem.ui.services import DiskUse
from chatmem.ui.widgets.health_report import learned_daily, look_over, repeated
from tests.fakes.builders import NOON, a_fact, a_turn
from tests.ui.chatting import chatting
from tests.ui.driving import notices
from tests.ui.services import FakeServices
from tests.ui.upkeep_hands import SIZES, at, press, shown


def a_memory(text: str, day: int = 0, **changes: object) -> Memory:
    then = NOON + timedelta(days=day)
    times = {"created_at": then, "updated_at": then, "valid_from": then}
    return a_fact(text, **({"id": MemoryId(text[:12])} | times | changes))


def after_a_while() -> FakeServices:
    """Two memories are stale after 100 days, one is not; two secrets were said, and models were asked."""
    services = FakeServices()
    services.said(a_turn(1))
    services.remembers(
        a_memory("Ana lives in Porto."),
        a_memory("Ana sails.", day=1, importance=0.9),
        a_memory("Keep answers short.", day=99, kind=Kind.PROCEDURE),
        a_memory("Gone.", day=2, status=Status.RETIRED),
    )
    services.meter.count_blocked(["password", "password"])
    services.meter.count_call("chat", "fake", Usage(prompt_tokens=12_345, completion_tokens=678, cost_usd=0.31))
    services.meter.count_call("consolidation", "fake", Usage(prompt_tokens=90, completion_tokens=12))
    services.clock.set(NOON + timedelta(days=100))
    return services


def active(services: FakeServices) -> set[str]:
    return {memory.text for memory in services.journal.latest() if memory.status is Status.ACTIVE}


@pytest.mark.parametrize("size", SIZES)
async def test_memories_are_counted_by_kind_and_status(size: tuple[int, int]) -> None:
    async with at(HealthScreen(after_a_while()), size) as pilot:
        rows = {line.split()[0]: line.split()[1:5] for line in shown(pilot).split("\n") if line.strip()}

        assert rows["facts"] == ["2", "0", "0", "1"]
        assert rows["procedures"] == ["1", "0", "0", "0"]


@pytest.mark.parametrize("size", SIZES)
async def test_growth_is_drawn_and_told(size: tuple[int, int]) -> None:
    async with at(HealthScreen(after_a_while()), size) as pilot:
        line = pilot.app.screen.query_one(Sparkline)

        assert "Learned 1 memory in 30 days, most on 11 June: 1" in shown(pilot)
        assert line.display
        assert list(line.data or ())[-3:] == [0, 1, 0]


async def test_every_figure_is_shown() -> None:
    async with at(HealthScreen(after_a_while()), (150, 45)) as pilot:
        screen = shown(pilot)

        for words in (
            "from 1 session, 1 turn",
            "Nothing was recalled yet.",
            "2 memories stale",
            "0 memories repeated",
            "2 × password",  # noqa: RUF001 it is a times sign
            "12,345         678       $0.31",
            "90          12        free",
            "1 MB, 300 kB of it dead",
        ):
            assert words in screen


async def test_the_figures_can_be_scrolled_to_their_end_on_a_small_screen() -> None:
    async with at(HealthScreen(after_a_while()), (80, 24)) as pilot:
        await press(pilot, "tab", "end")

        assert "300 kB of it dead" in shown(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_what_is_stale_stands_in_a_list_the_least_important_first(size: tuple[int, int]) -> None:
    async with at(HealthScreen(after_a_while()), size) as pilot:
        screen = shown(pilot)

        assert "Not used for 90 days (2)" in screen
        assert screen.index("Ana lives in Porto.") < screen.index("Ana sails.")
        assert "k Keep  d Retire" in screen


async def test_k_keeps_a_stale_memory() -> None:
    services = after_a_while()
    async with at(HealthScreen(services)) as pilot:
        await press(pilot, "k")

        assert [one.memory.text for one in services.hygiene.stale(services.clock.now())] == ["Ana sails."]
        assert "Not used for 90 days (1)" in shown(pilot)
        assert notices(pilot) == ["Kept: Ana lives in Porto.\nF9 in the chat can take it back."]


async def test_d_retires_it() -> None:
    services = after_a_while()
    async with at(HealthScreen(services)) as pilot:
        await press(pilot, "down", "d")

        assert active(services) == {"Ana lives in Porto.", "Keep answers short."}


@pytest.mark.parametrize("size", SIZES)
async def test_with_nothing_to_count_it_says_what_to_do(size: tuple[int, int]) -> None:
    async with at(HealthScreen(FakeServices()), size) as pilot:
        screen = shown(pilot)

        assert "There is nothing to count yet. Talk with the model" in screen
        assert "Retire" not in screen
        assert not pilot.app.screen.query_one(StaleList).display


class UnreadableServices(FakeServices):
    """Services whose files can't be measured while `broken`."""

    broken = True

    def disk_use(self) -> DiskUse:
        if self.broken:
            raise StoreError("The memory store can't be read.")
        return super().disk_use()


async def test_what_cannot_be_read_is_told_and_read_again_with_r() -> None:
    services = UnreadableServices()
    async with at(HealthScreen(services)) as pilot:
        told = (notices(pilot), shown(pilot).split("\n")[0])
        services.broken = False
        await press(pilot, "r")

        assert told == (["The memory store can't be read."], " Not read; r tries again")
        assert shown(pilot).startswith(" How memory does")


async def test_the_command_opens_it_from_the_chat() -> None:
    async with chatting(FakeServices()) as pilot:
        await press(pilot, *"/health", "enter")

        assert isinstance(pilot.app.screen, HealthScreen)


def test_memories_with_the_same_words_are_repeated_unless_one_denies_the_other() -> None:
    same = [a_memory("Ana likes boats."), a_memory("Ana likes the boats.", id=MemoryId("m2"))]
    denied = a_memory("Ana does not like boats.", id=MemoryId("m3"))
    of_another = a_memory("Ana likes boats.", id=MemoryId("m4"), subject="Rita")

    assert repeated([*same, denied, of_another]) == 1


def test_what_was_learned_long_ago_is_no_growth() -> None:
    now = datetime(2026, 3, 31, 12, tzinfo=UTC)

    daily = learned_daily([a_memory("Old.", day=-40), a_memory("New.", day=27), a_memory("Newer.", day=27)], now)

    assert (len(daily), sum(daily), daily[-1]) == (30, 2, 2)


def test_memories_in_doubt_are_counted() -> None:
    services = FakeServices()
    services.remembers(a_memory("Ana lives in Porto.", doubt="It moved."))

    assert look_over(services).doubtful == 1
