"""A language model that says what the test scripted."""

import asyncio
import json
import re
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass, field

from chatmem.domain.errors import NonsenseError, PromptTooLongError, ProviderError
from chatmem.domain.model import (
    ChatRequest,
    Completion,
    EndPart,
    ModelChoice,
    ModelFacts,
    ReasoningPart,
    ReplyPart,
    RetryPart,
    TextPart,
    Usage,
)


@dataclass(frozen=True, kw_only=True)
class Script:
    """One reply: the retries, the reasoning, the text, and its end.

    Attributes:
        retries: Why each failed attempt failed before this one; announced as waits of no time.
        reasoning: What the model thinks first, which arrives a word at a time.
        text: What arrives, a word at a time.
        error: Raised after `text`, in place of the end.
        hold: Waited for after `text`; a test that never sets it has a reply that only cancelling ends.
        reason: Why the reply ended.
    """

    retries: tuple[str, ...] = ()
    reasoning: str = ""
    text: str = ""
    error: Exception | None = None
    hold: asyncio.Event | None = None
    reason: str = "stop"


Reply = str | Exception | Script | Callable[[ChatRequest], str]


@dataclass
class ScriptedChatModel:
    """Gives its replies in order, then echoes the last message it is sent.

    A reply is a text, an error to raise, a `Script`, or a function from the request to a text. It keeps the contract
    of `ChatModel`, so an empty text is a `ProviderError`, and one that is no JSON where a schema was asked for a
    `NonsenseError`.

    Attributes:
        requests: What it was asked, in order.
        cancelled: Requests whose stream was closed, or whose task was cancelled, before the end.
        always: Given instead of the echo when `replies` are used up.
        known: What is known of models, by `ModelChoice.model`; a context that is known there is what the model takes.
        longest: Words that a prompt may have; one that is longer is a `PromptTooLongError`, and takes no reply.
    """

    replies: deque[Reply] = field(default_factory=deque)
    always: Reply | None = None
    context: int = 8192
    requests: list[ChatRequest] = field(default_factory=list)
    cancelled: list[ChatRequest] = field(default_factory=list)
    known: dict[str, ModelFacts] = field(default_factory=dict)
    longest: int | None = None

    @classmethod
    def of(cls, *replies: Reply) -> "ScriptedChatModel":
        return cls(deque(replies))

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ReplyPart, None]:
        script = self._next(request)
        ended = False
        try:
            for part in _parts(script):
                await asyncio.sleep(0)
                yield part
            if script.hold is not None:
                await script.hold.wait()
            ended = True
            if script.error is not None:
                raise script.error
            if not script.text.strip():
                raise ProviderError(f"{request.choice.name} answered nothing. Ask again.", retryable=True)
            yield EndPart(script.reason, _usage(request, script.text))
        finally:
            if not ended:
                self.cancelled.append(request)

    async def complete(self, request: ChatRequest) -> Completion:
        text, usage = "", Usage()
        async for part in self.stream(request):
            match part:
                case TextPart(piece):
                    text += piece
                case EndPart(_, usage):
                    pass
        if request.schema is not None:
            try:
                json.loads(text)
            except ValueError as error:
                raise NonsenseError(f"{request.choice.name} answered with something that is no JSON.") from error
        return Completion(text=text, usage=usage)

    def context_tokens(self, choice: ModelChoice) -> int:
        return choice.context_tokens or self.facts(choice).context_tokens or self.context

    def facts(self, choice: ModelChoice) -> ModelFacts:
        return self.known.get(choice.model, ModelFacts())

    def _next(self, request: ChatRequest) -> Script:
        self.requests.append(request)
        if self.longest is not None and _words_in(request) > self.longest:
            return Script(error=PromptTooLongError(f"The prompt is longer than {request.choice.name} can take in."))
        reply = self.replies.popleft() if self.replies else self.always
        match reply:
            case Script():
                return reply
            case None:
                return Script(text=request.messages[-1].text)
            case str():
                return Script(text=reply)
            case Exception():
                return Script(error=reply)
            case _:
                return Script(text=reply(request))


def _parts(script: Script) -> Iterator[ReplyPart]:
    for attempt, error in enumerate(script.retries, start=2):
        yield RetryPart(error=error, wait_s=0.0, attempt=attempt, attempts=len(script.retries) + 1)
    yield from map(ReasoningPart, _pieces(script.reasoning))
    yield from map(TextPart, _pieces(script.text))


def _pieces(text: str) -> list[str]:
    return re.findall(r"\s*\S+\s*$|\s*\S+", text)


def _words_in(request: ChatRequest) -> int:
    return sum(len(message.text.split()) for message in request.messages)


def _usage(request: ChatRequest, reply: str) -> Usage:
    return Usage(prompt_tokens=_words_in(request), completion_tokens=len(reply.split()))
