"""Searching in the conversation, and in all of them; writing one to a file."""

from pathlib import Path

import pytest
from textual.widgets import Input, OptionList, Static

from chatmem.domain.turn import SessionId
from chatmem.ui.screens.export import ExportDialog, file_name
from chatmem.ui.screens.search import SearchScreen
from chatmem.ui.widgets.find_bar import FindBar
from chatmem.ui.widgets.transcript import Transcript
from tests.fakes.builders import a_session
from tests.ui.chatting import chat, chatting, press, prompt, selected, status, with_sessions, words
from tests.ui.driving import AppPilot, notices, until
from tests.ui.services import FakeServices


def found(pilot: AppPilot) -> str:
    return str(chat(pilot).query_one("#found", Static).render())


def selected_seq(pilot: AppPilot) -> int:
    box = chat(pilot).query_one(Transcript).selected
    return box.turn.seq if box else 0


async def test_the_newest_hit_is_marked_while_one_types_and_the_keys_go_to_the_others() -> None:
    async with chatting(with_sessions(1, turns=20), session_id=SessionId("s1")) as pilot:
        await press(pilot, "ctrl+f", *"WORDS 1")
        newest = selected(pilot), found(pilot)
        await press(pilot, "up", "up")
        older = selected(pilot)
        await press(pilot, "down")

        assert newest == ("words 19", "1 of 11 · words 19")
        assert (older, selected(pilot)) == ("words 17", "words 18")


async def test_enter_stays_at_the_hit_and_escape_goes_back_to_the_prompt() -> None:
    async with chatting(with_sessions(1), session_id=SessionId("s1")) as pilot:
        await press(pilot, "ctrl+f", *"words 1", "enter")
        stayed = selected(pilot), chat(pilot).query_one(Transcript).has_focus
        await press(pilot, "ctrl+f", "escape")

        assert stayed == ("words 1", True)
        assert prompt(pilot).has_focus
        assert not chat(pilot).query_one(FindBar).display


async def test_a_hit_far_up_is_loaded_with_the_turns_around_it() -> None:
    async with chatting(with_sessions(1, turns=300), session_id=SessionId("s1")) as pilot:
        await press(pilot, "ctrl+f", *"words 42")
        await until(pilot, lambda: selected_seq(pilot) == 42)

        assert len(words(pilot)) == 30


async def test_scrolling_on_from_a_hit_far_up_reaches_the_newest_turn() -> None:
    async with chatting(with_sessions(1, turns=100), session_id=SessionId("s1"), size=(80, 24)) as pilot:
        await press(pilot, "ctrl+f", *"words 42", "enter")
        await until(pilot, lambda: selected_seq(pilot) == 42)
        while words(pilot)[-1] != "words 100":
            await press(pilot, "end")


async def test_what_is_said_after_a_look_back_stands_at_the_end() -> None:
    async with chatting(with_sessions(1, turns=100), session_id=SessionId("s1")) as pilot:
        await press(pilot, "ctrl+f", *"words 42", "escape", *"new", "enter")

        assert words(pilot)[-3:-1] == ["words 100", "new"]


async def test_nothing_found_says_so() -> None:
    async with chatting(with_sessions(1), session_id=SessionId("s1")) as pilot:
        await press(pilot, "ctrl+f", *"nowhere")

        assert (found(pilot), selected(pilot)) == ("nothing found", None)


@pytest.mark.parametrize("key", ["ctrl+g", "f6"])
async def test_a_search_over_all_sessions_opens_one_at_the_turn(key: str) -> None:
    async with chatting(with_sessions(3, turns=80)) as pilot:
        await press(pilot, key, *"words 7")
        screen = pilot.app.screen
        options = screen.query_one(OptionList)
        shown = options.option_count, str(options.get_option_at_index(2).prompt)
        await press(pilot, "down", "enter")
        await until(pilot, lambda: selected_seq(pilot) == 79)

        assert isinstance(screen, SearchScreen)
        assert shown[0] == 3 * 11
        assert shown[1].splitlines() == ["Session 1 · 4 Mar 2026 · you", "words 79"]
        assert chat(pilot).query_one(Transcript).has_focus


async def test_a_search_that_leads_to_the_open_session_goes_to_the_turn() -> None:
    async with chatting(with_sessions(1, turns=80), session_id=SessionId("s1")) as pilot:
        await press(pilot, "ctrl+g", *"words 3", "up", "enter")
        await until(pilot, lambda: selected_seq(pilot) == 3)

        assert status(pilot).startswith("fake")


async def test_a_search_that_finds_nothing_says_so_and_escape_goes_back() -> None:
    async with chatting(with_sessions(1)) as pilot:
        await press(pilot, "ctrl+g", *"nowhere", "enter")
        said = str(pilot.app.screen.query_one("#search-said", Static).render())
        await press(pilot, "escape")

        assert said == "No turn holds these words."
        assert pilot.app.screen is chat(pilot)


async def test_a_session_is_written_to_the_file_that_was_named(tmp_path: Path) -> None:
    services = with_sessions(1)
    file = tmp_path / "session.md"
    async with chatting(services, session_id=SessionId("s1")) as pilot:
        await press(pilot, "ctrl+s")
        pilot.app.screen.query_one(Input).value = str(file)
        await press(pilot, "enter")

        assert services.exported == [(SessionId("s1"), file)]
        assert notices(pilot) == [f"Written to {file}"]


async def test_a_file_that_is_there_is_replaced_only_when_asked_twice(tmp_path: Path) -> None:
    services = with_sessions(1)
    file = tmp_path / "session.md"
    file.write_text("old")
    async with chatting(services, session_id=SessionId("s1")) as pilot:
        await press(pilot, "ctrl+s")
        pilot.app.screen.query_one(Input).value = str(file)
        await press(pilot, "enter")
        asked = str(pilot.app.screen.query_one("#export-said", Static).render()), file.read_text()
        await press(pilot, "enter")

        assert asked == ("There is such a file already. Enter once more replaces it.", "old")
        assert services.exported == [(SessionId("s1"), file)]


async def test_tab_changes_the_format_and_escape_writes_nothing() -> None:
    services = with_sessions(1)
    async with chatting(services, session_id=SessionId("s1")) as pilot:
        await press(pilot, "ctrl+s")
        dialog = pilot.app.screen
        proposed = dialog.query_one(Input).value
        await press(pilot, "tab")
        changed = dialog.query_one(Input).value
        await press(pilot, "escape")

        assert isinstance(dialog, ExportDialog)
        assert (proposed, changed) == ("session-1-2026-03-04.md", "session-1-2026-03-04.json")
        assert services.exported == []


async def test_an_empty_conversation_is_not_exported() -> None:
    async with chatting(FakeServices()) as pilot:
        await press(pilot, "ctrl+s")

        assert notices(pilot) == ["Nothing was said here yet."]


def test_a_file_name_is_proposed_from_the_title() -> None:
    assert file_name(a_session(title="Ärger mit: dem/Boot?")) == "ärger-mit-dem-boot-2026-03-04.md"
    assert file_name(a_session(title="???")) == "conversation-2026-03-04.md"
