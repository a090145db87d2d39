"""How the list of memories is ordered and narrowed: what there is to choose, and the line that tells what was."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from chatmem.domain.memory import Kind, Status
from chatmem.domain.text import clean, shortened
from chatmem.recall.browsing import Age, Band, Sort, Use, Wish
from chatmem.ui.widgets.memory_words import MARKS, PIN

SLOT_LENGTH = 20

ORDERS = {
    Sort.TIME: ("newest first", "oldest first"),
    Sort.USE: ("most used first", "least used first"),
    Sort.IMPORTANCE: ("most important first", "least important first"),
    Sort.RETENTION: ("best kept first", "fading first"),
    Sort.KIND: ("by kind", "by kind, backwards"),
    Sort.SLOT: ("by slot, A to Z", "by slot, Z to A"),
}
BEST_FIRST = "best match first"

BEFORE, AFTER = "◂", "▸"
"""There are more options at this end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A value that can be chosen: in a word, in the words of the line above the list, and as it is."""

    label: str
    words: str
    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Something that can be chosen of a `Wish`.

    Attributes:
        name: The field.
        label: What it is called.
        options: The first is what holds while nothing is chosen.
    """

    name: str
    label: str
    options: tuple[Option, ...]

    def chosen(self, wish: Wish) -> int:
        """Which of the options a wish has."""
        value = getattr(wish, self.name)
        return next((at for at, option in enumerate(self.options) if option.value == value), 0)

    def choose(self, wish: Wish, at: int) -> Wish:
        """The wish with another option; beyond the last comes the first."""
        changed: dict[str, Any] = {self.name: self.options[at % len(self.options)].value}
        return replace(wish, **changed)


def choices(wish: Wish, slots: Sequence[str] = ()) -> dict[str, Choice]:
    """All that can be chosen, by field, in the order in which it is shown."""
    sorts = [Option(label=sort.capitalize(), words=ORDERS[sort][0], value=sort) for sort in Sort]
    orders = [
        Option(label=order[:1].upper() + order[1:], words=order, value=bool(at))
        for at, order in enumerate(ORDERS[wish.sort])
    ]
    kinds = [
        Option(label=f"{MARKS[kind]} {kind.word.capitalize()}s", words=f"{kind.word}s", value=kind) for kind in Kind
    ]
    made = (
        _choice("sort", "Sort by", *sorts),
        _choice("backwards", "Order", *orders),
        _choice("kind", "Kind", _any("any kind"), *kinds),
        _choice("status", "Status", _any("any status"), *_named(Status)),
        _choice("slot", "Slot", _any("any slot"), *map(_slot, slots)),
        _choice(
            "age",
            "Learned",
            _any("at any time"),
            Option(label="7 days", words="learned in the last 7 days", value=Age.WEEK),
            Option(label="30 days", words="learned in the last 30 days", value=Age.MONTH),
            Option(label="1 year", words="learned in the last year", value=Age.YEAR),
            Option(label="Before", words="learned over a year ago", value=Age.OLDER),
        ),
        _choice(
            "use",
            "Used",
            _any("used or not"),
            Option(label="Never", words="never used", value=Use.NEVER),
            Option(label="1-4 times", words="used 1 to 4 times", value=Use.SOMETIMES),
            Option(label="5 and more", words="used 5 times and more", value=Use.OFTEN),
        ),
        _choice("importance", "Importance", _any("of any importance"), *_bands("importance")),
        _choice("retention", "Retention", _any("of any retention"), *_bands("retention")),
        _choice(
            "contested",
            "Conflict",
            _any("in conflict or not"),
            Option(label="Contradicted", words="in conflict", value=True),
            Option(label="None", words="without conflict", value=False),
        ),
        _choice(
            "pinned",
            "Pinned",
            _any("pinned or not"),
            Option(label=f"{PIN} Pinned", words="pinned", value=True),
            Option(label="Not pinned", words="not pinned", value=False),
        ),
    )
    return {choice.name: choice for choice in made}


def _choice(name: str, label: str, *options: Option) -> Choice:
    return Choice(name=name, label=label, options=options)


def _any(words: str) -> Option:
    return Option(label="Any", words=words, value=None)


def _named(values: type[Status]) -> Iterator[Option]:
    return (Option(label=value.capitalize(), words=value.value, value=value) for value in values)


def _bands(of: str) -> Iterator[Option]:
    ends = {Band.LOW: "under 1/3", Band.MIDDLE: "1/3 to 2/3", Band.HIGH: "over 2/3"}
    return (Option(label=ends[band].capitalize(), words=f"{of} {ends[band]}", value=band) for band in Band)


