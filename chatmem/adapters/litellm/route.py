"""Where a call goes, and with what."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from chatmem.adapters.litellm import library
from chatmem.adapters.litellm.providers import ollama_base
from chatmem.domain.errors import ProviderError
from chatmem.domain.model import ChatRequest, Endpoint, ModelChoice

_NO_KEY = "none"  # what servers of one's own take; the client insists on some key
_CONNECT_S = 10.0
STALL_S = 120.0
FIRST_PART_LOCAL_S = 900.0
"""A model on a slow machine may read 8,000 tokens at 20 a second, or load for minutes, before its first word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """How one model is reached.

    Attributes:
        model: `provider/model` as litellm names it.
        variable: The variable the key came from, where it is not the provider's usual one.
        local: Whether it runs on hardware of one's own, and so may take its time.
    """

    choice: ModelChoice
    model: str
    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    variable: str | None = None
    local: bool = False


def route(choice: ModelChoice, endpoint: Callable[[str], Endpoint]) -> Route:
    """Find the way to a model; blocks while a built-in one starts.

    Raises:
        ProviderError: If its key is missing, or the built-in server could not be started.
    """
    if choice.builtin is not None:
        served = endpoint(choice.builtin)
        model = f"openai/{choice.builtin}"
        return Route(choice=choice, model=model, api_base=served.base_url, api_key=served.api_key, local=True)
    on_ollama = choice.model.startswith("ollama")
    return Route(
        choice=choice,
        model=choice.model,
        api_base=choice.api_base or (ollama_base() if on_ollama else None),
        api_key=_key(choice),
        variable=choice.key.name if choice.key else None,
        local=on_ollama or (choice.api_base or "").startswith("http://"),
    )


def arguments(request: ChatRequest, way: Route, *, num_ctx: int) -> dict[str, Any]:
    """The arguments of litellm's `acompletion` for a streamed reply."""
    import httpx

    given: dict[str, Any] = {
        "model": way.model,
        "messages": [{"role": message.role, "content": _utf8(message.text)} for message in request.messages],
        "max_tokens": request.max_reply_tokens,
        "temperature": request.temperature,
        "stream": True,
        "stream_options": {"include_usage": True},
        "timeout": httpx.Timeout(FIRST_PART_LOCAL_S if way.local else STALL_S, connect=_CONNECT_S),
        "max_retries": 0,
        "drop_params": True,
        "api_base": way.api_base,
        "api_key": way.api_key,
    }
    if request.schema is not None:
        schema = {"name": "reply", "schema": dict(request.schema), "strict": True}
        given["response_format"] = {"type": "json_schema", "json_schema": schema}
    if way.model.startswith("ollama"):
        given["num_ctx"] = num_ctx  # or Ollama cuts the beginning of a prompt off at a few thousand tokens, silently
    return {name: value for name, value in given.items() if value is not None}


def _key(choice: ModelChoice) -> str | None:
    if choice.key is not None:
        key = os.environ.get(choice.key.name)
        if not key:
            raise _missing(choice, choice.key.name)
        return key
    if missing := library.missing_keys(choice.model):
        if choice.model.startswith("openai/") and _has_own_server(choice):
            return _NO_KEY
        if choice.api_base is None:
            raise _missing(choice, " or ".join(missing))
    return None


def _has_own_server(choice: ModelChoice) -> bool:
    return any((choice.api_base, os.environ.get("OPENAI_BASE_URL"), os.environ.get("OPENAI_API_BASE")))


def _missing(choice: ModelChoice, variables: str) -> ProviderError:
    return ProviderError(
        f"There is no key for {choice.name}: put it into the environment variable {variables} and start chatmem again, "
        "or choose another model."
    )


def _utf8(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
