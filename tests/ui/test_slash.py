"""Commands that are typed into the prompt."""

import asyncio

import pytest
from textual import events
from textual.widgets import Input, Static

from chatmem.domain.errors import RefusedError
from chatmem.domain.memory import Kind, Memory
from chatmem.domain.model import Image
from chatmem.ui.screens.export import ExportDialog
from chatmem.ui.screens.help import HelpScreen, KeyTable
from chatmem.ui.screens.memory import MemoryScreen
from chatmem.ui.screens.models import ModelPicker
from chatmem.ui.screens.search import SearchScreen
from chatmem.ui.services import ScreenSettings
from chatmem.ui.widgets.slash_list import ROWS, SlashList
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.ui.chatting import chat, chatting, converse, press, prompt, say, users_words, with_sessions
from tests.ui.driving import AppPilot, notices, settled, until
from tests.ui.services import FakeServices

SIZES = [(80, 24), (150, 45)]


def listed(pilot: AppPilot) -> list[str]:
    """The rows of the list; none while it is hidden."""
    shown = chat(pilot).query_one(SlashList)
    return [line.rstrip() for line in str(shown.render()).splitlines()] if shown.display else []


def names(pilot: AppPilot) -> list[str]:
    return [row.split()[0] for row in listed(pilot)]


@pytest.mark.parametrize("size", SIZES)
async def test_a_slash_opens_a_small_list_that_narrows_and_goes_again(size: tuple[int, int]) -> None:
    async with chatting(FakeServices(), size=size) as pilot:
        await press(pilot, "slash")
        opened = names(pilot)
        room = chat(pilot).query_one(SlashList).region
        await press(pilot, "r", "e")
        narrowed = names(pilot)
        await press(pilot, "backspace", "backspace", "backspace")

        assert opened[:2] == ["/remember", "/new"]
        assert len(opened) == ROWS
        assert room.height == ROWS
        assert room.right <= size[0]
        assert narrowed == ["/remember", "/review", "/recalled"]
        assert listed(pilot) == []


@pytest.mark.parametrize("size", SIZES)
async def test_a_row_tells_what_the_command_does_within_its_width(size: tuple[int, int]) -> None:
    async with chatting(FakeServices(), size=size) as pilot:
        await press(pilot, *"/memo")

        (row,) = listed(pilot)
        assert row.startswith("/memory [WORDS]  Memories · See, trace")
        assert len(row) <= chat(pilot).query_one(SlashList).content_size.width


async def test_tab_writes_the_name_out_and_leaves_room_for_what_comes_behind_it() -> None:
    async with chatting(FakeServices()) as pilot:
        await press(pilot, *"/rem", "tab")

        assert prompt(pilot).text == "/remember "
        assert listed(pilot) == []
        assert prompt(pilot).has_focus


async def test_arrows_walk_through_the_list_around_its_ends() -> None:
    async with chatting(FakeServices()) as pilot:
        await press(pilot, "slash", "up", "tab")
        last = prompt(pilot).text
        await press(pilot, "ctrl+u", "slash", "down", "tab")

        assert last == "/quit"
        assert prompt(pilot).text == "/new"


async def test_enter_runs_the_highlighted_command_and_empties_the_prompt() -> None:
    async with chatting(FakeServices()) as pilot:
        await press(pilot, *"/hel", "enter")

        assert isinstance(pilot.app.screen, HelpScreen)
        assert prompt(pilot).text == ""


async def test_enter_on_a_command_that_needs_more_writes_its_name_out() -> None:
    async with chatting(FakeServices()) as pilot:
        await press(pilot, *"/rem", "enter")

        assert prompt(pilot).text == "/remember "


async def test_enter_picks_from_the_list_also_where_it_makes_new_lines() -> None:
    services = FakeServices(screen_settings=ScreenSettings(enter_sends=False))
    async with chatting(services) as pilot:
        await press(pilot, *"/hel", "enter")

        assert isinstance(pilot.app.screen, HelpScreen)


