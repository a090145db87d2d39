"""Models as rows of a list."""

from collections.abc import Sequence
from itertools import groupby

from textual.content import Content
from textual.fuzzy import Matcher
from textual.widgets.option_list import Option

from chatmem.conversation import Listed

WIDEST_NAME = 32
"""Characters up to which names make a column."""


def grouped(models: Sequence[Listed], current: str) -> list[Option]:
    """A row for each model under a heading for each origin; a row's id is its place in `models`."""
    options: list[Option] = []
    width = _width(models)
    for origin, run in groupby(enumerate(models), key=lambda numbered: numbered[1].origin):
        heading = origin.value.capitalize()
        options.append(Option(Content.styled(heading, "bold $foreground-muted"), disabled=True))
        options += [Option(_row(model, current, width), id=str(number)) for number, model in run]
    return options


def matching(models: Sequence[Listed], query: str, current: str) -> list[Option]:
    """A row for each model whose name or note matches, best first."""
    matcher = Matcher(query)
    scores = [(matcher.match(f"{model.choice.name} {model.note}"), number) for number, model in enumerate(models)]
    best = sorted((pair for pair in scores if pair[0] > 0), key=lambda pair: -pair[0])
    width = _width([models[number] for _, number in best])
    return [Option(_row(models[number], current, width), id=str(number)) for _, number in best]


def _width(models: Sequence[Listed]) -> int:
    return min(WIDEST_NAME, max((len(model.choice.name) for model in models), default=0))


def _row(model: Listed, current: str, width: int) -> Content:
    mark = "● " if model.choice.name == current else "  "
    note = f"  {model.note}" if model.note and model.note != model.choice.name else ""
    return Content.assemble(
        (mark, "$accent"), (model.choice.name.ljust(width), "$foreground"), (note, "$foreground-muted")
    )
