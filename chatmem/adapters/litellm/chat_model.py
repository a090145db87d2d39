"""Every provider of language models, through litellm."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import CancelledError
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Any

from chatmem.adapters.litellm import cost_map, library
from chatmem.adapters.litellm.failures import no_provider, provider_error
from chatmem.adapters.litellm.patience import Patience
from chatmem.adapters.litellm.reply import Reply
from chatmem.adapters.litellm.retrying import retrying
from chatmem.adapters.litellm.route import Route, arguments, route
from chatmem.adapters.litellm.thread import LoopThread
from chatmem.domain.errors import NonsenseError, ProviderError
from chatmem.domain.model import (
    ChatRequest,
    Completion,
    EndPart,
    Endpoint,
    KeyPlace,
    ModelChoice,
    ModelFacts,
    ReplyPart,
    TextPart,
    Usage,
)
from chatmem.ports.keys import Keys

logger = logging.getLogger(__name__)

_CAUTIOUS_CONTEXT = 8192
_FENCED = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*", re.DOTALL)


class LitellmChatModel:
    """Answers prompts through litellm, on an event loop of its own, as litellm blocks the loop it runs on.

    Args:
        endpoint: Says where a built-in model is served; may block while its server starts.
        keys: Finds the keys that choices name.
        builtin_context_tokens: Size of the context that built-in models are served with.
        patience: How long providers are waited for.
    """

    def __init__(
        self,
        endpoint: Callable[[str], Endpoint],
        *,
        keys: Keys,
        builtin_context_tokens: int = _CAUTIOUS_CONTEXT,
        patience: Patience | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._keys = keys
        self._patience = patience or Patience()
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
        with suppress(RuntimeError, CancelledError):  # closed meanwhile
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

    def check_name(self, choice: ModelChoice) -> None:
        """Look whether a model's name tells which provider has it, without asking anybody; blocks for 2 s.

        Raises:
            ProviderError: If it does not.
        """
        if choice.builtin is None and not library.names_provider(choice.model):
            raise ProviderError(no_provider(choice.model))

    async def _answer(self, request: ChatRequest, pass_on: Callable[[ReplyPart], None]) -> None:
        reply = Reply(request.choice.name, pass_on)

        async def attempt() -> None:
            nonlocal reply
            reply = Reply(request.choice.name, pass_on)
            await self._attempt(request, reply)

        await retrying(self._patience, lambda: not reply.started, pass_on)(attempt)

    async def _attempt(self, request: ChatRequest, reply: Reply) -> None:
        choice = request.choice
        way = await asyncio.to_thread(self._way, choice) if _may_wait(choice) else self._way(choice)
        try:
            call = arguments(request, way, self._patience, num_ctx=self.context_tokens(request.choice))
            whole = await self._take(call | _client(way), reply, local=way.local)
        except Exception as error:  # litellm raises whatever its providers' code does
            logger.info("%s failed: %s", request.choice.model, type(error).__name__)
            raise await provider_error(error, way) from error
        reply.end(way, whole=whole)

    def _way(self, choice: ModelChoice) -> Route:
        library.load()
        return route(choice, self._endpoint, self._keys)

    async def _take(self, call: dict[str, Any], reply: Reply, *, local: bool) -> bool:
        """Pass the reply on; returns whether the provider said that it was all."""
        loop, patience = asyncio.get_running_loop(), self._patience
        async with asyncio.timeout(patience.first_local_s if local else patience.first_s) as limit:
            chunks = await library.load().acompletion(**call)
            async with aclosing(chunks):
                async for chunk in chunks:
                    reply.note(chunk)
                    if reply.started:
                        limit.reschedule(loop.time() + patience.stall_s)
        return library.was_whole(chunks)


def _may_wait(choice: ModelChoice) -> bool:
    """Whether the way to a model may take its time: its server has to start, or its key to be fetched."""
    looked_up = choice.key is not None and choice.key.place is not KeyPlace.ENVIRONMENT
    return choice.builtin is not None or looked_up or not library.loaded()


def _client(way: Route) -> dict[str, Any]:
    """The argument `client` of a call, where there is a faster one than litellm's own."""
    if not way.model.startswith("openai/"):
        return {}
    from chatmem.adapters.litellm.openai_client import openai_client

    return {"client": openai_client(way, library.load().aclient_session)}


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
