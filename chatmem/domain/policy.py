"""What may be remembered: secrets never, and what is sensitive as the person wishes."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from chatmem.domain.memory import Sensitivity

_REMOVED = re.compile(r"\[[^\]\[\n]{1,60} removed\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A credential or number in a text that nobody should keep: `text[start:end]`.

    Attributes:
        kind: What it is, in words fit for a sentence: `GitHub token`.
    """

    start: int
    end: int
    kind: str


class Treatment(StrEnum):
    """What becomes of memories of a sensitive kind."""

    ALWAYS = "always"
    ASK = "ask"
    """They wait until the person agrees, unless they did so when they said it."""

    TEMPORARY = "temporary"
    """They leave recall by themselves after a while."""

    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How sensitive kinds of memories are treated.

    Attributes:
        medical: Health, of whomever; not allergies and diets, which are told so that they are heeded.
        financial: Income, debts and savings, of whomever.
        others_private: What others would rather tell themselves.
        temporary_for: After what time a temporary memory leaves recall.
    """

    medical: Treatment = Treatment.ASK
    financial: Treatment = Treatment.ASK
    others_private: Treatment = Treatment.ASK
    temporary_for: timedelta = timedelta(days=30)

    @classmethod
    def of(cls, treatments: Mapping[str, str]) -> "Policy":
        """The policy of these treatments, `{"medical": "ask"}`; kinds that are not named are always kept.

        Raises:
            ValueError: If a kind or a treatment is of no such name.
        """
        named = {Sensitivity(kind): Treatment(treatment) for kind, treatment in treatments.items()}
        return cls(
            medical=named.get(Sensitivity.MEDICAL, Treatment.ALWAYS),
            financial=named.get(Sensitivity.FINANCIAL, Treatment.ALWAYS),
            others_private=named.get(Sensitivity.OTHERS_PRIVATE, Treatment.ALWAYS),
        )

    def treatment(self, sensitivity: Sensitivity) -> Treatment:
        """What becomes of a memory of this kind."""
        return {
            Sensitivity.MEDICAL: self.medical,
            Sensitivity.FINANCIAL: self.financial,
            Sensitivity.OTHERS_PRIVATE: self.others_private,
        }[sensitivity]


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


def is_redacted(text: str) -> bool:
    """Whether a secret was taken out of a text."""
    return _REMOVED.search(text) is not None


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
