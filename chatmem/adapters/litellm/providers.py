"""Which providers could be used right away. Light: imports no litellm, so that the first screen may ask."""

import importlib.util
import os
from dataclasses import dataclass

from chatmem.adapters.litellm.cost_map import models_of
from chatmem.domain.model import ModelChoice

_OLLAMA = "http://127.0.0.1:11434"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Provider:
    """A provider and how it is found in the environment.

    Attributes:
        keys: Variables of which one must be set.
        best: A model to begin with, as `provider/model`.
        also: Variables that must be set beside the key.
        package: A package that litellm needs for it and does not bring.
        remark: What else to know before picking one of its models.
    """

    title: str
    keys: tuple[str, ...]
    best: str
    also: tuple[str, ...] = ()
    package: str | None = None
    remark: str = ""

    @property
    def prefix(self) -> str:
        return self.best.partition("/")[0]

    def at_hand(self) -> bool:
        return any(os.environ.get(variable) for variable in self.keys)

    def note(self) -> str:
        """What is missing, then the remark."""
        missing = [variable for variable in self.also if not os.environ.get(variable)]
        notes = [f"set {' and '.join(missing)} too"] if missing else []
        if self.package and not _installed(self.package):
            notes.append(f"needs the package {self.package}")
        return "; ".join([*notes, *([self.remark] if self.remark else [])])


_PROVIDERS = (
    _Provider(title="OpenAI", keys=("OPENAI_API_KEY",), best="openai/gpt-6.1-sol"),
    _Provider(title="Anthropic", keys=("ANTHROPIC_API_KEY",), best="anthropic/claude-sonnet-5-5"),
    _Provider(title="Gemini", keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"), best="gemini/gemini-3.8-flash"),
    _Provider(title="Mistral", keys=("MISTRAL_API_KEY",), best="mistral/mistral-medium-latest"),
    _Provider(title="Groq", keys=("GROQ_API_KEY",), best="groq/openai/gpt-oss-120b"),
    _Provider(
        title="OpenRouter",
        keys=("OPENROUTER_API_KEY",),
        best="openrouter/openrouter/auto",
        remark="for another one, type openrouter/VENDOR/MODEL",
    ),
    _Provider(title="DeepSeek", keys=("DEEPSEEK_API_KEY",), best="deepseek/deepseek-v4-flash"),
    _Provider(title="xAI", keys=("XAI_API_KEY",), best="xai/grok-4.7"),
    _Provider(title="Cohere", keys=("COHERE_API_KEY",), best="cohere_chat/command-a-plus-05-2026"),
    _Provider(title="Together", keys=("TOGETHERAI_API_KEY",), best="together_ai/moonshotai/Kimi-K3"),
    _Provider(
        title="Fireworks",
        keys=("FIREWORKS_AI_API_KEY", "FIREWORKS_API_KEY"),
        best="fireworks_ai/accounts/fireworks/models/glm-5p3",
    ),
    _Provider(title="Perplexity", keys=("PERPLEXITYAI_API_KEY",), best="perplexity/sonar-pro"),
    _Provider(
        title="Azure",
        keys=("AZURE_API_KEY",),
        best="azure/gpt-6.1-sol",
        also=("AZURE_API_BASE", "AZURE_API_VERSION"),
        remark="the name is that of your deployment: azure/DEPLOYMENT",
    ),
    _Provider(
        title="Bedrock",
        keys=("AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_BEARER_TOKEN_BEDROCK"),
        best="bedrock/global.anthropic.claude-sonnet-5-5",
        also=("AWS_REGION_NAME",),
        package="boto3",
    ),
    _Provider(
        title="Vertex",
        keys=("VERTEXAI_PROJECT",),
        best="vertex_ai/gemini-3.8-flash",
        also=("VERTEXAI_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS"),
        package="google-auth",
    ),
)

_TITLES = {provider.prefix: provider.title for provider in _PROVIDERS} | {
    "cohere": "Cohere",
    "llamafile": "llama.cpp",
    "lm_studio": "LM Studio",
    "ollama": "Ollama",
    "ollama_chat": "Ollama",
}


def title(model: str) -> str:
    """What people call the provider of a model named as litellm names it: `OpenAI` for `openai/...`."""
    prefix = model.partition("/")[0]
    return _TITLES.get(prefix, prefix)


def note(model: str) -> str:
    """What is still missing before a model of a provider can be called, and what to know of its name."""
    prefix = model.partition("/")[0]
    return next((provider.note() for provider in _PROVIDERS if provider.prefix == prefix), "")


def providers_in_environment() -> list[ModelChoice]:
    """The chat models of each provider whose usual variable is set; of each, the one to begin with comes first.

    Blocks for 150 ms when it is the first to need litellm's list.
    """
    return [
        ModelChoice(name=model, model=model)
        for provider in _PROVIDERS
        if provider.at_hand()
        for model in dict.fromkeys([provider.best, *models_of(provider.prefix)])
    ]


def ollama_base() -> str:
    """Where Ollama is asked: at `OLLAMA_HOST`, else on this machine."""
    host = os.environ.get("OLLAMA_HOST", "").strip().rstrip("/")
    if not host:
        return _OLLAMA
    scheme, separator, address = host.rpartition("://")
    address = address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104  # it may listen there, but not be called there
    port = "" if ":" in address else (":11434" if not separator else "")
    return f"{scheme or 'http'}://{address}{port}"


def _installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(_MODULES.get(package, package)) is not None
    except ModuleNotFoundError:  # a part of its name is missing
        return False


_MODULES = {"google-auth": "google.auth"}
