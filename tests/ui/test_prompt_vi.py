"""The keys of vi in the prompt."""

import pytest

from chatmem.ui.app import ChatMemApp
from chatmem.ui.services import ScreenSettings
from chatmem.ui.widgets.prompt import PromptBox
from tests.fakes.builders import a_choice
from tests.ui.driving import notices, settled
from tests.ui.prompting import PromptApp
from tests.ui.services import FakeServices

TWO_LINES = "one two, three\nfour  five"


async def typed(text: str, *keys: str, at: tuple[int, int] = (0, 0)) -> PromptApp:
    """An app after keys were pressed in normal mode over a text."""
    app = PromptApp(FakeServices(screen_settings=ScreenSettings(vi_keys=True)))
    async with app.run_test() as pilot:
        app.prompt.insert(text)
        await pilot.press("escape")
        app.prompt.move_cursor(at)
        for key in keys:
            await pilot.press(*([key] if len(key) > 1 and (key.startswith("ctrl") or key == "escape") else key))
        await pilot.pause()
    return app


@pytest.mark.parametrize(
    ("keys", "at", "expected"),
    [
        ("l", (0, 0), (0, 1)),
        ("3l", (0, 0), (0, 3)),
        ("99l", (0, 0), (0, 13)),
        ("2h", (0, 5), (0, 3)),
        ("j", (0, 2), (1, 2)),
        ("k", (1, 2), (0, 2)),
        ("w", (0, 0), (0, 4)),
        ("2w", (0, 0), (0, 7)),
        ("4w", (0, 0), (1, 0)),
        ("b", (1, 6), (1, 0)),
        ("2b", (1, 6), (0, 9)),
        ("e", (0, 0), (0, 2)),
        ("2e", (0, 0), (0, 6)),
        ("$", (0, 0), (0, 13)),
        ("0", (0, 5), (0, 0)),
        ("^", (0, 5), (0, 0)),
        ("G", (0, 5), (1, 0)),
        ("gg", (1, 5), (0, 0)),
        ("2G", (0, 0), (1, 0)),
        ("10l", (0, 0), (0, 10)),
    ],
)
async def test_motions_lead_where_vi_leads(keys: str, at: tuple[int, int], expected: tuple[int, int]) -> None:
    app = await typed(TWO_LINES, *keys, at=at)

    assert app.prompt.cursor_location == expected
    assert app.prompt.text == TWO_LINES


@pytest.mark.parametrize(
    ("keys", "at", "expected"),
    [
        ("x", (0, 0), "ne two, three\nfour  five"),
        ("3x", (0, 0), " two, three\nfour  five"),
        ("99x", (0, 4), "one \nfour  five"),
        ("X", (0, 1), "ne two, three\nfour  five"),
        ("D", (0, 7), "one two\nfour  five"),
        ("dd", (0, 7), "four  five"),
        ("dd", (1, 0), "one two, three"),
        ("2dd", (0, 0), ""),
        ("dj", (0, 0), ""),
        ("dgg", (1, 0), ""),
        ("dG", (1, 3), "one two, three"),
        ("dw", (0, 0), "two, three\nfour  five"),
        ("2dw", (0, 0), ", three\nfour  five"),
        ("d2w", (0, 0), ", three\nfour  five"),
        ("dw", (0, 9), "one two, \nfour  five"),
        ("de", (0, 0), " two, three\nfour  five"),
        ("db", (0, 4), "two, three\nfour  five"),
        ("d0", (0, 4), "two, three\nfour  five"),
        ("d$", (1, 4), "one two, three\nfour"),
        ("dz", (0, 0), TWO_LINES),
        ("z", (0, 0), TWO_LINES),
        ("ddu", (0, 0), TWO_LINES),
        ("ddp", (0, 0), "four  five\none two, three"),
        ("yyp", (0, 0), "one two, three\none two, three\nfour  five"),
        ("yy2P", (1, 0), "one two, three\nfour  five\nfour  five\nfour  five"),
        ("ywP", (0, 0), "one one two, three\nfour  five"),
        ("xp", (0, 0), "noe two, three\nfour  five"),
        ("xxuu", (0, 0), TWO_LINES),
        ("xxuuU", (0, 0), "ne two, three\nfour  five"),
    ],
)
async def test_operators_take_what_vi_takes(keys: str, at: tuple[int, int], expected: str) -> None:
    app = await typed(TWO_LINES, *keys, at=at)

    assert app.prompt.text == expected


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("iX", "Xone two, three\nfour  five"),
        ("aX", "oXne two, three\nfour  five"),
        ("IX", "Xone two, three\nfour  five"),
        ("AX", "one two, threeX\nfour  five"),
        ("oX", "one two, three\nX\nfour  five"),
        ("OX", "X\none two, three\nfour  five"),
        ("cwX", "X two, three\nfour  five"),
        ("c2wX", "X, three\nfour  five"),
        ("ccX", "X\nfour  five"),
        ("CX", "X\nfour  five"),
        ("sX", "Xne two, three\nfour  five"),
    ],
)
async def test_what_ends_in_insert_mode_types_again(keys: str, expected: str) -> None:
    app = await typed(TWO_LINES, *keys)

    assert app.prompt.text == expected
    assert app.prompt.border_subtitle == "INSERT"


async def test_ctrl_r_does_again_what_was_undone() -> None:
    app = await typed("one two", "dw", "u", "ctrl+r")

    assert app.prompt.text == "two"


async def test_ctrl_r_is_vi_s_in_normal_mode_on_the_chat_screen_too() -> None:
    app = ChatMemApp(FakeServices(screen_settings=ScreenSettings(vi_keys=True)), a_choice())
    async with app.run_test() as pilot:
        await settled(pilot)
        await pilot.press(*"one two", "escape", *"bxu", "ctrl+r")
        await settled(pilot)

        assert app.screen.query_one(PromptBox).text == "one wo"
        assert notices(pilot) == []


async def test_the_frame_tells_the_mode_and_what_was_typed_of_a_command() -> None:
    app = await typed("one two", "2", "d")

    assert app.prompt.border_subtitle == "NORMAL 2d"


async def test_one_undo_takes_back_all_that_was_typed_in_insert_mode() -> None:
    app = await typed("one ", "A", "two three", "escape", "u")

    assert app.prompt.text == "one "


async def test_enter_sends_from_both_modes_and_the_next_words_are_typed_in_insert_mode() -> None:
    app = PromptApp(FakeServices(screen_settings=ScreenSettings(vi_keys=True)))
    async with app.run_test() as pilot:
        await pilot.press(*"one", "enter", *"two", "escape", "enter", *"three")
        await pilot.pause()

        assert [sent.text for sent in app.sent] == ["one", "two"]
        assert app.prompt.text == "three"
