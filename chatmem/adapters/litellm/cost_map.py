"""What litellm's own list of models and prices says, read from the installed package without importing litellm."""

import importlib.util
import json
import re
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from chatmem.domain.model import ModelFacts

_FILE = "model_prices_and_context_window_backup.json"
_MILLION = 1_000_000

_SAME = {"bedrock_converse": "bedrock", "cohere_chat": "cohere", "ollama_chat": "ollama"}
"""Names of litellm that mean one provider."""

_DATED = re.compile(r"([-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|\d{2}-\d{4}|default))$")
_ODD = re.compile(r"audio|computer-use|guard|image|lyria|moderation|realtime|robotics|search|transcribe|tts|^ft:")
"""Models that are no partners for a talk."""

_VERSION = re.compile(r"(?<![\d.])(1?\d)(?:[.p-](\d{1,2}))?(?![\d.x]|[bk]\b)")


_MODES = frozenset({"chat", "responses"})


class _Known(NamedTuple):
    provider: str
    facts: ModelFacts
    chats: bool
    ends: date | None


def facts_of(model: str) -> ModelFacts | None:
    """What the list says of a model named as litellm names it (`openai/gpt-4o`); `None` if it is not in the list.

    Blocks for 60 to 150 ms when it is the first to need the list, as `models_of` does.
    """
    known = _models()
    if found := known.get(model):
        return found.facts
    prefix, _, rest = model.partition("/")
    provider = _SAME.get(prefix, prefix)
    for name in (rest, f"{provider}/{rest}"):
        if (found := known.get(name)) and found.provider == provider:
            return found.facts
    return None


def models_of(provider: str) -> list[str]:
    """The chat models of a provider by litellm's prefix for it (`openai`, `vertex_ai`), as `provider/model`.

    Newer versions come before older ones. What was retired, what only repeats another one with a date, and what is not
    for talking is left out.
    """
    today = datetime.now(UTC).date()
    names = {
        name.removeprefix(f"{provider}/")
        for name, known in _models().items()
        if known.provider == _SAME.get(provider, provider) and known.chats and not (known.ends and known.ends <= today)
    }
    fit = [name for name in names if _DATED.sub("", name) not in names - {name} and not _ODD.search(name)]
    return [f"{provider}/{name}" for name in sorted(fit, key=_newest_first)]


def _newest_first(name: str) -> tuple[float, str]:
    version = _VERSION.search(_DATED.sub("", name))
    return (-float(f"{version[1]}.{version[2] or 0}") if version else 0.0, name)


@cache
def _models() -> dict[str, _Known]:
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    entries = json.loads(Path(spec.origin).with_name(_FILE).read_bytes())
    return {name: _known(name, entry) for name, entry in entries.items() if entry.get("mode") in _MODES}


def _known(name: str, entry: dict[str, Any]) -> _Known:
    listed = str(entry.get("litellm_provider", ""))
    provider = "vertex_ai" if listed.startswith("vertex_ai") else _SAME.get(listed, listed)
    return _Known(provider, _facts(entry), entry["mode"] == "chat" and _is_plain(name, provider), _ends(entry))


def _facts(entry: dict[str, Any]) -> ModelFacts:
    return ModelFacts(
        context_tokens=_whole(entry.get("max_input_tokens")),
        prompt_usd=_per_million(entry.get("input_cost_per_token")),
        completion_usd=_per_million(entry.get("output_cost_per_token")),
        tools=_flag(entry.get("supports_function_calling")),
        vision=_flag(entry.get("supports_vision")),
        reasoning=_flag(entry.get("supports_reasoning")),
    )


def _whole(tokens: object) -> int | None:
    return tokens if isinstance(tokens, int) and tokens > 0 else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _per_million(usd: object) -> float | None:
    return round(usd * _MILLION, 6) if isinstance(usd, int | float) else None


def _ends(entry: dict[str, Any]) -> date | None:
    try:
        return date.fromisoformat(entry["deprecation_date"])
    except (KeyError, TypeError, ValueError):
        return None


def _is_plain(name: str, provider: str) -> bool:
    """Whether a name is one that is called as it stands: not of a region or a contract, and with no wildcard."""
    rest = name.removeprefix(f"{provider}/")
    return "*" not in name and not (provider in {"azure", "bedrock"} and "/" in rest)
