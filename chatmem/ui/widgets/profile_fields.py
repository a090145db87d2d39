"""What is typed for a provider profile, and what it means."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from chatmem.conversation import Profile
from chatmem.domain.errors import UsageError
from chatmem.domain.model import KeyPlace, KeySource, ModelChoice, Parameters

N = TypeVar("N", int, float)

USUAL = "usual"
"""Stands for no place of its own: the provider's usual variable is looked at."""

NEEDS_NAME = "Give it a name: it is what you pick it by."
NEEDS_MODEL = "Name the model as litellm writes it, such as openai/gpt-4.1 or ollama_chat/llama3.2."
NEEDS_PROVIDER = "Write the protocol before it: openai/NAME for a server that speaks OpenAI's."
NO_ADDRESS = "An address begins with http:// or https://."
NO_VARIABLE = "A variable's name has letters, digits and _ only. The key itself does not belong here."
NEEDS_KEY = "Type or paste the key. It goes to this system's keyring, not to a file."
NEEDS_COMMAND = "Write the command that prints the key, such as: pass show openai"
NO_TEMPERATURE = "A number from 0 to 2, or nothing to leave it to the provider."
NO_TOKENS = "A whole number of at least {least:,}, or nothing to leave it open."
NO_HEADERS = "One header a line, such as: X-Team: research"


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """The fields as they were typed.

    Attributes:
        place: A `KeyPlace`, or `USUAL`.
        key: The variable, the command, or the key itself, by the place.
        fallback: Name of another profile; empty for none.
    """

    name: str = ""
    model: str = ""
    api_base: str = ""
    place: str = USUAL
    key: str = ""
    temperature: str = ""
    reply_tokens: str = ""
    reasoning_effort: str = ""
    context_tokens: str = ""
    headers: str = ""
    fallback: str = ""


def typed_of(choice: ModelChoice, fallback: str | None = None) -> Typed:
    """The fields of a choice, as they would be typed; a key in the keyring stays there."""
    parameters, source = choice.parameters, choice.key
    return Typed(
        name=choice.name,
        model=choice.model,
        api_base=choice.api_base or "",
        place=source.place.value if source else USUAL,
        key=source.name if source and source.place is not KeyPlace.KEYRING else "",
        temperature=_shown(parameters.temperature),
        reply_tokens=_shown(parameters.reply_tokens),
        reasoning_effort=parameters.reasoning_effort or "",
        context_tokens=_shown(choice.context_tokens),
        headers="\n".join(f"{name}: {value}" for name, value in parameters.headers),
        fallback=fallback or "",
    )


def profile_of(typed: Typed, kept: KeySource | None = None) -> tuple[Profile, str | None]:
    """The profile that was typed, and the key that was typed with it.

    Args:
        typed: The fields.
        kept: Where the key is so far.

    Raises:
        WrongFieldsError: If any of them is wrong.
    """
    reading = _Reading(typed)
    name = reading.text("name", lambda text: None if text else NEEDS_NAME)
    model = reading.text("model", lambda text: _wrong_model(text, typed.api_base.strip()))
    api_base = reading.text("api_base", _wrong_address)
    source = reading.source(kept, name)
    parameters = Parameters(
        temperature=reading.number("temperature", float, 0, 2, NO_TEMPERATURE),
        reply_tokens=reading.number("reply_tokens", int, 1, None, NO_TOKENS.format(least=1)),
        reasoning_effort=reading.text("reasoning_effort") or None,
        headers=reading.headers(),
    )
    choice = ModelChoice(
        name=name,
        model=model,
        api_base=api_base or None,
        key=source,
        context_tokens=reading.number("context_tokens", int, 256, None, NO_TOKENS.format(least=256)),
        parameters=parameters,
    )
    if reading.wrong:
        raise WrongFieldsError(reading.wrong)
    new_key = typed.key.strip() if typed.place == KeyPlace.KEYRING else ""
    return Profile(name=name, choice=choice, fallback=typed.fallback or None), new_key or None


class WrongFieldsError(UsageError):
    """Some fields are wrong.

    Attributes:
        sentences: What is wrong with each, by the name of the field, in the order of the form.
    """

    def __init__(self, sentences: Mapping[str, str]) -> None:
        super().__init__(" ".join(sentences.values()))
        self.sentences = sentences


class _Reading:
    """Reads fields one by one, and gathers what is wrong with them."""

    def __init__(self, typed: Typed) -> None:
        self._typed = typed
        self.wrong: dict[str, str] = {}

    def text(self, field: str, fault: Callable[[str], str | None] = lambda _: None) -> str:
        text = str(getattr(self._typed, field)).strip()
        if sentence := fault(text):
            self.wrong[field] = sentence
        return text

    def number(self, field: str, kind: type[N], least: float, most: float | None, sentence: str) -> N | None:
        text = self.text(field).replace(",", "" if kind is int else ".")
        if not text:
            return None
        try:
            value = kind(text)
        except ValueError:
            self.wrong[field] = sentence
            return None
        if not least <= value <= (value if most is None else most):  # also true of what is no number, `nan`
            self.wrong[field] = sentence
        return value

    def headers(self) -> tuple[tuple[str, str], ...]:
        lines = [line for line in self._typed.headers.splitlines() if line.strip()]
        pairs = [
            (name.strip(), value.strip()) for name, colon, value in (line.partition(":") for line in lines) if colon
        ]
        if len(pairs) < len(lines) or not all(re.fullmatch(r"[!#-'*+.^_`|~\w-]+", name) for name, _ in pairs):
            self.wrong["headers"] = NO_HEADERS
        return tuple(pairs)

    def source(self, kept: KeySource | None, name: str) -> KeySource | None:
        key = self._typed.key.strip()
        match self._typed.place:
            case KeyPlace.ENVIRONMENT:
                self.text("key", lambda text: None if re.fullmatch(r"[A-Za-z_]\w*", text) else NO_VARIABLE)
                return KeySource(place=KeyPlace.ENVIRONMENT, name=key)
            case KeyPlace.COMMAND:
                self.text("key", lambda text: None if text else NEEDS_COMMAND)
                return KeySource(place=KeyPlace.COMMAND, name=key)
            case KeyPlace.KEYRING:
                if not key and (kept is None or kept.place is not KeyPlace.KEYRING):
                    self.wrong["key"] = NEEDS_KEY
                return KeySource(place=KeyPlace.KEYRING, name=name) if key or kept is None else kept
            case _:
                return None


def _wrong_model(text: str, api_base: str) -> str | None:
    return NEEDS_MODEL if not text else NEEDS_PROVIDER if api_base and "/" not in text else None


def _wrong_address(text: str) -> str | None:
    return None if not text or re.match(r"https?://[^/\s]", text) else NO_ADDRESS


def _shown(number: float | None) -> str:
    return "" if number is None else f"{number:g}" if isinstance(number, float) else str(number)
