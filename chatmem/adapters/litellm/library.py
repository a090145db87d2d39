"""litellm itself: imported late, kept quiet, and asked what it knows about models."""

import logging
import os
import sys
import warnings
from functools import cache
from types import ModuleType
from typing import Any

from chatmem.adapters.litellm import connections, lines

_LOUD = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")
_CHATTY = ("httpx", "httpcore", "openai", "aiohttp")
_NEVER_AWAITED = r"coroutine '(acompletion|\w*(LLM|OpenAI|Anthropic)\w*\.\w+)' was never awaited"
"""What it leaves behind when a call is cancelled while it is being prepared in a thread."""
_KEYLESS = frozenset({"ollama", "ollama_chat", "lm_studio", "hosted_vllm", "llamafile", "docker_model_runner"})


def load() -> ModuleType:
    """Import litellm (about 2 s) so that it neither calls the network, reads a `.env`, nor writes on the screen."""
    # Each time, as filters are global and may have been reset: a warning would be printed over the screen.
    for module in ("litellm", "pydantic", "openai", "aiohttp", "httpx"):
        warnings.filterwarnings("ignore", module=rf"{module}\b")
    warnings.filterwarnings("ignore", _NEVER_AWAITED, RuntimeWarning)
    litellm = _imported()
    connections.watch(litellm)
    lines.watch()
    return litellm


def loaded() -> bool:
    """Whether litellm is imported, so that `load` takes no time."""
    return _imported.cache_info().currsize > 0


@cache
def _imported() -> ModuleType:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")  # its default mode loads a `.env` from the folders above it
    for name in _LOUD:
        logging.getLogger(name).disabled = True  # what it logs may quote the talk, and would be printed
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.turn_off_message_logging = True
    # It raises after 100 equal pieces in a row, which a ruler of dashes or a poem may well have.
    litellm.REPEATED_STREAMING_CHUNK_LIMIT = sys.maxsize
    for name in _LOUD:
        logging.getLogger(name).handlers[:] = [logging.NullHandler()]
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.ERROR)
    module: ModuleType = litellm
    return module


async def rehearse() -> None:
    """Play one call against a canned answer, so that what the first call imports (0.6 s) is imported."""
    import httpx
    import openai

    chunk = 'data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[%s]}\n\n'
    said = chunk % '{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}'
    ended = chunk % '{"index":0,"delta":{},"finish_reason":"stop"}'
    canned = httpx.MockTransport(
        lambda _: httpx.Response(
            200, headers={"content-type": "text/event-stream"}, text=f"{said}{ended}data: [DONE]\n\n"
        )
    )
    async with openai.AsyncOpenAI(api_key="-", http_client=httpx.AsyncClient(transport=canned)) as client:
        reply = await load().acompletion(
            model="openai/m", messages=[{"role": "user", "content": "a"}], stream=True, client=client, api_key="-"
        )
        async for _ in reply:
            pass


async def close() -> None:
    """Close the connections litellm keeps open; call it on the event loop that used them."""
    if "litellm" in sys.modules:
        await connections.close(_imported())


def missing_keys(model: str) -> list[str]:
    """The variables of which one must hold a key before this model can be called; empty when that is settled."""
    if model.partition("/")[0] in _KEYLESS:
        return []
    found: list[str] = load().validate_environment(model)["missing_keys"]
    return [name for name in found if name.endswith("_API_KEY")]


def names_provider(model: str) -> bool:
    """Whether a model's name tells which provider has it; asks nobody."""
    litellm = load()
    prefix, slash, _ = model.partition("/")
    if slash and prefix in litellm.provider_list:
        return True
    try:
        litellm.get_llm_provider(model)
    except litellm.BadRequestError:
        return False
    return True


def was_whole(chunks: Any) -> bool:
    """Whether the provider said why a streamed reply ended; where it didn't, litellm makes up that it stopped."""
    given = (getattr(chunks, name, "unknown") for name in ("received_finish_reason", "intermittent_finish_reason"))
    return any(reason is not None for reason in given)


def cost_usd(model: str, usage: object) -> float | None:
    """What a call cost by litellm's list of prices; `usage` is litellm's own, which tells cached tokens apart."""
    if "input_cost_per_token" not in _entry(model):
        return None
    prompt, completion = load().cost_per_token(model=model, usage_object=usage)
    return float(prompt + completion)


def _entry(model: str) -> dict[str, object]:
    known: dict[str, dict[str, object]] = load().model_cost
    return known.get(model) or known.get(model.partition("/")[2]) or {}