def _slot(name: str) -> Option:
    shown = shortened(clean(name), SLOT_LENGTH)
    return Option(label=shown, words=f"slot {shown}", value=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dial:
    """A part of the line: what was chosen, in words, and the key that chooses the next, or opens all choices."""

    key: str
    words: str
    on: bool = False

    @property
    def width(self) -> int:
        """In cells."""
        return cell_len(self.key) + 1 + cell_len(self.words)


class FilterLine(Widget):
    """Tells in words how the list is ordered and narrowed; a click on a part presses its key."""

    ALLOW_SELECT = False
    GAP = 2

    def __init__(self) -> None:
        super().__init__()
        self._dials: Sequence[Dial] = dials(Wish(), best_first=False)

    def show(self, wish: Wish, *, best_first: bool) -> None:
        """Tell of a wish.

        Args:
            wish: How the list is ordered and narrowed.
            best_first: Whether the ranking of a search is the order.
        """
        self._dials = dials(wish, best_first=best_first)
        self.refresh(layout=True)

    def render(self) -> Content:
        """Draw the parts, as many in a line as fit."""
        gap = Content(" " * self.GAP)
        return Content("\n").join(gap.join(map(_drawn, line)) for line in self._lines(self.content_size.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as it takes."""
        return len(self._lines(width))

    def on_click(self, event: events.Click) -> None:
        """Press the key of the part that was clicked."""
        offset = event.get_content_offset(self)
        lines = self._lines(self.content_size.width)
        if offset is None or offset.y >= len(lines):
            return
        left = 0
        for dial in lines[offset.y]:
            if left <= offset.x < left + dial.width:
                self.app.simulate_key(dial.key)
            left += dial.width + self.GAP

    def _lines(self, width: int) -> list[list[Dial]]:
        lines: list[list[Dial]] = [[]]
        room = width
        for dial in self._dials:
            if lines[-1] and dial.width > room:
                lines.append([])
                room = width
            lines[-1].append(dial)
            room -= dial.width + self.GAP
        return lines


def dials(wish: Wish, *, best_first: bool) -> list[Dial]:
    """The parts of the line that tells of a wish."""
    there = choices(wish, [wish.slot] if wish.slot else [])
    order = BEST_FIRST if best_first else ORDERS[wish.sort][wish.backwards]
    made = [Dial(key="t", words=order, on=wish.sort is not Sort.TIME or wish.backwards)]
    for name, choice in there.items():
        at, key = choice.chosen(wish), KEYS.get(name, "v")
        if name in KEYS or (at and name not in {"sort", "backwards"}):
            made.append(Dial(key=key, words=choice.options[at].words, on=at > 0))
    return [*made, *([Dial(key="x", words="clear")] if wish.narrowed else []), Dial(key="v", words="all filters")]


KEYS = {"kind": "k", "status": "s", "pinned": "o"}
"""Of the choices that have one of their own."""


def _drawn(dial: Dial) -> Content:
    words = "$text-accent bold" if dial.on else "$text-muted"
    return Content.assemble((dial.key, "bold $footer-key-foreground"), " ", (dial.words, words))


class Chips(Widget, can_focus=True):
    """Options on one line, of which one is chosen, by the arrows or the mouse; those that do not fit come into view."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Choose", show=False),
        Binding("right", "step(1)", "Choose", show=False),
        Binding("space", "step(1)", "Choose", show=False),
    ]

    class Changed(Message):
        """Another option was chosen."""

        def __init__(self, name: str, at: int) -> None:
            super().__init__()
            self.name = name
            self.at = at

    def __init__(self, choice: Choice, at: int) -> None:
        super().__init__()
        self._choice = choice
        self._at = at
        self._first = 0

    @property
    def name_of_choice(self) -> str:
        """The field of a `Wish` that is chosen here."""
        return self._choice.name

    def show(self, choice: Choice, at: int) -> None:
        """Show other options, or another that is chosen."""
        self._choice, self._at = choice, at
        self.refresh()

    def action_step(self, by: int) -> None:
        """Choose the one before, or after; the ends meet."""
        self._choose((self._at + by) % len(self._choice.options))

    def render(self) -> Content:
        """Draw the options that fit, the chosen one emphasised."""
        shown = self._in_view()
        options = [
            (f" {self._choice.options[at].label} ", "bold reverse $text-accent" if at == self._at else "")
            for at in shown
        ]
        before = BEFORE if shown and shown[0] > 0 else " "
        after = AFTER if shown and shown[-1] < len(self._choice.options) - 1 else ""
        return Content.assemble((before, "bold"), *options, (after, "bold"))

    def on_click(self, event: events.Click) -> None:
        """Choose the option under the mouse; the arrow at an end chooses what is out of view."""
        offset, shown = event.get_content_offset(self), self._in_view()
        if offset is None or not shown:
            return
        left = 1
        if offset.x < left:
            self._choose(max(0, shown[0] - 1))
            return
        for at in shown:
            left += self._width(at)
            if offset.x < left:
                self._choose(at)
                return
        if offset.x == left and shown[-1] < len(self._choice.options) - 1:
            self._choose(shown[-1] + 1)

    def _in_view(self) -> list[int]:
        """Which options fit, from the first in view; the chosen one does."""
        self._first = min(self._first, self._at)
        while True:
            shown, room = list[int](), self.content_size.width - 2
            for at in range(self._first, len(self._choice.options)):
                room -= self._width(at)
                if room < 0:
                    break
                shown.append(at)
            if self._at in shown or self._first >= self._at:
                return shown
            self._first += 1

    def _width(self, at: int) -> int:
        return cell_len(self._choice.options[at].label) + 2

    def _choose(self, at: int) -> None:
        if at != self._at:
            self._at = at
            self.refresh()
            self.post_message(self.Changed(self._choice.name, at))