async def test_escape_closes_the_list_until_something_else_is_typed() -> None:
    async with chatting(FakeServices()) as pilot:
        await press(pilot, "slash", "escape")
        closed = listed(pilot)
        await press(pilot, "n")

        assert closed == []
        assert names(pilot) == ["/new"]


async def test_a_click_takes_a_command() -> None:
    async with chatting(FakeServices()) as pilot:
        await press(pilot, *"/hel")
        await pilot.click(SlashList, offset=(2, 0))
        await settled(pilot)

        assert isinstance(pilot.app.screen, HelpScreen)


@pytest.mark.parametrize("text", ["//remember this", "/usr/bin is full", " /quit"])
async def test_what_is_no_command_is_said_to_the_model(text: str) -> None:
    async with chatting(FakeServices(chat_model=ScriptedChatModel.of("ok"))) as pilot:
        await converse(pilot, text)

        assert users_words(pilot) == [text.strip()]


async def test_an_unknown_command_stays_in_the_prompt_and_is_told_with_near_names() -> None:
    services = FakeServices(chat_model=ScriptedChatModel.of("ok"))
    async with chatting(services, size=(80, 24)) as pilot:
        await say(pilot, "/remeber that")
        await settled(pilot)

        assert prompt(pilot).text == "/remeber that"
        assert prompt(pilot).border_subtitle == (
            "there is no /remeber, but /remember; a space before it sends it as text"
        )
        assert services.log.sessions() == []


async def test_remember_keeps_the_text_and_shows_what_was_stored() -> None:
    services = FakeServices()
    async with chatting(services) as pilot:
        await say(pilot, "/remember I live in Porto.")
        await settled(pilot)

        assert notices(pilot) == ["Remembered as a fact: I live in Porto."]
        assert [memory.text for memory in services.journal.latest()] == ["I live in Porto."]
        assert services.log.sessions() == []
        assert prompt(pilot).text == ""


async def test_what_could_not_be_remembered_comes_back_with_the_reason() -> None:
    class Refusing:
        def add(self, text: str, kind: Kind = Kind.FACT, slot: str | None = None) -> Memory:
            raise RefusedError("This was forgotten for good.")

    services = FakeServices()
    services.__dict__["curator"] = Refusing()
    async with chatting(services) as pilot:
        await say(pilot, "/remember I live in Porto.")
        await settled(pilot)

        assert notices(pilot) == ["This was forgotten for good."]
        assert prompt(pilot).text == "/remember I live in Porto."


async def test_consolidate_has_everything_learned_also_while_an_answer_arrives() -> None:
    hold = asyncio.Event()
    services = FakeServices(chat_model=ScriptedChatModel.of(Script(text="ok", hold=hold)))
    async with chatting(services) as pilot:
        await say(pilot, "words")
        await until(pilot, lambda: chat(pilot).pane.answering)
        await pilot.press(*"/consolidate", "enter")
        await until(pilot, lambda: services.consolidated == [None])
        hold.set()
        await settled(pilot)

        assert users_words(pilot) == ["words"]


async def test_memory_opens_what_is_remembered_with_the_search_begun() -> None:
    async with chatting(FakeServices()) as pilot:
        await say(pilot, "/memory bread")
        await settled(pilot)

        assert isinstance(pilot.app.screen, MemoryScreen)
        assert pilot.app.screen.query_one("#memory-search", Input).value == "bread"


@pytest.mark.parametrize("size", SIZES)
async def test_card_shows_what_is_known_on_one_page(size: tuple[int, int]) -> None:
    services = FakeServices()
    services.curator.add("My name is Ana.")
    async with chatting(services, size=size) as pilot:
        await say(pilot, "/card")
        await settled(pilot)
        shown = str(pilot.app.screen.query_one("#card", Static).render())
        await press(pilot, "escape")

        assert shown == "Current context\n- My name is Ana."
        assert pilot.app.screen is chat(pilot)


async def test_an_empty_card_says_where_it_comes_from() -> None:
    async with chatting(FakeServices()) as pilot:
        await say(pilot, "/card")
        await settled(pilot)

        assert "Nothing is known of you yet." in str(pilot.app.screen.query_one("#card", Static).render())


