"""Talking to a language model."""

from collections.abc import AsyncGenerator
from typing import Protocol

from chatmem.domain.model import ChatRequest, Completion, ModelChoice, ModelFacts, ReplyPart


class ChatModel(Protocol):
    """Answers prompts. Methods are async, and may be called from any event loop."""

    def stream(self, request: ChatRequest) -> AsyncGenerator[ReplyPart, None]:
        """Yield the reply as it arrives: retries and reasoning if any, text parts, then exactly one `EndPart`.

        Closing the generator (`aclosing`) cancels the call at the provider.

        Raises:
            PromptTooLongError: If the prompt is longer than the model takes in.
            ProviderError: If the provider failed, before or in the middle of the reply.
        """
        ...

    async def complete(self, request: ChatRequest) -> Completion:
        """Return the whole reply at once.

        Raises:
            ProviderError: If the provider failed.
            NonsenseError: If a schema was asked for and the reply is no JSON.
        """
        ...

    def context_tokens(self, choice: ModelChoice) -> int:
        """Size of a model's context in tokens: what the person set, else what is known, else a cautious guess."""
        ...

    def facts(self, choice: ModelChoice) -> ModelFacts:
        """What is known of a model, without asking anybody; may block while it is read from disk."""
        ...
