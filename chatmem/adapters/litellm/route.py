"""Where a call goes, and with what."""

import base64
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from chatmem.adapters.litellm import library
from chatmem.adapters.litellm.patience import Patience
from chatmem.adapters.litellm.providers import ollama_base
from chatmem.domain.errors import ProviderError
from chatmem.domain.model import ChatRequest, Endpoint, KeyPlace, KeySource, ModelChoice, PromptMessage
from chatmem.ports.keys import Keys

_NO_KEY = "none"  # what servers of one's own take; the client insists on some key
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})
_ON_THIS_MACHINE = ("ollama", "lm_studio", "llamafile")


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """How one model is reached.

    Attributes:
        model: `provider/model` as litellm names it.
        local: Whether it runs on hardware of one's own, and so may take its time.
    """

    choice: ModelChoice
    model: str
    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    local: bool = False

    @property
    def here(self) -> bool:
        """Whether its server is on this very machine, started by the person."""
        if self.choice.builtin is not None:
            return False
        return self.model.startswith(_ON_THIS_MACHINE) or urlsplit(self.api_base or "").hostname in _THIS_MACHINE

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no message may show."""
        return tuple(filter(None, (self.api_key, *(value for _, value in self.choice.parameters.headers))))


def route(choice: ModelChoice, endpoint: Callable[[str], Endpoint], keys: Keys) -> Route:
    """Find the way to a model; blocks while a built-in one starts, or a command prints the key.

    Raises:
        ProviderError: If its key is missing, or the built-in server could not be started.
    """
    if choice.builtin is not None:
        served = endpoint(choice.builtin)
        model = f"openai/{choice.builtin}"
        return Route(choice=choice, model=model, api_base=served.base_url, api_key=served.api_key, local=True)
    _check_address(choice)
    on_ollama = choice.model.startswith("ollama")
    return Route(
        choice=choice,
        model=choice.model,
        api_base=choice.api_base or (ollama_base() if on_ollama else None),
        api_key=_key(choice, keys),
        local=on_ollama or (choice.api_base or "").startswith("http://"),
    )


def _check_address(choice: ModelChoice) -> None:
    try:
        _ = urlsplit(choice.api_base or "").port
    except ValueError as error:
        raise ProviderError(
            f"The address of {choice.name} is none: {error}. Set api_base to something like http://localhost:8000/v1."
        ) from error


def arguments(request: ChatRequest, way: Route, patience: Patience, *, num_ctx: int) -> dict[str, Any]:
    """The arguments of litellm's `acompletion` for a streamed reply."""
    import httpx

    parameters = way.choice.parameters
    silence_s = max(patience.first_local_s if way.local else patience.first_s, patience.stall_s)
    given: dict[str, Any] = {
        "model": way.model,
        "messages": [_message(message) for message in request.messages],
        "max_tokens": request.max_reply_tokens,
        "temperature": _temperature(request),
        "reasoning_effort": parameters.reasoning_effort,
        "stream": True,
        "stream_options": {"include_usage": True},
        "timeout": httpx.Timeout(silence_s, connect=patience.connect_s),
        "max_retries": 0,
        "drop_params": True,
        "api_base": way.api_base,
        "api_key": way.api_key,
        "extra_headers": dict(parameters.headers) or None,
    }
    if request.schema is not None:
        schema = {"name": "reply", "schema": dict(request.schema), "strict": True}
        given["response_format"] = {"type": "json_schema", "json_schema": schema}
    if way.model.startswith("ollama"):
        given["num_ctx"] = num_ctx  # or Ollama cuts the beginning of a prompt off at a few thousand tokens, silently
    return {name: value for name, value in given.items() if value is not None}


def _temperature(request: ChatRequest) -> float | None:
    parameters = request.choice.parameters
    if parameters.temperature is not None or parameters.reasoning_effort is not None:
        return parameters.temperature  # a model that was told to think often takes no other than its own
    return request.temperature


def _message(message: PromptMessage) -> dict[str, Any]:
    text = _utf8(message.text)
    if not message.images:
        return {"role": message.role, "content": text}
    urls = (f"data:{image.media_type};base64,{base64.b64encode(image.content).decode()}" for image in message.images)
    pictures = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
    return {"role": message.role, "content": [*([{"type": "text", "text": text}] if text else []), *pictures]}


def _key(choice: ModelChoice, keys: Keys) -> str | None:
    if choice.key is not None:
        return keys.key(choice.key)
    if missing := library.missing_keys(choice.model):
        if choice.model.startswith("openai/") and _has_own_server(choice):
            return _NO_KEY
        if choice.api_base is None:
            raise ProviderError(
                f"There is no key for {choice.name}: put it into the environment variable {' or '.join(missing)} and "
                "start chatmem again, or choose another model."
            )
    return None


def named(key: KeySource | None) -> str:
    """Which key it is, for people."""
    match key:
        case None:
            return "the key"
        case KeySource(place=KeyPlace.ENVIRONMENT):
            return f"the key in {key.name}"
        case KeySource(place=KeyPlace.KEYRING):
            return f"the key for {key.name} in the keyring"
        case _:
            return f"the key that `{key.name.partition(' ')[0]}` prints"


def _has_own_server(choice: ModelChoice) -> bool:
    return any((choice.api_base, os.environ.get("OPENAI_BASE_URL"), os.environ.get("OPENAI_API_BASE")))


def _utf8(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
