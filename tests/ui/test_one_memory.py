"""One memory by itself: its time line, its neighbours, its words and its history; and what can be done to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import PurePath
from typing import ClassVar

import pytest
from textual.app import App
from textual.widgets import Input, RadioButton, TextArea

from chatmem.consolidation.reconcile import change_set
from chatmem.domain.change import Cause, Change
from chatmem.domain.memory import Kind, Link, Memory, MemoryId, Relation, Status
from chatmem.domain.turn import Role
from chatmem.ui.screens.memory_writing import parts_of
from chatmem.ui.screens.one_memory import Left, OneMemoryScreen
from chatmem.ui.widgets.citation_calls import Place
from chatmem.ui.widgets.memory_detail import MemoryDetail
from chatmem.ui.widgets.time_line import TimeLine, drawn, stretches
from tests.fakes.builders import NOON, a_fact
from tests.ui.memory_hands import Hands, opened
from tests.ui.memory_services import MemoryServices, Saying

SIZES = [(80, 24), (150, 45)]


class Host(App[None]):
    CSS_PATH: ClassVar[list[str | PurePath]] = ["../../chatmem/ui/app.tcss"]

    def __init__(self, services: MemoryServices, memory_id: MemoryId) -> None:
        super().__init__()
        self._services = services
        self._memory_id = memory_id
        self.left: Left | None = None

    def on_mount(self) -> None:
        self.push_screen(OneMemoryScreen(self._services, self._memory_id), self._note)

    def _note(self, left: Left | None) -> None:
        self.left = left


@asynccontextmanager
async def shown(
    services: MemoryServices, memory: Memory, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Hands, Host]]:
    host = Host(services, memory.id)
    async with host.run_test(size=size, notifications=True) as pilot:
        hands = Hands(pilot)
        await hands.settle()
        yield hands, host


def stored(services: MemoryServices, *memories: Memory) -> None:
    """Store memories with their change sets."""
    changes = [Change(before=None, after=memory) for memory in memories]
    services.writer.write(change_set(Cause.ADD, changes, services.clock.now(), memories[0].id))
    services.clock.advance(60)


def a_move(services: MemoryServices) -> tuple[Memory, Memory]:
    """A home, and the one before it."""
    services.say("Where do you live?", role=Role.ASSISTANT)
    said = services.say("I moved to Porto last month.")
    services.say("How is it there?", role=Role.ASSISTANT)
    now = services.learn("I live in Porto.", Saying(said, "moved to Porto"), day=30)
    services.memories.erase([now.id])
    before = a_fact("I live in Braga.", status=Status.SUPERSEDED, superseded_by=now.id, valid_to=now.valid_from)
    now = replace(now, links=(Link(to=before.id, relation=Relation.REPLACES, reason="Another home was told later."),))
    stored(services, before, now)
    return now, before


@pytest.mark.parametrize("size", SIZES)
async def test_a_memory_is_shown_in_time_among_its_neighbours_and_with_the_words_around_its_own(
    size: tuple[int, int],
) -> None:
    services = MemoryServices()
    home, _ = a_move(services)

    async with shown(services, home, size) as (hands, _):
        told = hands.detail()

        assert "1 replaces  ● I live in Braga." in told
        assert "Another home was told later." in told
        assert "I moved to Porto last month." in told
        line = str(hands.app.screen.query_one(TimeLine).render())
        assert [row.split()[0] for row in line.splitlines()] == ["said", "holds", "learned"]
        assert "since 2026-04-03" in line
        assert "60 days since it was told · 0 uses, so strength 1" in told


async def test_links_are_walked_by_digits_and_back() -> None:
    services = MemoryServices()
    home, before = a_move(services)

    async with shown(services, home) as (hands, _):
        await hands.press("1")
        assert hands.said("#memory-text") == before.text
        assert "1 replaced by  ● I live in Porto." in hands.detail()

        await hands.press("1")
        assert hands.said("#memory-trail").count("›") == 2  # noqa: RUF001

        await hands.press("backspace", "backspace", "backspace")
        assert hands.said("#memory-text") == home.text


async def test_from_a_memory_one_goes_to_the_very_turn() -> None:
    services = MemoryServices()
    home, _ = a_move(services)
    quote = home.quotes[0]

    async with shown(services, home) as (hands, host):
        await hands.press("s")

        assert host.left == Left(place=Place(quote.session_id, quote.turn_id))


async def test_a_click_walks_a_link_and_another_goes_to_the_words() -> None:
    services = MemoryServices()
    home, before = a_move(services)

    async with shown(services, home) as (hands, host):
        await hands.click("#memory-links", 8, 1)
        assert hands.said("#memory-text") == before.text

        await hands.press("backspace", "end")
        await hands.click("#memory-sources Static", 3, 0)
        assert host.left == Left(place=Place(home.quotes[0].session_id, home.quotes[0].turn_id))


async def test_what_was_written_by_hand_has_no_turn_to_go_to() -> None:
    services = MemoryServices()
    memory = services.curator.add("I row.")

    async with shown(services, memory) as (hands, host):
        await hands.press("s")

        assert host.left is None
        assert "written by hand" in hands.notices()[0]


async def test_of_what_was_taken_over_the_file_is_told() -> None:
    services = MemoryServices()
    memory = services.learn("I row.", imported_from="claude.json")

    async with shown(services, memory) as (hands, _):
        await hands.press("s")

        assert hands.notices() == ["It was taken over from claude.json: no turn stands behind it."]


async def test_an_edit_changes_kind_and_slot_and_the_history_tells_it() -> None:
    services = MemoryServices()
    memory = services.curator.add("For emails, be short.")
    services.clock.advance(60)

    async with shown(services, memory) as (hands, host):
        await hands.press("e")
        hands.app.screen.query(RadioButton).last().value = True
        hands.app.screen.query_one(Input).value = "tone"
        await hands.press("ctrl+s")

        assert "▸ Procedure · about you · tone" in hands.detail()
        assert "Applies: For emails" in hands.detail()
        assert "kind: fact → procedure" in hands.detail()
        assert "edited by you" in hands.detail()
        await hands.press("escape")
        assert host.left == Left(changed=True)


async def test_a_memory_is_split_by_the_lines_of_its_text() -> None:
    services = MemoryServices()
    memory = services.curator.add("I live in Porto and I work as a nurse.")
    services.clock.advance(60)

    async with shown(services, memory) as (hands, _):
        await hands.press("S")
        assert hands.app.screen.query_one(TextArea).text == "I live in Porto\nI work as a nurse."
        await hands.press("ctrl+s")

        assert "2 became" in hands.detail()
        assert services.memories.get([memory.id])[0].status is Status.SUPERSEDED


@pytest.mark.parametrize(("key", "tombstones"), [("w", 0), ("n", 1), ("escape", 0)])
async def test_calling_a_memory_wrong_asks_whether_it_may_be_learned_again(key: str, tombstones: int) -> None:
    services = MemoryServices()
    memory = services.curator.add("I row.")
    services.clock.advance(60)

    async with shown(services, memory) as (hands, _):
        await hands.press("w", key)

        assert ("You said that this is wrong." in hands.detail()) == (key != "escape")
        assert len(services.journal.tombstones()) == tombstones


async def test_a_memory_that_is_forgotten_here_is_left() -> None:
    services = MemoryServices()
    memory = services.curator.add("I row.")

    async with shown(services, memory) as (hands, host):
        await hands.press("f", "y", "escape")

        assert host.left == Left(forgotten=True, changed=True)
        assert services.memories.get([memory.id]) == []


async def test_a_memory_that_is_gone_is_told_so() -> None:
    services = MemoryServices()

    async with shown(services, a_fact()) as (hands, _):
        assert "forgotten meanwhile" in hands.detail()
        await hands.press("e", "1", "s", "backspace")


async def test_marked_memories_are_merged_from_the_list() -> None:
    services = MemoryServices()
    services.curator.add("I row.")
    services.clock.advance(60)
    services.curator.add("The tram stops in front of my house.")
    services.clock.advance(60)

    async with opened(services) as hands:
        await hands.press("a", "m", "ctrl+u", *"I row by tram.", "ctrl+s")

        assert hands.texts()[0] == "I row by tram."
        assert "2 superseded" in hands.said("#memory-count")


async def test_one_memory_alone_is_not_merged() -> None:
    services = MemoryServices()
    services.curator.add("I row.")

    async with opened(services) as hands:
        await hands.press("m")

        assert "two memories" in hands.notices()[0]


async def test_the_list_looks_back_to_a_day_and_comes_back() -> None:
    services = MemoryServices()
    memory = services.curator.add("I row.")
    services.clock.advance(3 * 24 * 3600)
    services.curator.edit(memory.id, "I row on Sundays.")

    async with opened(services) as hands:
        await hands.press("d", *f"{memory.created_at:%Y-%m-%d}", "enter")
        assert hands.texts() == ["I row."]
        assert "as of 3 May 2026: 1 memory" in hands.said("#memory-count")

        await hands.press("d", "enter")
        assert hands.texts() == ["I row on Sundays."]


async def test_enter_on_a_row_opens_the_memory_by_itself_and_escape_comes_back() -> None:
    services = MemoryServices()
    services.curator.add("I row.")

    async with opened(services) as hands:
        await hands.press("enter")
        assert isinstance(hands.app.screen, OneMemoryScreen)

        await hands.press("escape")
        assert hands.texts() == ["I row."]


def test_a_time_line_is_drawn_on_one_scale() -> None:
    memory = a_fact(event_date="2026-02", valid_to=NOON + timedelta(days=40), status=Status.SUPERSEDED)
    now = NOON + timedelta(days=60)

    lines = str(drawn(list(stretches(memory, now)), now, 60)).splitlines()

    assert [line.split()[0] for line in lines] == ["said", "happened", "held", "learned"]
    assert all(len(line) <= 60 for line in lines)
    track = {line.split()[0]: line[10:] for line in lines}
    assert track["happened"].index("━") == 0
    assert track["said"].index("◆") == track["held"].index("━") == track["learned"].index("◆")
    assert "▶" not in track["held"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I row. I sing.", "I row.\nI sing."),
        ("I row and I sing.", "I row\nI sing."),
        ("I row.", "I row."),
    ],
)
def test_a_split_is_proposed_by_sentences_or_at_the_word_that_joins_two(text: str, parts: str) -> None:
    assert parts_of(text) == parts


async def test_the_kind_of_a_memory_is_chosen_when_it_is_written() -> None:
    services = MemoryServices()

    async with opened(services) as hands:
        await hands.press("n", *"Rita came.")
        list(hands.app.screen.query(RadioButton))[1].value = True
        await hands.press("ctrl+s")

        assert hands.shown.row is not None
        assert hands.shown.row.kind is Kind.EPISODE
        assert hands.app.screen.query_one(MemoryDetail)
