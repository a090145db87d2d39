"""Models whose names are like one that a provider does not know."""

import asyncio
import difflib
import json
from typing import Any

from chatmem.adapters.litellm import cost_map
from chatmem.adapters.litellm.route import Route

_LIMIT_S = 1.0
_MOST = 3


async def near_names(way: Route) -> list[str]:
    """Names that the server has, or that its provider is known to have; the nearest first, three at most.

    The server is asked, for a second; of one that has few models all are named.
    """
    wanted = way.model.partition("/")[2]
    names = await _served(way) if way.api_base is not None else _known(way)
    near = difflib.get_close_matches(wanted, names, n=_MOST, cutoff=0.5)
    return near or (names if way.api_base is not None and len(names) <= _MOST else [])


def _known(way: Route) -> list[str]:
    prefix = way.model.partition("/")[0]
    return [model.removeprefix(f"{prefix}/") for model in cost_map.models_of(prefix)]


async def _served(way: Route) -> list[str]:
    import httpx

    headers = {"authorization": f"Bearer {way.api_key}", "x-api-key": way.api_key} if way.api_key else {}
    headers |= {"anthropic-version": "2023-06-01", **dict(way.choice.parameters.headers)}
    try:
        async with asyncio.timeout(_LIMIT_S), httpx.AsyncClient(headers=headers) as client:
            return _names(json.loads((await client.get(_list_of(way))).content))
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError, LookupError, TypeError, AttributeError):
        return []


def _list_of(way: Route) -> str:
    base = (way.api_base or "").rstrip("/")
    if way.model.startswith("ollama"):
        return f"{base}/api/tags"
    if way.model.startswith("anthropic/"):
        return f"{base.removesuffix('/v1/messages').removesuffix('/v1')}/v1/models"
    return f"{base}/models"


def _names(answer: Any) -> list[str]:
    listed = answer["models"] if "models" in answer else answer["data"]
    return [str(entry.get("id") or entry["name"]) for entry in listed]
