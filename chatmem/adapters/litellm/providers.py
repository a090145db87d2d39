"""Which providers could be used right away. Light: imports no litellm, so that the first screen may ask."""

import json
import os
import urllib.request
from http.client import HTTPException
from typing import NamedTuple

from chatmem.domain.model import ModelChoice

_OLLAMA = "http://127.0.0.1:11434"


class _Provider(NamedTuple):
    variables: tuple[str, ...]
    title: str
    model: str


_PROVIDERS = (
    _Provider(("OPENAI_API_KEY",), "OpenAI", "openai/gpt-6.1-sol"),
    _Provider(("ANTHROPIC_API_KEY",), "Anthropic", "anthropic/claude-sonnet-5-5"),
    _Provider(("GEMINI_API_KEY", "GOOGLE_API_KEY"), "Gemini", "gemini/gemini-3.8-flash"),
    _Provider(("MISTRAL_API_KEY",), "Mistral", "mistral/mistral-medium-latest"),
    _Provider(("GROQ_API_KEY",), "Groq", "groq/openai/gpt-oss-120b"),
    _Provider(("OPENROUTER_API_KEY",), "OpenRouter", "openrouter/openrouter/auto"),
    _Provider(("DEEPSEEK_API_KEY",), "DeepSeek", "deepseek/deepseek-v4-flash"),
)


def title(model: str) -> str:
    """What people call the provider of a model named as litellm names it: `OpenAI` for `openai/...`."""
    prefix = model.partition("/")[0]
    if prefix.startswith("ollama"):
        return "Ollama"
    return next((known.title for known in _PROVIDERS if known.model.startswith(f"{prefix}/")), prefix)


def providers_in_environment() -> list[ModelChoice]:
    """A model of each provider whose usual key variable is set, in a fixed order."""
    return [
        ModelChoice(name=provider.model, model=provider.model)
        for provider in _PROVIDERS
        if any(os.environ.get(variable) for variable in provider.variables)
    ]


def running_ollama(timeout_s: float = 0.5) -> list[ModelChoice]:
    """The models of the Ollama that runs at `OLLAMA_HOST`, or on this machine; empty when none does. Blocks."""
    base = ollama_base()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{base}/api/tags", timeout=timeout_s) as response:
            names = [str(model["name"]) for model in json.load(response)["models"]]
    except (OSError, HTTPException, ValueError, LookupError, TypeError):
        return []
    return [ModelChoice(name=f"ollama_chat/{name}", model=f"ollama_chat/{name}", api_base=base) for name in names]


def ollama_base() -> str:
    """Where Ollama is asked: at `OLLAMA_HOST`, else on this machine."""
    host = os.environ.get("OLLAMA_HOST", "").strip().rstrip("/")
    if not host:
        return _OLLAMA
    scheme, separator, address = host.rpartition("://")
    address = address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104  # it may listen there, but not be called there
    port = "" if ":" in address else (":11434" if not separator else "")
    return f"{scheme or 'http'}://{address}{port}"
