"""Terminals of few colours: what is selected and what has the focus is told by more than a shade."""

import pytest

from tests.ui.driving import AppPilot
from tests.ui.stages import SMALL, STAGES, on_stage


@pytest.fixture(autouse=True)
def _without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")


def marked(pilot: AppPilot) -> str:
    """What is painted in reverse, or underlined."""
    segments = [segment for strip in pilot.app.screen._compositor.render_strips() for segment in strip]
    return "".join(one.text for one in segments if one.style and (one.style.reverse or one.style.underline))


@pytest.mark.parametrize(
    ("stage", "selected"),
    [
        ("welcome", "tiny-chat"),
        ("chat-commands", "/remember TEXT"),
        ("review", "Ana lives in Lisbon."),
        ("changes", "learned from talk"),
        ("memory", "Ana may buy a boat."),
    ],
)
async def test_the_selected_row_is_underlined_or_reversed(stage: str, selected: str) -> None:
    async with on_stage(STAGES[stage], SMALL) as pilot:
        assert selected in marked(pilot)


async def test_the_prompt_has_a_heavy_line_while_it_has_the_focus() -> None:
    async with on_stage(STAGES["chat-empty"], SMALL) as pilot:
        painted = "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())

        assert "┏━" in painted
