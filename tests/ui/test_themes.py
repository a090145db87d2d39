"""Themes: where they come from, and what becomes of broken ones."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.color import Color

from chatmem.ui.app import ChatMemApp
from chatmem.ui.themes import load_themes, read_theme
from tests.fakes.builders import a_choice
from tests.ui.driving import AppPilot, notices, settled
from tests.ui.painted import contrast_of, painted
from tests.ui.services import THEMES, FakeServices
from tests.ui.stages import LARGE, STAGES, on_stage, quiet

BROKEN = {
    "no TOML": "= nonsense",
    "an unknown colour": 'name = "x"\n[colors]\nprimary = "#123456"\nfancy = "#123456"',
    "an unknown key": 'nome = "x"\n[colors]\nprimary = "#123456"',
    "no primary colour": 'name = "x"\n[colors]\naccent = "#123456"',
    "a colour that is none": 'name = "x"\n[colors]\nprimary = "bluish"',
    "a table that is none": 'name = "x"\ncolors = 3',
    "a number for a colour": 'name = "x"\n[colors]\nprimary = 3',
    "a variable that is no text": 'name = "x"\n[colors]\nprimary = "#123456"\n[variables]\nborder = 3',
    "bytes that are no text": "\udcff",
}


GROUNDS = ("background", "surface", "panel", "block-cursor-background", "block-hover-background")
WORDS = (
    *("foreground", "foreground-muted", "text-muted", "footer-foreground", "footer-key-foreground"),
    *("primary", "accent", "success", "warning", "error"),
    *("text-primary", "text-accent", "text-success", "text-warning", "text-error"),
)


def contrast(words: str, ground: str) -> float:
    """Of two colours of a theme, the first perhaps seen through."""
    below = Color.parse(ground)
    if words.startswith("auto"):
        return contrast_of(below + below.get_contrast_text(float(words.removeprefix("auto ").rstrip("%")) / 100), below)
    return contrast_of(below + Color.parse(words), below)


DARK = {"chatmem-dark", "colour-blind", "dusk", "high-contrast", "midnight", "moss"}
LIGHT = {"chatmem-light", "colour-blind-light", "high-contrast-light", "sepia"}


def test_the_repository_brings_dark_and_light_themes() -> None:
    themes, faults = load_themes([THEMES])

    assert {theme.name for theme in themes if theme.dark} == DARK
    assert {theme.name for theme in themes if not theme.dark} == LIGHT
    assert faults == []


def test_a_theme_of_a_later_folder_wins(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('name = "chatmem-dark"\n[colors]\nprimary = "#ff0000"')

    themes, _ = load_themes([THEMES, tmp_path, tmp_path / "absent"])

    assert next(theme.primary for theme in themes if theme.name == "chatmem-dark") == "#ff0000"


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_theme_is_told_in_a_sentence_that_names_the_file(tmp_path: Path, content: str) -> None:
    file = tmp_path / "broken.toml"
    file.write_bytes(content.encode("utf-8", "surrogateescape"))

    themes, faults = load_themes([tmp_path])

    assert themes == []
    assert len(faults) == 1
    assert str(file) in faults[0]


@pytest.mark.parametrize("name", ["chatmem-dark", "chatmem-light"])
async def test_a_theme_is_put_on_at_the_start(name: str) -> None:
    app = ChatMemApp(FakeServices(), a_choice(), theme=name)
    async with app.run_test():
        assert app.theme == name


async def test_an_unknown_theme_is_told_and_the_default_is_put_on() -> None:
    app = ChatMemApp(FakeServices(), a_choice(), theme="neon")
    async with app.run_test() as pilot:
        await pilot.pause()

        assert app.theme == "chatmem-dark"
        assert "There is no theme 'neon'" in next(iter(app._notifications)).message


async def test_a_changed_theme_is_saved() -> None:
    services = FakeServices()
    app = ChatMemApp(services, a_choice(), theme="chatmem-dark")
    async with app.run_test() as pilot:
        app.theme = "chatmem-light"
        await pilot.pause()
        await app.workers.wait_for_complete()

        assert services.saved == [("theme", "chatmem-light")]


def put(folder: Path, colour: str) -> None:
    (folder / "mine.toml").write_text(f'name = "mine"\n[colors]\nprimary = "{colour}"')


@asynccontextmanager
async def wearing(folder: Path) -> AsyncIterator[tuple[ChatMemApp, AppPilot]]:
    """The app in a theme of the person's own."""
    put(folder, "#ff0000")
    app = ChatMemApp(FakeServices(theme_folders=(THEMES, folder)), a_choice(), theme="mine")
    async with app.run_test(notifications=True) as pilot:
        await settled(pilot)
        yield app, pilot


async def test_a_theme_is_changed_live_as_its_file_is_edited(tmp_path: Path) -> None:
    async with wearing(tmp_path) as (app, pilot):
        put(tmp_path, "#00ff00ff")
        app.follow_themes()
        await settled(pilot)

        assert app.get_css_variables()["primary"] == "#00FF00"
        assert notices(pilot) == []


async def test_a_theme_that_breaks_while_it_is_worn_stays_as_it_was_and_a_sentence_says_why(tmp_path: Path) -> None:
    async with wearing(tmp_path) as (app, pilot):
        before = app.get_css_variables()
        put(tmp_path, "reddish")
        app.follow_themes()
        await settled(pilot)

        assert app.get_css_variables() == before
        assert "'reddish'" in notices(pilot)[0]


async def test_a_theme_that_is_added_while_the_app_is_open_can_be_chosen(tmp_path: Path) -> None:
    async with wearing(tmp_path) as (app, pilot):
        (tmp_path / "new.toml").write_text('[colors]\nprimary = "#123456"')
        app.follow_themes()
        await settled(pilot)

        assert "new" in app.available_themes


async def test_an_edited_theme_is_not_saved_as_if_it_were_chosen(tmp_path: Path) -> None:
    services = FakeServices(theme_folders=(THEMES, tmp_path))
    put(tmp_path, "#ff0000")
    app = ChatMemApp(services, a_choice(), theme="mine")
    async with app.run_test() as pilot:
        put(tmp_path, "#0000ffff")
        app.follow_themes()
        await settled(pilot)

        assert services.saved == []


@pytest.mark.parametrize("name", sorted(DARK | LIGHT))
def test_words_stand_out_from_every_ground_they_may_stand_on(name: str) -> None:
    theme = read_theme(THEMES / f"{name}.toml")
    colours = theme.to_color_system().generate()
    least = 7.0 if name.startswith("high-contrast") else 4.5

    faint = [
        (words, ground, round(contrast(colours[words], colours[ground]), 2))
        for words in WORDS
        for ground in GROUNDS
        if contrast(colours[words], colours[ground]) < least
    ]

    assert faint == []


@pytest.mark.parametrize("stage", ["chat-turn", "review"])
async def test_all_that_is_painted_can_be_read_in_every_theme(stage: str) -> None:
    faint = []
    async with on_stage(STAGES[stage], LARGE) as pilot:
        for name in sorted(DARK | LIGHT):
            pilot.app.theme = name
            await quiet(pilot)
            least = 7.0 if name.startswith("high-contrast") else 4.5
            faint += [(name, one.text, round(one.contrast, 2)) for one in painted(pilot) if one.contrast < least]

    assert faint == []
