"""Turns are selected, and asked for more."""

import asyncio

import pytest
from textual.widgets import Static

from chatmem.domain.errors import StoreError
from chatmem.domain.turn import SessionId, Turn, TurnStatus
from chatmem.ui.screens.code import CodePicker
from chatmem.ui.screens.models import ModelPicker
from chatmem.ui.widgets.transcript import Transcript
from chatmem.ui.widgets.turn_actions import ACTIONS
from chatmem.ui.widgets.turns import ReplyTurn, UserTurn
from tests.fakes.builders import a_choice
from tests.fakes.chat_model import Reply, Script, ScriptedChatModel
from tests.fakes.secret_detector import HUSH
from tests.fakes.session_log import FakeSessionLog
from tests.ui.chatting import (
    answers,
    chat,
    chatting,
    converse,
    header,
    keys,
    last_mark,
    press,
    prompt,
    say,
    selected,
    status,
    users_words,
    with_sessions,
    words,
)
from tests.ui.driving import AppPilot, notices, settled, until
from tests.ui.services import FakeServices

TWO_BLOCKS = "First:\n\n```python\none()\n```\n\nthen:\n\n~~~\ntwo\n~~~\n"


def answering(*replies: Reply) -> FakeServices:
    return FakeServices(chat_model=ScriptedChatModel.of(*replies))


@pytest.mark.parametrize(("up", "down"), [("ctrl+up", "ctrl+down"), ("alt+up", "alt+down")])
async def test_a_turn_is_selected_from_the_prompt_and_beyond_the_newest_is_the_prompt(up: str, down: str) -> None:
    async with chatting(answering("One.")) as pilot:
        await converse(pilot, "first")
        await press(pilot, up)
        newest = selected(pilot)
        await press(pilot, up)
        before = selected(pilot)
        await press(pilot, down, down)

        assert (newest, before, selected(pilot)) == ("One.", "first", None)
        assert prompt(pilot).has_focus


async def test_a_click_selects_a_turn_and_escape_goes_back_to_the_prompt() -> None:
    async with chatting(answering("One.", "Two.")) as pilot:
        await converse(pilot, "first", "second")
        await pilot.click(chat(pilot).query(ReplyTurn).first())
        await settled(pilot)
        clicked = selected(pilot)
        await press(pilot, "escape")

        assert (clicked, selected(pilot)) == ("One.", None)
        assert prompt(pilot).has_focus


async def test_typing_with_a_turn_selected_goes_to_the_prompt() -> None:
    async with chatting(answering("One.")) as pilot:
        await converse(pilot, "first")
        await press(pilot, "ctrl+up", "H", "e")

        assert (prompt(pilot).text, selected(pilot)) == ("He", None)


async def test_the_keys_of_the_selected_turn_stand_in_the_footers_place_and_fit_80_columns() -> None:
    async with chatting(answering(Script(text=TWO_BLOCKS, reason="length"), TWO_BLOCKS), size=(80, 24)) as pilot:
        await converse(pilot, "first")
        assert keys(pilot) == ""

        await press(pilot, "ctrl+up")
        told = keys(pilot)
        await press(pilot, "up")

        assert told == "r again m model c copy b code q quote n continue w why +- rate Esc back"
        assert keys(pilot) == "e edit  c copy  q quote  Esc back"


async def test_a_regenerated_answer_stands_beside_the_one_before() -> None:
    async with chatting(answering("One.", "Other.")) as pilot:
        await converse(pilot, "first")
        await press(pilot, "ctrl+up", "r")
        again = words(pilot), header(pilot)
        await press(pilot, "ctrl+up", "left")
        before = words(pilot), selected(pilot)
        await press(pilot, "right")

        assert again[0] == ["first", "Other."]
        assert "‹ 2/2 ›" in again[1]  # noqa: RUF001 the marks point to both sides
        assert before == (["first", "One."], "One.")
        assert words(pilot) == ["first", "Other."]


async def test_ctrl_r_regenerates_the_newest_answer_from_the_prompt() -> None:
    async with chatting(answering("One.", "Two.", "Other.")) as pilot:
        await converse(pilot, "first", "second")
        await press(pilot, "ctrl+r")

        assert words(pilot) == ["first", "One.", "second", "Other."]
        assert prompt(pilot).has_focus


