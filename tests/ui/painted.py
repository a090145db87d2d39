"""What is painted on the screen: text with its colours, as a terminal gets it."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.segment import Segment
from textual.color import Color
from textual.geometry import Region
from textual.screen import Screen

from tests.ui.driving import AppPilot

DRAWN = frozenset("─│┌┐└┘╭╮╰╯━┃▔▁▏▎▍▌▋▊▉█▀▄▐▕░▒▓╸╺╴╶▂▃▅▆▇▖▗▘▝▚▞▟▙▛▜")
"""What draws lines and bars; nobody reads it."""


@dataclass(frozen=True, slots=True)
class Painted:
    """Some text, and the colours it is painted in."""

    text: str
    colour: Color
    background: Color
    line: int

    @property
    def contrast(self) -> float:
        """Between text and background."""
        return contrast_of(self.colour, self.background)


def contrast_of(one: Color, other: Color) -> float:
    """The contrast ratio of two colours, from 1 to 21, WCAG 2.1."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    """Relative luminance, WCAG 2.1."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def painted(pilot: AppPilot) -> Iterator[Painted]:
    """All text of the active screen; where that is a dialog, what it covers is left out."""
    screen = pilot.app.screen
    region = _active(screen)
    for y, strip in enumerate(screen._compositor.render_strips()):
        if region.y <= y < region.bottom:
            for segment in strip.crop(region.x, region.right):
                yield from _told(segment, y)


def _active(screen: Screen[object]) -> Region:
    return screen.children[0].region if screen.is_modal and screen.children else screen.region


def _told(segment: Segment, line: int) -> Iterator[Painted]:
    text = "".join(letter for letter in segment.text if letter not in DRAWN).strip()
    style = segment.style
    if text and style and style.color and style.bgcolor:
        colours = (style.color, style.bgcolor)
        front, back = (Color(*one.get_truecolor()) for one in (colours[::-1] if style.reverse else colours))
        yield Painted(text, front, back, line)
