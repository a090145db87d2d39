"""The prompt box: sending, history, pictures, the editor."""

import os
import stat
import sys
from pathlib import Path
from time import perf_counter

import pytest
from textual import events
from textual.widgets import Input

from chatmem.domain.errors import UsageError
from chatmem.domain.model import Image, ModelFacts
from chatmem.ui.services import ScreenSettings
from chatmem.ui.widgets.prompt import PromptBox
from chatmem.ui.widgets.prompt_editor import edited, editor_command
from chatmem.ui.widgets.prompt_images import image_paths
from tests.fakes.builders import a_choice, a_session, a_turn
from tests.ui.driving import AppPilot, notices, settled
from tests.ui.prompting import PromptApp
from tests.ui.services import PNG, FakeServices

CAT = Image(name="cat.png", media_type="image/png", content=b"x" * 34_000)


def having_said(*texts: str) -> FakeServices:
    services = FakeServices()
    services.log.open_session(a_session())
    for number, text in enumerate(texts, 1):
        services.log.append(a_turn(number, text))
    return services


def a_picture(folder: Path, name: str = "cat.png") -> Path:
    file = folder / name
    file.write_bytes(PNG + b"0" * 2_000)
    return file


async def paste(pilot: AppPilot, text: str) -> None:
    prompt(pilot).post_message(events.Paste(text))
    await pilot.pause()
    await settled(pilot)


def prompt(pilot: AppPilot) -> PromptBox:
    return pilot.app.query_one(PromptBox)


async def test_a_setting_swaps_enter_and_its_relatives_and_the_placeholder_says_so() -> None:
    app = PromptApp(FakeServices(screen_settings=ScreenSettings(enter_sends=False)))
    async with app.run_test() as pilot:
        assert app.prompt.placeholder == "Say something. Ctrl+J or Shift+Enter sends, Enter makes a new line."
        await pilot.press("a", "enter", "b", "ctrl+j", "c", "shift+enter")
        await pilot.pause()

        assert [sent.text for sent in app.sent] == ["a\nb", "c"]


async def test_up_and_down_walk_through_what_was_said_and_back_to_what_is_being_typed() -> None:
    app = PromptApp(having_said("first", "second"))
    async with app.run_test() as pilot:
        await pilot.press(*"new")
        shown = []
        for key in ("up", "up", "up", "down", "down", "down"):
            await pilot.press(key)
            await settled(pilot)
            shown.append(app.prompt.text)

        assert shown == ["second", "first", "first", "second", "new", "new"]


async def test_two_quick_steps_are_not_lost_while_the_list_is_read() -> None:
    app = PromptApp(having_said("first", "second"))
    async with app.run_test() as pilot:
        app.prompt.action_cursor_up()
        app.prompt.action_cursor_up()
        await settled(pilot)

        assert app.prompt.text == "first"


async def test_up_within_several_lines_moves_the_cursor() -> None:
    app = PromptApp(having_said("first"))
    async with app.run_test() as pilot:
        await pilot.press("a", "ctrl+j", "b", "up", "c")
        await settled(pilot)

        assert app.prompt.text == "ac\nb"


async def test_what_is_being_typed_is_what_a_draft_keeps_during_a_walk() -> None:
    app = PromptApp(having_said("first"))
    async with app.run_test() as pilot:
        await pilot.press(*"new", "up")
        await settled(pilot)
        walking = app.prompt.unsent
        await pilot.press("!")

        assert (walking, app.prompt.unsent) == ("new", "first!")


async def test_a_changed_text_of_the_list_is_there_again_when_the_walk_comes_back() -> None:
    app = PromptApp(having_said("first", "second"))
    async with app.run_test() as pilot:
        for key in ("up", "!", "up", "down"):
            await pilot.press(key)
            await settled(pilot)

        assert app.prompt.text == "second!"


async def test_a_long_text_of_the_list_is_shown_as_one_line_and_sent_in_full() -> None:
    app = PromptApp(having_said("line\n" * 5_000))
    async with app.run_test() as pilot:
        await pilot.press("up")
        await settled(pilot)
        assert app.prompt.text.startswith("[pasted 1: ")
        await pilot.press("enter")
        await pilot.pause()

        assert app.sent[0].text == "line\n" * 5_000


