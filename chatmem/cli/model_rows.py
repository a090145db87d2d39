"""Models as lines for people and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby

from chatmem.conversation import Listed
from chatmem.domain.model import ModelFacts
from chatmem.domain.text import shortened
from chatmem.ports.model_store import ModelEntry

SHOWN = 5
"""Models of a provider that are listed unless all are asked for."""

_WIDTH = 100
_NAME_WIDTH = 42


def model_json(model: Listed) -> dict[str, object]:
    """A model as the commands print it; prices are US dollars for a million tokens."""
    return {
        "name": model.choice.name,
        "model": model.choice.model,
        "provider": model.provider,
        "origin": model.origin.value,
        "note": model.note,
        "used": model.used,
        **asdict(model.facts or ModelFacts()),
    }


def entry_json(entry: ModelEntry) -> dict[str, object]:
    """A model of the store as the commands print it."""
    return {
        "name": entry.name,
        "title": entry.title,
        "purpose": entry.purpose,
        "bytes": entry.size,
        "licence": entry.licence,
        "path": str(entry.path) if entry.path else None,
    }


def model_lines(models: Sequence[Listed], current: str | None, *, most: int | None) -> Iterator[str]:
    """The models under their headings, at most so many of each; lines fit 100 cells but for very long names."""
    yield f"  {'':<{_NAME_WIDTH}} {'context':>7} {'$ per million':>13}"
    for heading, run in groupby(models, key=lambda model: "Last used" if model.used else model.provider):
        group = list(run)
        shown = group if most is None or len(group) <= most + 1 else group[:most]
        notes = {model.note for model in group}
        note = next(iter(notes)) if len(group) > 1 and len(notes) == 1 else ""
        yield shortened(f"{heading}: {note}", _WIDTH) if note else heading
        for model in shown:
            yield from _lines(model, current, "" if note else model.note)
        if len(shown) < len(group):
            yield f"  … {len(group) - len(shown)} more: `chatmem models list --all`"


def _lines(model: Listed, current: str | None, note: str) -> Iterator[str]:
    mark, name = ("*" if model.choice.name == current else " "), model.choice.name
    details = _details(model.facts) if model.facts and model.facts != ModelFacts() else ""
    if not details or model.fetch:
        details = f"{details.rstrip()}  {shortened(note, _WIDTH - _NAME_WIDTH - len(details) - 5)}"
    if len(name) > _NAME_WIDTH:
        yield f"{mark} {name}"
        name, mark = "", " "
    yield f"{mark} {name:<{_NAME_WIDTH}} {details}".rstrip()


def _details(facts: ModelFacts) -> str:
    abilities = [name for name in ("tools", "vision", "reasoning") if getattr(facts, name)]
    return f"{_size(facts.context_tokens):>7} {_price(facts):>13}  {' '.join(abilities)}"


def _size(tokens: int | None) -> str:
    if tokens is None:
        return ""
    return f"{tokens / 1_000_000:.1f}M" if tokens >= 1_000_000 else f"{tokens / 1000:.0f}k"


def _price(facts: ModelFacts) -> str:
    if facts.prompt_usd is None or facts.completion_usd is None:
        return ""
    if facts.prompt_usd == facts.completion_usd == 0:
        return "free"
    return f"{facts.prompt_usd:.2f}/{facts.completion_usd:.2f}"
