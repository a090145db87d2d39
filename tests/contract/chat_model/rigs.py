"""Models under test, and how to have them say something."""

import asyncio
from contextlib import aclosing
from typing import Protocol

import pytest

from chatmem.adapters.litellm.patience import Patience
from chatmem.domain.errors import ProviderError
from chatmem.domain.model import (
    ChatRequest,
    Endpoint,
    ModelChoice,
    PromptMessage,
    ReasoningPart,
    ReplyPart,
    RetryPart,
    TextPart,
)
from chatmem.ports.chat_model import ChatModel
from tests.fakes.anthropic_server import AnthropicServer
from tests.fakes.builders import a_choice
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.fakes.ollama_server import OllamaServer
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.scripted_server import Answer, Fault, ScriptedServer

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}
HASTE = Patience(stall_s=1.0, pauses_s=(0.01, 0.02, 0.03))
PROTOCOLS: dict[str, type[ScriptedServer]] = {
    "openai": OpenAIServer,
    "anthropic": AnthropicServer,
    "ollama_chat": OllamaServer,
}


class Rig(Protocol):
    model: ChatModel
    choice: ModelChoice

    def will_say(self, text: str, *, thinking: str = "") -> None: ...
    def will_fail(self) -> None: ...
    def will_fail_once(self) -> None: ...
    def will_find_it_too_long(self) -> None: ...
    def will_say_and_hang(self, text: str) -> None: ...
    async def was_cancelled(self) -> bool: ...


class FakeRig:
    def __init__(self) -> None:
        self.fake = ScriptedChatModel()
        self.model: ChatModel = self.fake
        self.choice = a_choice()
        self._failed: tuple[str, ...] = ()

    def will_say(self, text: str, *, thinking: str = "") -> None:
        self.fake.replies.append(Script(text=text, reasoning=thinking, retries=self._failed))

    def will_fail(self) -> None:
        self.fake.replies.append(ProviderError("The server had an error.", retryable=True))

    def will_fail_once(self) -> None:
        self._failed = ("The server had an error.",)

    def will_find_it_too_long(self) -> None:
        self.fake.longest = 1

    def will_say_and_hang(self, text: str) -> None:
        self.fake.replies.append(Script(text=text, hold=asyncio.Event()))

    async def was_cancelled(self) -> bool:
        return len(self.fake.cancelled) == 1


class ServerRig:
    def __init__(self, model: ChatModel, server: ScriptedServer, protocol: str) -> None:
        self.model = model
        self.server = server
        self.protocol = protocol
        self.choice = a_choice(model=f"{protocol}/fake", api_base=server.base_url)

    def will_say(self, text: str, *, thinking: str = "") -> None:
        self.server.replies.append(Answer(text=text, reasoning=thinking))

    def will_fail(self) -> None:
        self.server.always = Answer(status=500, error="The server had an error.")

    def will_fail_once(self) -> None:
        self.server.replies.append(Answer(status=500, error="The server had an error."))

    def will_find_it_too_long(self) -> None:
        self.server.always = Answer(status=400, error="prompt is too long: 210000 tokens > 200000 maximum")

    def will_say_and_hang(self, text: str) -> None:
        self.server.replies.append(Answer(text=text, fault=Fault.STALL))

    async def was_cancelled(self) -> bool:
        return await asyncio.to_thread(self.server.left.wait, 10)


def no_endpoint(name: str) -> Endpoint:
    raise AssertionError(name)


def asked(choice: ModelChoice, text: str = "Hello?", **changes: object) -> ChatRequest:
    values: dict[str, object] = {
        "choice": choice,
        "messages": (PromptMessage(role="system", text="Be brief."), PromptMessage(role="user", text=text)),
        "max_reply_tokens": 50,
    }
    return ChatRequest(**(values | changes))  # type: ignore[arg-type]  # a builder takes any field


async def everything(model: ChatModel, request: ChatRequest) -> list[ReplyPart]:
    async with aclosing(model.stream(request)) as parts:
        return [part async for part in parts]


def text_of(parts: list[ReplyPart]) -> str:
    return "".join(part.text for part in parts if isinstance(part, TextPart))


def thoughts_of(parts: list[ReplyPart]) -> str:
    return "".join(part.text for part in parts if isinstance(part, ReasoningPart))


async def until_failure(model: ChatModel, request: ChatRequest) -> tuple[list[ReplyPart], ProviderError]:
    """What came before the error, and the error."""
    parts: list[ReplyPart] = []
    try:
        async with aclosing(model.stream(request)) as stream:
            async for part in stream:
                parts.append(part)  # noqa: PERF401  # what arrived is kept when the error comes
    except ProviderError as error:
        return parts, error
    return pytest.fail("there was no error")


async def failure(model: ChatModel, request: ChatRequest) -> ProviderError:
    return (await until_failure(model, request))[1]


def retries(parts: list[ReplyPart]) -> list[RetryPart]:
    return [part for part in parts if isinstance(part, RetryPart)]
