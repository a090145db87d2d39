"""A memory among those it is linked to, drawn as a small graph; and how well it is kept, as a bar."""

from collections.abc import Iterator, Sequence

from textual.content import Content
from textual.style import Style

from chatmem.domain.memory import Memory, Status
from chatmem.domain.text import clean, shortened
from chatmem.recall.keeping import Keeping
from chatmem.ui.widgets.memory_source import Neighbour
from chatmem.ui.widgets.memory_words import MARKS
from chatmem.ui.wording import counted

WALK = "walk"
"""In the meta of a line of the graph: the place of its neighbour, from 1."""

WALKED = 9
"""So many neighbours have a digit to walk by; more are only counted."""

BAR = 20
"""Cells of the bar."""

TEXT_LENGTH = 160
MUTED, EDGE, PAST = "$foreground-muted", "$text-primary", "strike $foreground-muted"
LEFT = (("$text-success", 0.5), ("$text-warning", 0.2), ("$text-error", 0.0))
"""The colour of the bar, by how much is left."""


def graph(neighbours: Sequence[Neighbour]) -> Content:
    """The neighbours of a memory as branches: `▶` leads to one, `◀` comes from one; a digit walks there."""
    shown = neighbours[:WALKED]
    width = max((len(one.relation) for one in shown), default=0)
    lines = [Content.styled("● this memory", "bold")]
    for place, one in enumerate(shown, 1):
        last = place == len(neighbours)
        branch, arrow = "└" if last else "├", "▶" if one.outward else "◀"
        head = Content.assemble(
            (f"{branch}─{arrow} ", EDGE),
            (f"{place} ", "bold"),
            (f"{one.relation:<{width}}  ", MUTED),
            named(one.memory),
        )
        lines.append(head.stylize(Style.from_meta({WALK: place})))
        if one.reason:
            lines.append(Content.assemble((f"{' ' if last else '│'}    ", EDGE), (clean(one.reason), MUTED)))
    if more := len(neighbours) - len(shown):
        lines.append(Content.assemble(("└─ ", EDGE), (f"and {more:,} more", MUTED)))
    return Content("\n").join(lines)


def named(memory: Memory) -> Content:
    """A memory in a line, struck out where it holds no more."""
    holds = memory.status in {Status.ACTIVE, Status.PENDING}
    text = f"{MARKS[memory.kind]} {shortened(clean(memory.text), TEXT_LENGTH)}"
    return Content.styled(text, "" if holds else PAST)


def kept(keeping: Keeping, memory: Memory) -> Iterator[Content]:
    """How well a memory is kept: a bar, and the numbers behind it."""
    full = round(keeping.retention * BAR)
    colour = next(style for style, least in LEFT if keeping.retention >= least)
    yield Content.assemble(
        ("retention ", MUTED), ("█" * full, colour), ("░" * (BAR - full), MUTED), f" {keeping.retention:.0%}"
    )
    if memory.pinned:
        yield Content.styled("It is pinned: it does not fade.", MUTED)
        return
    yield Content.styled(
        f"{counted(round(keeping.days), 'day')} since it was {'last used' if keeping.uses else 'told'} · "
        f"{counted(keeping.uses, 'use')}, so strength {keeping.strength:.0f} · "
        f"unused, it falls to 37% in {keeping.lasts_days:.0f} days",
        MUTED,
    )
    if memory.doubt:
        yield Content.styled(
            f"To check: {clean(memory.doubt)} No use vouches for it until you confirm it.", "$text-warning"
        )