async def test_regenerating_an_earlier_answer_takes_what_follows_off_the_branch_until_one_comes_back() -> None:
    async with chatting(answering("One.", "Two.", "Other.")) as pilot:
        await converse(pilot, "first", "second")
        await press(pilot, *["ctrl+up"] * 3, "r")
        branch = words(pilot)
        await press(pilot, "ctrl+up", "left")

        assert branch == ["first", "Other."]
        assert words(pilot) == ["first", "One.", "second", "Two."]


async def test_an_answer_is_regenerated_with_another_model_just_this_once() -> None:
    services = answering("One.", "Other.", "Two.")
    services.configured = {"other": a_choice("other", model="openai/other")}
    async with chatting(services) as pilot:
        await converse(pilot, "first")
        await press(pilot, "ctrl+up", "m")
        picker = pilot.app.screen
        await press(pilot, *"other", "enter")
        regenerated = header(pilot)
        await press(pilot, "escape")
        await converse(pilot, "second")

        assert isinstance(picker, ModelPicker)
        assert regenerated.startswith("other · ")
        assert [request.choice.name for request in services.chat_model.requests] == ["fake", "other", "fake"]
        assert status(pilot).startswith("fake")


async def test_an_edited_turn_is_sent_as_a_branch_and_what_was_typed_comes_back() -> None:
    async with chatting(answering("One.", "Better.")) as pilot:
        await converse(pilot, "first")
        await press(pilot, *"half", "ctrl+up", "up", "e")
        editing = prompt(pilot).text, str(prompt(pilot).border_subtitle)
        await press(pilot, *" of all", "enter")
        branch = words(pilot), header(pilot, 0)
        await press(pilot, "ctrl+up", "up", "left")

        assert editing[0] == "first"
        assert "Esc leaves it" in editing[1]
        assert branch[0] == ["first of all", "Better."]
        assert "‹ 2/2 ›" in branch[1]  # noqa: RUF001 the marks point to both sides
        assert words(pilot) == ["first", "One."]
        assert prompt(pilot).text == "half"


async def test_escape_cancels_an_edit_and_gives_back_what_was_typed() -> None:
    async with chatting(answering("One.")) as pilot:
        await converse(pilot, "first")
        await press(pilot, *"half", "ctrl+up", "up", "e", *"xyz", "escape")

        assert (prompt(pilot).text, str(prompt(pilot).border_subtitle)) == ("half", "")
        assert words(pilot) == ["first", "One."]


async def test_an_edit_that_could_not_be_sent_is_still_an_edit() -> None:
    class Full(FakeSessionLog):
        def append_beside(self, turn: Turn, *_: object, **__: object) -> Turn:
            raise StoreError("The disk is full. Make room, then send again.")

    services = answering("One.")
    services.log = Full(services.clock)
    async with chatting(services) as pilot:
        await converse(pilot, "first")
        await press(pilot, "ctrl+up", "up", "e", "!", "enter")

        assert prompt(pilot).text == "first!"
        assert "Esc leaves it" in str(prompt(pilot).border_subtitle)
        assert words(pilot) == ["first", "One."]


async def test_a_cut_answer_is_continued_in_its_place() -> None:
    async with chatting(answering(Script(text="One two", reason="length"), " three.")) as pilot:
        await converse(pilot, "count")
        cut = last_mark(pilot)
        await press(pilot, "ctrl+up", "n")

        assert "limit of its length" in cut
        assert answers(pilot) == ["One two three."]
        assert last_mark(pilot) == ""


async def test_a_turn_is_copied_as_it_was_written() -> None:
    services = answering("**Copy** me")
    async with chatting(services) as pilot:
        await converse(pilot, "first")
        await press(pilot, "ctrl+up", "c")

        assert (pilot.app.clipboard, services.copied) == ("**Copy** me", ["**Copy** me"])


async def test_the_only_code_block_is_copied_at_once() -> None:
    services = answering("So:\n\n```python\none()\n```\n")
    async with chatting(services) as pilot:
        await converse(pilot, "first")
        await press(pilot, "ctrl+up", "b")

        assert services.copied == ["one()"]


async def test_of_several_code_blocks_one_is_picked() -> None:
    services = answering(TWO_BLOCKS)
    async with chatting(services) as pilot:
        await converse(pilot, "first")
        await press(pilot, "ctrl+up", "b")
        listing = pilot.app.screen
        await press(pilot, "down", "enter")

        assert isinstance(listing, CodePicker)
        assert services.copied == ["two"]


