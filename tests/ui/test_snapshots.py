"""Every screen as it was when somebody last looked at it, at two sizes.

`UPDATE_SNAPSHOTS=1 pytest tests/ui/test_snapshots.py` takes them anew; read the differences before you commit them. A
snapshot holds the text of the screen, and beneath each line which letters are painted how.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from string import ascii_letters

import pytest
from rich.style import Style

from tests.ui.driving import AppPilot
from tests.ui.stages import LARGE, SMALL, STAGES, WIDEST, on_stage

SNAPSHOTS = Path(__file__).parent / "snapshots"
TAKE_ANEW = bool(os.environ.get("UPDATE_SNAPSHOTS"))

MEANT = ("Search for commands…", "diet, name …")
OF_THE_PERSON = (
    "allergic to…",
    "Which s…",
    "Which snacks…",
    "2 memories recall…",
    "1 of 1 · …",
    "**peanuts**, as…",
    "as you…",
)
"""What was said may be cut in a narrow list, or beside a pane that was asked for; it is whole elsewhere."""


@pytest.fixture(autouse=True)
def _in_one_place(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Times are told as in Greenwich, and there are colours."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("NO_COLOR", raising=False)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", STAGES)
async def test_a_screen_looks_as_it_did(name: str, size: tuple[int, int]) -> None:
    file = SNAPSHOTS / f"{name}-{size[0]}x{size[1]}.txt"
    async with on_stage(STAGES[name], size) as pilot:
        taken = snapshot(pilot)

    if TAKE_ANEW:
        file.write_text(taken, encoding="utf-8")
    assert taken == file.read_text(encoding="utf-8")


def test_there_is_no_snapshot_of_a_screen_that_is_gone() -> None:
    names = {f"{name}-{width}x{height}" for name in STAGES for width, height in (SMALL, LARGE)}

    assert {file.stem for file in SNAPSHOTS.glob("*.txt")} == names


def test_none_of_our_words_is_cut_at_either_size() -> None:
    cut = [
        (file.stem, line.strip())
        for file in sorted(SNAPSHOTS.glob("*.txt"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if is_cut(line)
    ]

    assert cut == []


@pytest.mark.parametrize("name", ["chat", "chat-commands", "help", "memory", "review", "health", "models", "context"])
async def test_none_of_our_words_is_cut_on_a_large_screen(name: str) -> None:
    async with on_stage(STAGES[name], WIDEST) as pilot:
        cut = [line for line in snapshot(pilot).splitlines() if is_cut(line)]

        assert cut == []


def is_cut(line: str) -> bool:
    """Whether an ellipsis stands on a line that is not meant to be there."""
    for known in (*MEANT, *OF_THE_PERSON):
        line = line.replace(known, "")
    return "…" in line


def snapshot(pilot: AppPilot) -> str:
    """The screen as text, with a letter for each way of painting."""
    legend: dict[str, str] = {}
    lines = []
    for strip in pilot.app.screen._compositor.render_strips():
        letters = ""
        for segment in strip:
            painted = _told(segment.style) if segment.style else ""
            letters += legend.setdefault(painted, ascii_letters[len(legend)]) * segment.cell_length
        lines += [strip.text.rstrip(), letters]
    ways = [f"{letter} {painted}" for painted, letter in legend.items()]
    return "\n".join([*lines, "", *ways]) + "\n"


def _told(style: Style) -> str:
    """Colours and weight alone: what a terminal shows."""
    plain = Style(
        color=style.color,
        bgcolor=style.bgcolor,
        bold=style.bold,
        italic=style.italic,
        underline=style.underline,
        strike=style.strike,
        reverse=style.reverse,
        dim=style.dim,
    )
    return str(plain)