async def test_pasting_five_thousand_lines_does_not_hold_up_typing() -> None:
    app = PromptApp(FakeServices())
    async with app.run_test() as pilot:
        began = perf_counter()
        app.prompt.post_message(events.Paste("a line of some length\n" * 5_000))
        await pilot.press("x")
        took_s = perf_counter() - began

        assert app.prompt.text == "[pasted 1: 5,001 lines, 110 kB]x"
        assert took_s < 1


@pytest.mark.parametrize(
    ("pasted", "paths"),
    [
        ("/tmp/cat.png", ["/tmp/cat.png"]),
        ("/tmp/My\\ cat.PNG ", ["/tmp/My cat.PNG"]),
        ("'/tmp/My cat.jpg'", ["/tmp/My cat.jpg"]),
        ('"/tmp/cat.webp"', ["/tmp/cat.webp"]),
        ("/tmp/My cat.gif", ["/tmp/My cat.gif"]),
        ("file:///tmp/My%20cat.jpeg\r\n", ["/tmp/My cat.jpeg"]),
        ("/tmp/a.png /tmp/b.png", ["/tmp/a.png", "/tmp/b.png"]),
        ("/tmp/a.png\n/tmp/b.png\n", ["/tmp/a.png", "/tmp/b.png"]),
        ("~/cat.png", ["~/cat.png"]),
        ("cat.png", []),
        ("/tmp/notes.txt", []),
        ("https://example.org/cat.png", []),
        ("look at /tmp/cat.png", []),
        ("it's /tmp/cat.png", []),
        ("", []),
        ("file://[x", []),
        ("file://[x.png", []),
        ("/" + "x" * 9_000 + ".png", []),
    ],
)
def test_a_paste_that_is_nothing_but_paths_of_pictures_means_the_pictures(pasted: str, paths: list[str]) -> None:
    assert image_paths(pasted) == [Path(path) for path in paths]


async def test_a_dropped_picture_is_attached_shown_with_its_size_and_sent(tmp_path: Path) -> None:
    app = PromptApp(FakeServices())
    async with app.run_test() as pilot:
        await pilot.press(*"look")
        await paste(pilot, f"'{a_picture(tmp_path)}'")
        assert (app.prompt.text, app.prompt.border_title) == ("look", "▣ cat.png 2 kB")
        await pilot.press("enter")
        await pilot.pause()

        assert [(sent.text, [image.name for image in sent.images]) for sent in app.sent] == [("look", ["cat.png"])]
        assert not app.prompt.border_title


async def test_a_picture_is_sent_without_words_too(tmp_path: Path) -> None:
    app = PromptApp(FakeServices())
    async with app.run_test() as pilot:
        await paste(pilot, str(a_picture(tmp_path)))
        await pilot.press("enter")
        await pilot.pause()

        assert [(sent.text, len(sent.images)) for sent in app.sent] == [("", 1)]


async def test_backspace_at_the_very_start_takes_the_last_picture_off(tmp_path: Path) -> None:
    app = PromptApp(FakeServices())
    async with app.run_test() as pilot:
        await paste(pilot, f"{a_picture(tmp_path)} {a_picture(tmp_path, 'dog.png')}")
        await pilot.press("a", "backspace")
        assert len(app.prompt.images) == 2
        await pilot.press("backspace")

        assert [image.name for image in app.prompt.images] == ["cat.png"]


async def test_a_path_that_is_no_picture_stays_a_text_and_the_frame_says_why(tmp_path: Path) -> None:
    fake = tmp_path / "fake.png"
    fake.write_text("no picture")
    app = PromptApp(FakeServices())
    async with app.run_test() as pilot:
        await paste(pilot, str(fake))

        assert app.prompt.text == str(fake)
        assert "is no picture" in str(app.prompt.border_subtitle)


async def test_a_model_that_takes_no_images_is_told_of_at_once(tmp_path: Path) -> None:
    services = FakeServices(known_facts={a_choice().model: ModelFacts(vision=False)})
    app = PromptApp(services)
    async with app.run_test() as pilot:
        await paste(pilot, str(a_picture(tmp_path)))

        assert "fake takes no images: F5" in str(app.prompt.border_subtitle)


async def test_ctrl_v_attaches_the_picture_on_the_clipboard() -> None:
    app = PromptApp(FakeServices(on_clipboard=CAT))
    async with app.run_test() as pilot:
        await pilot.press("ctrl+v")
        await settled(pilot)

        assert app.prompt.images == (CAT,)


