"""The servers of language models that run on this machine: Ollama, LM Studio, llama.cpp."""

import json
import os
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import PureWindowsPath
from threading import Thread
from time import monotonic
from typing import NamedTuple

from chatmem.adapters.litellm.providers import ollama_base
from chatmem.domain.model import ModelChoice

LM_STUDIO = "http://127.0.0.1:1234"
LLAMA_CPP = "http://127.0.0.1:8080"

_LONGEST_ANSWER = 2_000_000
_NO_CHAT = ("embed", "rerank")


class _Server(NamedTuple):
    """A kind of server.

    Attributes:
        prefix: How the names of its models begin for the person.
        provider: litellm's name of its protocol.
        base: Root of its API.
        question: Address that lists its models.
        models: Reads the names of the models from the answer; raises `LookupError` or `TypeError` for another answer.
    """

    prefix: str
    provider: str
    base: str
    question: str
    models: Callable[[object], list[str]]

    def choice(self, model: str) -> ModelChoice:
        return ModelChoice(name=f"{self.prefix}/{model}", model=f"{self.provider}/{model}", api_base=self.base)


class LocalServers:
    """Asks the servers which models they have, and knows them by name.

    Args:
        lm_studio: Origin of LM Studio; by default that of `LM_STUDIO_API_BASE`, else its usual one.
        llama_cpp: Origin of llama.cpp's server.
        limit_s: What asking all of them may take.
    """

    def __init__(self, *, lm_studio: str | None = None, llama_cpp: str = LLAMA_CPP, limit_s: float = 0.5) -> None:
        self._lm_studio = lm_studio or os.environ.get("LM_STUDIO_API_BASE", LM_STUDIO).removesuffix("/v1")
        self._llama_cpp = llama_cpp
        self._limit_s = limit_s

    def running(self) -> list[ModelChoice]:
        """The chat models of the servers that answer in time. Blocks."""
        until = monotonic() + self._limit_s
        asked = [(server, _in_thread(server, self._limit_s)) for server in self._servers()]
        return [server.choice(model) for server, models in asked for model in _in_time(models, until)]

    def served(self, name: str) -> ModelChoice | None:
        """The model of a name that `running` gave, whether its server runs or not; `None` for other names."""
        prefix, _, model = name.partition("/")
        known = {server.prefix: server for server in self._servers() if server.prefix != "ollama_chat"}
        return known[prefix].choice(model) if model and prefix in known else None

    def _servers(self) -> tuple[_Server, ...]:
        ollama, lm_studio, llama_cpp = ollama_base(), f"{self._lm_studio}/v1", f"{self._llama_cpp}/v1"
        return (
            _Server("ollama_chat", "ollama_chat", ollama, f"{ollama}/api/tags", _of_ollama),
            _Server("lm_studio", "lm_studio", lm_studio, f"{lm_studio}/models", _of_openai),
            # Not by litellm's `openai`, which would send it the key that is meant for OpenAI.
            _Server("llama.cpp", "llamafile", llama_cpp, f"{llama_cpp}/models", _of_openai),
        )


def _in_thread(server: _Server, limit_s: float) -> Future[list[str]]:
    """Ask in a thread: the socket's limit holds for each read, and a server may send a byte at a time."""
    models: Future[list[str]] = Future()

    def ask() -> None:
        from http.client import HTTPException

        try:
            models.set_result(server.models(_answer(server.question, limit_s)))
        except (OSError, HTTPException, ValueError, LookupError, TypeError):
            models.set_result([])

    Thread(target=ask, name=f"ask-{server.prefix}", daemon=True).start()
    return models


def _in_time(models: Future[list[str]], until: float) -> list[str]:
    try:
        return models.result(timeout=max(0.0, until - monotonic()))
    except TimeoutError:
        return []


def _answer(address: str, limit_s: float) -> object:
    from urllib import request  # 20 ms that the first screen needn't wait for

    # No proxy, and nobody else either: what redirects is no server of models.
    opener = request.OpenerDirector()
    for handler in (request.HTTPHandler(), request.HTTPSHandler(), request.HTTPDefaultErrorHandler()):
        opener.add_handler(handler)
    opener.add_handler(request.HTTPErrorProcessor())
    with opener.open(address, timeout=limit_s) as response:
        return json.loads(response.read(_LONGEST_ANSWER))


def _of_ollama(answer: object) -> list[str]:
    return _chatting([entry["name"] for entry in answer["models"]])  # type: ignore[index]  # another answer raises


def _of_openai(answer: object) -> list[str]:
    return _chatting([entry["id"] for entry in answer["data"]])  # type: ignore[index]  # another answer raises


def _chatting(names: list[object]) -> list[str]:
    called = [_without_folder(name) for name in names if isinstance(name, str) and name]
    return [name for name in called if not any(word in name for word in _NO_CHAT)]


def _without_folder(name: str) -> str:
    """llama.cpp names its one model by its file, and takes any name for it."""
    return PureWindowsPath(name).stem if name.endswith(".gguf") else name