async def test_a_quoted_turn_stands_in_the_prompt() -> None:
    async with chatting(answering("One\n\ntwo")) as pilot:
        await converse(pilot, "first")
        await press(pilot, "ctrl+up", "q", *"why?")

        assert prompt(pilot).text == "> One\n>\n> two\n\nwhy?"


async def test_a_turn_is_not_asked_for_more_while_an_answer_arrives() -> None:
    services = answering("One.", Script(text="Two", hold=asyncio.Event()))
    async with chatting(services) as pilot:
        await converse(pilot, "first")
        await say(pilot, "second")
        await until(pilot, lambda: answers(pilot) == ["One.", "Two"])
        await pilot.press(*["ctrl+up"] * 3, "r")
        await pilot.pause()

        assert "still arriving" in str(prompt(pilot).border_subtitle)
        assert len(services.chat_model.requests) == 2


async def test_escape_stops_the_answer_once_the_prompt_is_back() -> None:
    services = answering(Script(text="One", hold=asyncio.Event()))
    async with chatting(services) as pilot:
        await say(pilot, "first")
        await until(pilot, lambda: answers(pilot) == ["One"])
        await pilot.press("ctrl+up", "escape", "escape")
        await settled(pilot)

        assert services.log.turns(services.log.sessions()[0].id)[-1].status is TurnStatus.STOPPED


async def test_every_wish_is_in_the_palette_and_says_so_where_it_is_not_possible() -> None:
    async with chatting(FakeServices()) as pilot:
        offered = {command.title: command for command in pilot.app.get_system_commands(chat(pilot))}
        for action in ACTIONS:
            offered[action.title].callback()
        await settled(pilot)

        assert {action.missing for action in ACTIONS} <= set(notices(pilot))


async def test_from_the_palette_the_newest_turn_of_which_it_can_be_asked_is_meant() -> None:
    async with chatting(answering("One.")) as pilot:
        await converse(pilot, "first")
        commands = {command.title: command for command in pilot.app.get_system_commands(chat(pilot))}
        commands["Edit and send again"].callback()
        await settled(pilot)

        assert prompt(pilot).text == "first"


async def test_the_selection_reaches_turns_that_were_not_mounted() -> None:
    async with chatting(with_sessions(1, turns=80), session_id=SessionId("s1"), size=(80, 24)) as pilot:
        await press(pilot, *["ctrl+up"] * 31)
        transcript = chat(pilot).query_one(Transcript)

        assert transcript.selected is not None
        assert transcript.selected.turn.seq == 50


async def test_a_session_is_at_its_newest_turn_again_after_a_look_back() -> None:
    async with chatting(with_sessions(1, turns=80), session_id=SessionId("s1"), size=(80, 24)) as pilot:
        await press(pilot, "ctrl+up", "ctrl+up", "ctrl+up")
        await press(pilot, "ctrl+down", "ctrl+down", "ctrl+down")
        transcript = chat(pilot).query_one(Transcript)

        assert transcript.is_vertical_scroll_end
        assert users_words(pilot)[-1] == "words 79"


async def test_a_turn_says_what_was_taken_out_of_it_and_lets_it_through_once() -> None:
    services = answering("Which token?", "It has expired.")
    async with chatting(services) as pilot:
        await converse(pilot, f"why is {HUSH}a1b2 refused?")
        note = last_note(pilot)
        await press(pilot, "ctrl+up", "ctrl+up", "l")
        told = answers(pilot), header(pilot)
        await press(pilot, "ctrl+up", "ctrl+up", "l")

        assert note.startswith("taken out before it was kept or sent: token.")
        assert users_words(pilot) == ["why is [token removed] refused?"]
        assert told[0] == ["It has expired."]
        assert "2/2" in told[1]
        assert [request.messages[-1].text for request in services.chat_model.requests] == [
            "why is [token removed] refused?",
            f"why is {HUSH}a1b2 refused?",
        ]


def last_note(pilot: AppPilot) -> str:
    """What is told below the last turn of the person's."""
    box = chat(pilot).query(UserTurn).last()
    return str(box.query_one(".mark", Static).render())


async def test_a_draft_is_kept_without_its_secrets() -> None:
    services = answering()
    async with chatting(services) as pilot:
        await pilot.press(*f"use {HUSH}a1b2")
        await until(pilot, lambda: services.log.draft(None) == "use [token removed]")

        assert prompt(pilot).words == f"use {HUSH}a1b2"
