"""Real models: the built-in one, and llama.cpp's own server as somebody else's end of OpenAI's protocol."""

from collections.abc import Iterator
from contextlib import ExitStack, aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from chatmem.adapters.litellm.chat_model import LitellmChatModel
from chatmem.adapters.llamacpp.server import BuiltinServer
from chatmem.domain.errors import PromptTooLongError
from chatmem.domain.model import EndPart, KeyPlace, KeySource, ModelChoice, Usage
from tests.contract.chat_model.rigs import asked, everything, failure, no_endpoint, text_of
from tests.fakes.keys import FakeKeys


@pytest.fixture(scope="module")
def builtin(tmp_path_factory: pytest.TempPathFactory, smollm2: Path) -> Iterator[LitellmChatModel]:
    with ExitStack() as stack:
        served = BuiltinServer(tmp_path_factory.mktemp("run"), lambda _: smollm2, context_tokens=2048)
        stack.callback(served.close)
        model = LitellmChatModel(served.endpoint, keys=FakeKeys(), builtin_context_tokens=2048)
        stack.callback(model.close)
        yield model


BUILTIN = ModelChoice(name="smol", model="builtin/smollm2-135m")


async def test_the_builtin_model_streams_and_costs_nothing(builtin: LitellmChatModel) -> None:
    parts = await everything(builtin, asked(BUILTIN, "Say hello.", max_reply_tokens=12, temperature=0.0))

    assert len(parts) > 3
    assert isinstance(parts[-1], EndPart)
    assert parts[-1].usage.cost_usd == 0.0
    assert 0 < parts[-1].usage.completion_tokens <= 12


async def test_the_builtin_model_keeps_to_a_schema(builtin: LitellmChatModel) -> None:
    schema = {
        "type": "object",
        "properties": {"colour": {"enum": ["red", "blue"]}},
        "required": ["colour"],
        "additionalProperties": False,
    }

    reply = await builtin.complete(asked(BUILTIN, "Pick a colour.", schema=schema, temperature=0.0))

    assert reply.text.replace(" ", "").replace("\n", "") in {'{"colour":"red"}', '{"colour":"blue"}'}
    assert reply.usage != Usage()


async def test_a_prompt_longer_than_the_builtin_context_is_said(builtin: LitellmChatModel) -> None:
    error = await failure(builtin, asked(BUILTIN, "word " * 4000))

    assert isinstance(error, PromptTooLongError)
    assert "longer than smol can take in" in str(error)


# The same server, reached as one that somebody else runs: nothing but an address and a key is known of it.


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory, smollm2: Path) -> Iterator[tuple[LitellmChatModel, ModelChoice]]:
    with ExitStack() as stack:
        served = BuiltinServer(tmp_path_factory.mktemp("run"), lambda _: smollm2, context_tokens=1024)
        stack.callback(served.close)
        endpoint = served.endpoint("smollm2-135m")
        model = LitellmChatModel(no_endpoint, keys=FakeKeys({"SERVER_KEY": endpoint.api_key, "WRONG": "sk-synthetic"}))
        stack.callback(model.close)
        key = KeySource(place=KeyPlace.ENVIRONMENT, name="SERVER_KEY")
        yield model, ModelChoice(name="their", model="openai/smollm2-135m", api_base=endpoint.base_url, key=key)


Foreign = tuple[LitellmChatModel, ModelChoice]


async def test_a_server_of_others_streams_and_counts(foreign: Foreign) -> None:
    model, choice = foreign

    parts = await everything(model, asked(choice, "Say hello.", max_reply_tokens=8, temperature=0.0))

    end = parts[-1]
    assert isinstance(end, EndPart)
    assert (end.reason, end.usage.completion_tokens) == ("length", 8)
    assert end.usage.prompt_tokens > 5
    assert text_of(parts).strip()


async def test_a_server_of_others_refuses_a_wrong_key(foreign: Foreign) -> None:
    model, choice = foreign
    wrong = replace(choice, key=KeySource(place=KeyPlace.ENVIRONMENT, name="WRONG"))

    error = await failure(model, asked(wrong))

    assert "refused the key in WRONG" in str(error)


async def test_a_server_of_others_says_that_a_prompt_is_too_long(foreign: Foreign) -> None:
    model, choice = foreign

    assert isinstance(await failure(model, asked(choice, "word " * 4000)), PromptTooLongError)


async def test_leaving_a_server_of_others_in_the_middle_leaves_it_fit(foreign: Foreign) -> None:
    model, choice = foreign
    async with aclosing(model.stream(asked(choice, "Count to a thousand.", max_reply_tokens=500))) as parts:
        await anext(parts)

    assert text_of(await everything(model, asked(choice, "Say hello.", max_reply_tokens=5)))
