"""Chat models as the conversation sees them: which one, what is asked, what comes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

BUILTIN = "builtin/"


class KeyPlace(StrEnum):
    """Where a provider's key is looked for; never in the settings file."""

    ENVIRONMENT = "environment"
    KEYRING = "keyring"
    COMMAND = "command"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySource:
    """How a key is found.

    Attributes:
        name: Of the variable, of the entry in the system's keyring, or the command line that prints the key.
    """

    place: KeyPlace
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What the person set for one model; `None` leaves it to the provider.

    Attributes:
        reply_tokens: Upper bound of a reply's length, in place of the general setting.
        reasoning_effort: `low`, `medium`, `high`, or another word of the provider's.
        headers: Sent with each request; may hold secrets, so they stay out of `repr`.
    """

    temperature: float | None = None
    reply_tokens: int | None = None
    reasoning_effort: str | None = None
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A model to talk to, and how to reach it.

    Attributes:
        name: What the person calls it and what the screen shows.
        model: `provider/model` as litellm names it, or `builtin/NAME` for a model of the model store.
        api_base: Root of its API where it is not the provider's own.
        key: Where its key is, if not in the provider's usual variable.
        context_tokens: Size of its context where the person set it; `None` to use what is known of the model.
        fallback: Asked in its place when it fails for good before its first word.
    """

    name: str
    model: str
    api_base: str | None = None
    key: KeySource | None = None
    context_tokens: int | None = None
    parameters: Parameters = Parameters()
    fallback: "ModelChoice | None" = None

    @property
    def builtin(self) -> str | None:
        """The model store's name of a built-in model; `None` for all others."""
        return self.model.removeprefix(BUILTIN) if self.model.startswith(BUILTIN) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """What is known of a model; `None` where it is not.

    Attributes:
        context_tokens: What it takes in.
        prompt_usd: Price of a million tokens of prompt, in US dollars.
        completion_usd: Price of a million tokens of reply, in US dollars.
        tools: Whether it calls tools.
        vision: Whether it looks at images.
        reasoning: Whether it thinks before it answers.
    """

    context_tokens: int | None = None
    prompt_usd: float | None = None
    completion_usd: float | None = None
    tools: bool | None = None
    vision: bool | None = None
    reasoning: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A picture as it is shown to a model; `media_type` is such as `image/png`."""

    name: str
    media_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a built-in model is served, in the OpenAI protocol; the key stays out of `repr`."""

    base_url: str
    api_key: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMessage:
    """One entry of a chat prompt; `role` is `system`, `user` or `assistant`."""

    role: str
    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """What a model is asked.

    Attributes:
        max_reply_tokens: Upper bound of the reply's length.
        schema: JSON schema that the reply must follow; `None` for free text.
    """

    choice: ModelChoice
    messages: tuple[PromptMessage, ...]
    max_reply_tokens: int
    temperature: float | None = None
    schema: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one call consumed; a cost of `None` means that no price is known."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class TextPart:
    """The next piece of a streamed reply."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPart:
    """The next piece of what a reasoning model thinks before it answers."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPart:
    """An attempt failed before its first word, and the next begins in `wait_s` seconds.

    Attributes:
        error: Why, in a sentence.
        attempt: The attempt that comes, counted from 1; the first retry is 2.
        attempts: How many there will be at most.
    """

    error: str
    wait_s: float
    attempt: int
    attempts: int


@dataclass(frozen=True, slots=True)
class EndPart:
    """The end of a streamed reply.

    Attributes:
        reason: `stop`, `length`, or what the provider says.
    """

    reason: str
    usage: Usage


ReplyPart = TextPart | ReasoningPart | RetryPart | EndPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A whole reply."""

    text: str
    usage: Usage
