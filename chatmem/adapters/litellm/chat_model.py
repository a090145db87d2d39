"""Every provider of language models, through litellm."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Any

from chatmem.adapters.litellm import cost_map, library
from chatmem.adapters.litellm.failures import provider_error, retry_after_s
from chatmem.adapters.litellm.route import STALL_S, Route, arguments, route
from chatmem.adapters.litellm.thread import LoopThread
from chatmem.domain.errors import NonsenseError, ProviderError
from chatmem.domain.model import (
    ChatRequest,
    Completion,
    EndPart,
    Endpoint,
    ModelChoice,
    ModelFacts,
    ReplyPart,
    TextPart,
    Usage,
)

logger = logging.getLogger(__name__)

_PAUSES_S = (0.3, 1.0)
"""Waits before the second and the third try."""

_CAUTIOUS_CONTEXT = 8192
_FENCED = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*", re.DOTALL)


class LitellmChatModel:
    """Answers prompts through litellm, on an event loop of its own, as litellm blocks the loop it runs on.

    Args:
        endpoint: Says where a built-in model is served; may block while its server starts.
        builtin_context_tokens: Size of the context that built-in models are served with.
    """

    def __init__(self, endpoint: Callable[[str], Endpoint], *, builtin_context_tokens: int = _CAUTIOUS_CONTEXT) -> None:
        self._endpoint = endpoint
        self._builtin = ModelFacts(
            context_tokens=builtin_context_tokens,
            prompt_usd=0.0,
            completion_usd=0.0,
            tools=False,
            vision=False,
            reasoning=False,
        )
        self._thread = LoopThread("litellm", library.close)

    def warm_up(self) -> None:
        """Import litellm and what its first call imports (3 s), so that the first answer needn't wait. Blocks."""
        library.load()
        with suppress(RuntimeError):  # closed meanwhile
            self._thread.start(library.rehearse()).result()

    def close(self) -> None:
        """Cancel running calls and close all connections; calls after it fail."""
        self._thread.close()

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ReplyPart, None]:
        """See `ChatModel.stream`."""
        caller = asyncio.get_running_loop()
        arrived: asyncio.Queue[ReplyPart | None] = asyncio.Queue()

        def pass_on(part: ReplyPart | None) -> None:
            with suppress(RuntimeError):  # the caller's loop is closed: nobody listens
                caller.call_soon_threadsafe(arrived.put_nowait, part)

        try:
            call = self._thread.start(self._answer(request, pass_on))
        except RuntimeError as error:
            raise _closing(request) from error
        call.add_done_callback(lambda _: pass_on(None))
        try:
            while (part := await arrived.get()) is not None:
                yield part
            if call.cancelled():
                raise _closing(request)
            call.result()
        finally:
            call.cancel()

    async def complete(self, request: ChatRequest) -> Completion:
        """See `ChatModel.complete`; the reply is streamed too, so that a stall is noticed and cancelling is prompt."""
        pieces: list[str] = []
        usage = Usage()
        async with aclosing(self.stream(request)) as parts:
            async for part in parts:
                match part:
                    case TextPart(text):
                        pieces.append(text)
                    case EndPart(_, usage):
                        pass
        text = "".join(pieces)
        return Completion(text=text if request.schema is None else _json_of(text, request.choice), usage=usage)

    def context_tokens(self, choice: ModelChoice) -> int:
        """See `ChatModel.context_tokens`; blocks for 0.1 s when it is the first to need litellm's list of models."""
        return self.facts(choice).context_tokens or _CAUTIOUS_CONTEXT

    def facts(self, choice: ModelChoice) -> ModelFacts:
        """See `ChatModel.facts`; blocks for 0.1 s when it is the first to need litellm's list of models."""
        known = self._builtin if choice.builtin is not None else cost_map.facts_of(choice.model) or ModelFacts()
        return known if choice.context_tokens is None else replace(known, context_tokens=choice.context_tokens)

    async def _answer(self, request: ChatRequest, pass_on: Callable[[ReplyPart], None]) -> None:
        for pause_s in (*_PAUSES_S, None):
            reply = _Reply(request, pass_on)
            try:
                return await self._attempt(request, reply)
            except ProviderError as error:
                wait_s = None if pause_s is None or reply.started else retry_after_s(error, pause_s)
                if wait_s is None:
                    raise
                logger.info("asking %s again in %.1f s", request.choice.model, wait_s)
            await asyncio.sleep(wait_s)
        return None

    async def _attempt(self, request: ChatRequest, reply: "_Reply") -> None:
        # Not litellm's import alone: looking for a key, and starting the built-in server, may block too.
        way = await asyncio.to_thread(route, request.choice, self._endpoint)
        try:
            call = arguments(request, way, num_ctx=self.context_tokens(request.choice))
            chunks = await library.load().acompletion(**call)
            async with aclosing(chunks):
                await reply.take(chunks, way)
        except ProviderError:
            raise
        except Exception as error:  # litellm raises whatever its providers' code does
            logger.info("%s failed: %s", request.choice.model, type(error).__name__)
            raise provider_error(error, way) from error
        reply.end(way)


class _Reply:
    """A reply as it arrives from litellm."""

    def __init__(self, request: ChatRequest, pass_on: Callable[[ReplyPart], None]) -> None:
        self._request = request
        self._pass_on = pass_on
        self._reason: str | None = None
        self._usage: Any = None
        self.started = False
        """Whether some of it was passed on, so that asking again would repeat it."""

    async def take(self, chunks: Any, way: Route) -> None:
        """Pass the text on; between two pieces may be `STALL_S`, before the first what the route allows."""
        pieces = aiter(chunks)
        while True:
            async with asyncio.timeout(STALL_S if self.started else None):
                try:
                    self._note(await anext(pieces))
                except StopAsyncIteration:
                    return

    def end(self, way: Route) -> None:
        """Pass the end on, unless there was nothing before it."""
        name = self._request.choice.name
        if self._reason == "content_filter" and not self.started:
            raise ProviderError(f"{name} refused to answer because of its content filter. Say it in another way.")
        if not self.started and self._reason == "length":
            raise ProviderError(f"{name} used up the length of a reply before it said anything. Allow a longer reply.")
        if not self.started:
            raise ProviderError(f"{name} answered nothing. Ask again, or choose another model.", retryable=True)
        self._pass_on(EndPart(self._reason or "stop", self._consumed(way)))

    def _note(self, chunk: Any) -> None:
        self._usage = getattr(chunk, "usage", None) or self._usage
        for choice in chunk.choices:
            self._reason = choice.finish_reason or self._reason
            if text := choice.delta.content:
                self.started = True
                self._pass_on(TextPart(text))

    def _consumed(self, way: Route) -> Usage:
        if self._usage is None:
            return Usage()
        return Usage(
            prompt_tokens=self._usage.prompt_tokens or 0,
            completion_tokens=self._usage.completion_tokens or 0,
            cost_usd=_cost_usd(way, self._usage),
        )


def _cost_usd(way: Route, usage: Any) -> float | None:
    if way.choice.builtin is not None:
        return 0.0
    return None if way.api_base is not None else library.cost_usd(way.model, usage)


def _json_of(text: str, choice: ModelChoice) -> str:
    fenced = _FENCED.fullmatch(text)
    body = fenced[1] if fenced else text
    try:
        json.loads(body)
    except ValueError as error:
        raise NonsenseError(
            f"{choice.name} was asked for JSON and answered something else. Try again, or choose a more capable model."
        ) from error
    return body


def _closing(request: ChatRequest) -> ProviderError:
    return ProviderError(f"The answer of {request.choice.name} was given up because chatmem is closing.")
