"""A failed call, with what a sentence about it takes."""

import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from chatmem.adapters.litellm import library, providers
from chatmem.adapters.litellm.causes import asked_to_wait_s, causes, has
from chatmem.adapters.litellm.connections import ErrorBodyError
from chatmem.adapters.litellm.route import Route
from chatmem.domain.masking import MASK
from chatmem.domain.text import shortened

_WRAPPED = re.compile(r"^(litellm\.)?(\w+(Error|Exception)( - |: ))+")
_QUOTED = (
    re.compile(r"Got unexpected response from Ollama: \{'error': (['\"])(?P<said>.*)\1\}", re.DOTALL),
    re.compile(r'"message":\s*"(?P<said>(?:[^"\\]|\\.)+)"'),
    re.compile(r'"error":\s*"(?P<said>(?:[^"\\]|\\.)+)"'),
)
_OWN_PROTOCOL = frozenset({"anthropic", "bedrock", "cohere_chat", "gemini", "ollama", "ollama_chat", "vertex_ai"})
_SECRETS = ("KEY", "SECRET", "TOKEN")
_STARTED_BY = {
    1234: "in LM Studio's Developer tab, or with `lms server start`",
    8000: "with `vllm serve MODEL`",
    8080: "with `llama-server -m MODEL.gguf`",
    11434: "with `ollama serve`",
}
_PORTS = {"lm_studio": 1234, "hosted_vllm": 8000, "llamafile": 8080, "ollama": 11434, "ollama_chat": 11434}


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What is known of a failed call.

    Attributes:
        chain: The errors, from litellm's to the first cause.
        status: HTTP's, or 0.
        near: Models of the same provider whose names are like the one that was asked for.
    """

    chain: tuple[BaseException, ...]
    status: int
    way: Route
    near: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What the error says; may quote the talk and keys."""
        return " ".join(
            str(error) for error in self.chain if error is self.chain[0] or isinstance(error, ErrorBodyError)
        )

    @property
    def server(self) -> str:
        """Who failed."""
        if self.way.choice.builtin is not None:
            return f"The built-in model {self.way.choice.builtin}"
        title = providers.title(self.way.model)
        if self.way.api_base is None:
            return title
        # What speaks OpenAI's protocol at another address need not be OpenAI.
        return f"{'The server' if title == 'OpenAI' else title} at {_address(self.way.api_base)}"

    @property
    def it(self) -> str:
        """Who failed, in the middle of a sentence."""
        return f"t{self.server[1:]}" if self.server.startswith("The ") else self.server

    @property
    def model(self) -> str:
        """The model as its provider names it."""
        return self.way.model.partition("/")[2] or self.way.model

    @property
    def protocol(self) -> str:
        """Whose protocol is spoken with it."""
        prefix = self.way.model.partition("/")[0]
        return providers.title(self.way.model) if prefix in _OWN_PROTOCOL else "OpenAI"

    def said(self) -> str:
        """What the provider said, on one line, without keys."""
        body = next((str(error) for error in self.chain if isinstance(error, ErrorBodyError)), self.text)
        quoted = next(filter(None, (pattern.search(body) for pattern in _QUOTED)), None)
        text = quoted["said"] if quoted else body
        for secret in (*self.way.secrets, *_in_environment()):
            text = text.replace(secret, MASK) if len(secret) > 4 else text
        text = library.load()._logging.redact_secrets(text)  # named a public function there
        return shortened(_WRAPPED.sub("", text), 200)

    def has(self, *names: str) -> bool:
        """Whether an error of one of these class names is among the causes."""
        return has(self.chain, *names)

    def how_to_start(self) -> str:
        """What to do when nobody listens."""
        if self.way.choice.builtin is not None:
            return "Ask again, and it is started anew."
        if self.way.api_base is None:
            return "Check the network, or choose a model that runs on this machine."
        if self.way.here and (how := _STARTED_BY.get(self._port())):
            return f"Start it {how}."
        return "Is it running?"

    def wait(self) -> str:
        """How long the provider wants to be left alone."""
        seconds = asked_to_wait_s(self.chain)
        for unit, length_s in (("hours", 3600), ("minutes", 60)):
            if seconds >= 2 * length_s:
                return f"in {seconds / length_s:.0f} {unit}"
        return f"in {seconds:.0f} seconds" if seconds >= 1 else "in a minute"

    def _port(self) -> int:
        prefix = self.way.model.partition("/")[0]
        return _PORTS.get(prefix) or urlsplit(self.way.api_base or "").port or 0


def failure_of(error: Exception, way: Route) -> Failure:
    """What is known of an error that litellm raised."""
    chain = causes(error)
    bodies = [cause for cause in chain if isinstance(cause, ErrorBodyError)]  # they know best
    codes = (getattr(cause, "status_code", None) for cause in (*bodies, *chain))
    status = next((code for code in codes if isinstance(code, int)), 0)
    return Failure(chain=chain, status=status, way=way)


def _address(api_base: str) -> str:
    parts = urlsplit(api_base)
    return f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}".rstrip("/")


def _in_environment() -> list[str]:
    return [value for name, value in os.environ.items() if name.endswith(_SECRETS) and len(value) > 7]