async def test_search_begins_with_the_words_given() -> None:
    async with chatting(with_sessions(1)) as pilot:
        await say(pilot, "/search words 2")
        await settled(pilot)

        assert isinstance(pilot.app.screen, SearchScreen)
        assert len(pilot.app.screen._hits) == 1


async def test_model_switches_to_the_named_one_and_asks_without_a_name() -> None:
    services = FakeServices()
    async with chatting(services) as pilot:
        await say(pilot, "/model openai/gpt-4o")
        await settled(pilot)
        await say(pilot, "/model nonsense")
        await settled(pilot)
        await say(pilot, "/model")
        await until(pilot, lambda: isinstance(pilot.app.screen, ModelPicker))

        assert ("model", "openai/gpt-4o") in services.saved
        assert notices(pilot) == ["There is no model nonsense. /model alone lists them."]


async def test_export_asks_with_the_name_given() -> None:
    services = FakeServices(chat_model=ScriptedChatModel.of("ok"))
    async with chatting(services) as pilot:
        await converse(pilot, "words")
        await say(pilot, "/export talk.json")
        await settled(pilot)

        assert isinstance(pilot.app.screen, ExportDialog)
        assert pilot.app.screen.query_one(Input).value == "talk.json"


async def test_theme_takes_the_named_one_and_tells_of_one_that_is_not_there() -> None:
    services = FakeServices()
    async with chatting(services) as pilot:
        await say(pilot, "/theme nord")
        await settled(pilot)
        await say(pilot, "/theme mud")
        await settled(pilot)

        assert pilot.app.theme == "nord"
        assert notices(pilot) == ["There is no theme mud. /theme alone lists them."]


async def test_new_begins_a_conversation_and_sessions_goes_to_the_list() -> None:
    services = FakeServices(chat_model=ScriptedChatModel.of("ok"))
    async with chatting(services, size=(80, 24)) as pilot:
        await converse(pilot, "words")
        await converse(pilot, "/new")
        begun = users_words(pilot)
        await converse(pilot, "/sessions")

        assert begun == []
        assert not prompt(pilot).has_focus


async def test_quit_leaves() -> None:
    async with chatting(FakeServices()) as pilot:
        await say(pilot, "/quit")
        await pilot.pause()

        assert not pilot.app.is_running


async def test_a_command_leaves_the_pictures_in_the_prompt() -> None:
    async with chatting(FakeServices()) as pilot:
        cat = Image(name="cat.png", media_type="image/png", content=b"x")
        prompt(pilot).restore("/remember It has four legs.", [cat])
        await press(pilot, "enter")

        assert prompt(pilot).images == (cat,)
        assert prompt(pilot).text == ""


async def test_a_large_paste_is_remembered_in_full() -> None:
    services = FakeServices()
    text = "\n".join(f"Line {number} of it." for number in range(40))
    async with chatting(services) as pilot:
        await press(pilot, *"/remember ")
        prompt(pilot).post_message(events.Paste(text))
        await press(pilot)
        await press(pilot, "enter")

        assert [memory.text for memory in services.journal.latest()] == [text]


async def test_the_palette_begins_in_the_prompt_what_needs_words() -> None:
    async with chatting(FakeServices()) as pilot:
        offered = {command.title: command for command in pilot.app.get_system_commands(chat(pilot))}
        offered["Remember this"].callback()
        await settled(pilot)

        assert prompt(pilot).text == "/remember "


async def test_the_palette_runs_what_belongs_to_the_whole_app() -> None:
    async with chatting(FakeServices()) as pilot:
        offered = {command.title: command for command in pilot.app.get_system_commands(chat(pilot))}
        offered["Help"].callback()
        await settled(pilot)

        assert isinstance(pilot.app.screen, HelpScreen)


@pytest.mark.parametrize("size", SIZES)
async def test_the_help_lists_every_command(size: tuple[int, int]) -> None:
    async with chatting(FakeServices(), size=size) as pilot:
        await press(pilot, "f1")
        told = "\n".join(str(table.render()) for table in pilot.app.screen.query(KeyTable))

        assert "/remember TEXT        Remember this" in told
        assert "/quit                 Quit" in told
