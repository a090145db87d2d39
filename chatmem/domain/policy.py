"""What may be remembered: secrets, and where they stand in a text."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A credential or number in a text that nobody should keep: `text[start:end]`.

    Attributes:
        kind: What it is, in words fit for a sentence: `GitHub token`.
    """

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Screened:
    """A text as it was said, and as it may be kept.

    Attributes:
        said: With its secrets; in no `repr`, so that no log or traceback shows it.
        kept: Without them.
        secrets: Where they stand in `said`, in order, without overlaps.
    """

    said: str = field(repr=False)
    kept: str
    secrets: tuple[Secret, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """What was taken out, in order: one kind for each secret."""
        return tuple(secret.kind for secret in self.secrets)


def told(kinds: Iterable[str]) -> str:
    """What was taken out of a text, in words: `GitHub token, 2 x password`; empty for nothing."""
    return ", ".join(kind if count == 1 else f"{count} x {kind}" for kind, count in Counter(kinds).items())


def redacted(text: str, secrets: Sequence[Secret]) -> str:
    """A text with each secret replaced by what it was: `[GitHub token removed]`; `secrets` do not overlap."""
    for secret in sorted(secrets, key=lambda secret: -secret.start):
        text = f"{text[: secret.start]}[{secret.kind} removed]{text[secret.end :]}"
    return text


def merged(secrets: Sequence[Secret]) -> list[Secret]:
    """The same places without overlaps, in order; where two overlap, the longer one gives its kind."""
    places: list[Secret] = []
    for secret in sorted(secrets, key=lambda secret: (secret.start, -secret.end)):
        if places and secret.start < places[-1].end:
            last = places[-1]
            kind = max(last, secret, key=lambda one: one.end - one.start).kind
            places[-1] = Secret(start=last.start, end=max(last.end, secret.end), kind=kind)
        else:
            places.append(secret)
    return places
