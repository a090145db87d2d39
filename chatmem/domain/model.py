"""Chat models as the conversation sees them: which one, what is asked, what comes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field

BUILTIN = "builtin/"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A model to talk to, and how to reach it.

    Attributes:
        name: What the person calls it and what the screen shows.
        model: `provider/model` as litellm names it, or `builtin/NAME` for a model of the model store.
        api_base: Root of its API where it is not the provider's own.
        api_key_env: The variable that holds its key, where it is not the provider's usual one.
        context_tokens: Size of its context where the person set it; `None` to use what is known of the model.
    """

    name: str
    model: str
    api_base: str | None = None
    api_key_env: str | None = None
    context_tokens: int | None = None

    @property
    def builtin(self) -> str | None:
        """The model store's name of a built-in model; `None` for all others."""
        return self.model.removeprefix(BUILTIN) if self.model.startswith(BUILTIN) else None


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
class EndPart:
    """The end of a streamed reply.

    Attributes:
        reason: `stop`, `length`, or what the provider says.
    """

    reason: str
    usage: Usage


ReplyPart = TextPart | EndPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A whole reply."""

    text: str
    usage: Usage
