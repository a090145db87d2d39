"""OpenAI's client without what makes it slow. Imports openai: import it where it is used."""

import os
from functools import lru_cache
from typing import Any

from httpx import AsyncClient
from openai import AsyncOpenAI, AsyncStream, RequestOptions
from openai.resources.chat.completions import AsyncCompletions
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from chatmem.adapters.litellm.route import Route


class _Completions(AsyncCompletions):
    async def create(self, **given: Any) -> Any:
        """Ask for a streamed reply, with the body sent as it is: to compare it with types takes a millisecond."""
        options = RequestOptions(timeout=given.pop("timeout"), headers=given.pop("extra_headers", None) or {})
        if extra := given.pop("extra_body", None):
            options["extra_json"] = extra
        return await self._post(
            "/chat/completions",
            body=given,
            options=options,
            cast_to=ChatCompletion,
            stream=True,
            stream_cls=AsyncStream[ChatCompletionChunk],
        )


@lru_cache(maxsize=8)
def openai_client(way: Route, connections: AsyncClient) -> AsyncOpenAI:
    """The client for one route; the key and the address are found where litellm finds them.

    It is kept, as a new one asks in a thread which platform it runs on before it sends anything.
    """
    client = AsyncOpenAI(
        api_key=way.api_key or os.environ.get("OPENAI_API_KEY"),
        base_url=way.api_base or os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_BASE"),
        organization=os.environ.get("OPENAI_ORGANIZATION"),
        http_client=connections,
        max_retries=0,
    )
    client.chat.__dict__["completions"] = _Completions(client)  # a cached property: this is where it is kept
    return client
