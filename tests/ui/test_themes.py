"""Themes: where they come from, and what becomes of broken ones."""

from pathlib import Path

import pytest

from chatmem.ui.app import ChatMemApp
from chatmem.ui.themes import load_themes
from tests.fakes.builders import a_choice
from tests.ui.services import THEMES, FakeServices

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


def test_the_repository_brings_a_dark_and_a_light_theme() -> None:
    themes, faults = load_themes([THEMES])

    assert {theme.name: theme.dark for theme in themes} == {"chatmem-dark": True, "chatmem-light": False}
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