async def test_ctrl_v_pastes_where_the_clipboard_holds_no_picture() -> None:
    app = PromptApp(FakeServices())
    async with app.run_test() as pilot:
        await pilot.press("ctrl+v")
        await settled(pilot)
        said = str(app.prompt.border_subtitle)
        app.copy_to_clipboard("words")
        await pilot.press("ctrl+v")
        await settled(pilot)

        assert "no picture" in said
        assert app.prompt.text == "words"


async def test_a_picture_is_attached_by_its_path(tmp_path: Path) -> None:
    picture = a_picture(tmp_path, "my cat.png")
    app = PromptApp(FakeServices())
    async with app.run_test() as pilot:
        await pilot.press("f8")
        app.screen.query_one(Input).value = str(picture).replace(" ", "\\ ")
        await pilot.press("enter")
        await settled(pilot)

        assert [image.name for image in app.prompt.images] == ["my cat.png"]


async def test_a_wrong_path_is_told_and_escape_attaches_nothing(tmp_path: Path) -> None:
    app = PromptApp(FakeServices())
    async with app.run_test() as pilot:
        await pilot.press("f8", "escape")
        await settled(pilot)
        assert notices(pilot) == []
        await pilot.press("f8", *"nowhere", "enter")
        await settled(pilot)

        assert notices(pilot) == ["nowhere is no picture that models take."]
        assert app.prompt.images == ()


async def test_what_could_not_be_sent_comes_back_with_its_pictures() -> None:
    app = PromptApp(FakeServices())
    async with app.run_test() as pilot:
        await pilot.press(*"later")
        app.prompt.restore("before", [CAT])

        assert (app.prompt.text, app.prompt.images) == ("before\nlater", (CAT,))


async def test_without_an_editor_the_cure_is_told_and_the_text_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    app = PromptApp(FakeServices())
    async with app.run_test() as pilot:
        await pilot.press(*"text", "ctrl+o")

        assert notices(pilot) == ["No editor is set. Set $EDITOR, or `chatmem config set prompt.editor nano`."]
        assert app.prompt.text == "text"


async def test_a_screen_that_is_no_terminal_is_not_lent_to_an_editor() -> None:
    app = PromptApp(FakeServices(screen_settings=ScreenSettings(editor="true")))
    async with app.run_test() as pilot:
        await pilot.press(*"text", "ctrl+o")

        assert notices(pilot) == ["This terminal can't be lent to an editor."]
        assert app.prompt.text == "text"


def an_editor(tmp_path: Path, code: str) -> list[str]:
    """An editor that runs some Python on its file."""
    script = tmp_path / "editor.py"
    script.write_text(f"import os, pathlib, stat, sys\nfile = pathlib.Path(sys.argv[1])\n{code}\n")
    return [sys.executable, str(script)]


def test_the_editor_gets_the_text_in_a_private_file_that_is_gone_afterwards(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    look = f"pathlib.Path({str(seen)!r}).write_text(f'{{file}} {{oct(file.stat().st_mode)}} {{file.read_text()}}')"
    result = edited("two\nlines", an_editor(tmp_path, f"{look}\nfile.write_text(file.read_text().upper() + '\\n')"))

    where, mode, text = seen.read_text().split(" ", 2)
    assert (result, text) == ("TWO\nLINES", "two\nlines")
    assert stat.S_IMODE(int(mode, 8)) == 0o600
    assert not Path(where).parent.exists()


def test_an_editor_that_fails_leaves_the_text_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"ended with code 3\. Your text is as it was"):
        edited("text", an_editor(tmp_path, "file.write_text('lost'); sys.exit(3)"))
    with pytest.raises(UsageError, match="The editor /no/such/editor failed: No such file"):
        edited("text", ["/no/such/editor"])


def test_the_setting_wins_over_the_variables_and_may_hold_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "code --wait")
    monkeypatch.setenv("EDITOR", "nano")

    assert editor_command("") == ["code", "--wait"]
    assert editor_command("vim -u 'a b'") == ["vim", "-u", "a b"]
    with pytest.raises(UsageError, match="quote"):
        editor_command("vim 'a" if os.name != "nt" else "")
