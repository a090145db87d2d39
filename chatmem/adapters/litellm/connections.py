"""litellm's connections, watched for errors that are sent as if all were well."""

import json
from typing import Any

_LONGEST_ERROR = 1_000_000


class ErrorBodyError(Exception):
    """A provider sent 200, and an error as the body.

    Attributes:
        status_code: What the error says of itself, or 500.
    """

    def __init__(self, said: str, status_code: int) -> None:
        super().__init__(said)
        self.status_code = status_code


def watch(litellm: Any) -> None:
    """Have litellm's shared clients look at each answer; does nothing where they do already."""
    if litellm.aclient_session is None:
        from litellm.llms.openai.common_utils import BaseOpenAILLM

        litellm.aclient_session = BaseOpenAILLM.get_async_http_client()  # for all that speak OpenAI's protocol
        litellm.aclient_session.event_hooks = {"response": [_look]}
    anthropic = litellm.module_level_aclient.client
    if not anthropic.event_hooks["response"]:
        anthropic.event_hooks = {"response": [_look]}


async def close(litellm: Any) -> None:
    """Close all connections; call it on the event loop that used them."""
    from litellm.llms.custom_httpx.async_client_cleanup import close_litellm_async_clients

    await close_litellm_async_clients()
    await litellm.module_level_aclient.client.aclose()  # it opens another one when it is used again
    if litellm.aclient_session is not None:
        session, litellm.aclient_session = litellm.aclient_session, None
        await session.aclose()
    litellm.in_memory_llm_clients_cache.flush_cache()


async def _look(response: Any) -> None:
    if response.status_code != 200 or not response.headers.get("content-type", "").startswith("application/json"):
        return
    if int(response.headers.get("content-length") or 0) > _LONGEST_ERROR:
        return
    try:
        error = json.loads(await response.aread())["error"]
    except (ValueError, LookupError, TypeError):
        return
    if error:
        code = error.get("code") if isinstance(error, dict) else None
        status = code if isinstance(code, int) and 400 <= code < 600 else 500
        raise ErrorBodyError(str(error.get("message") if isinstance(error, dict) else error), status)
