"""What every `ChatModel` does, and what the one that talks to providers does beyond it."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack, aclosing
from pathlib import Path
from typing import Protocol

import pytest

from chatmem.adapters.litellm.chat_model import LitellmChatModel
from chatmem.adapters.llamacpp.server import BuiltinServer
from chatmem.domain.errors import NonsenseError, ProviderError
from chatmem.domain.model import ChatRequest, EndPart, Endpoint, ModelChoice, PromptMessage, ReplyPart, TextPart, Usage
from chatmem.ports.chat_model import ChatModel
from tests.fakes.builders import a_choice
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.fakes.openai_server import Answer, Fault, OpenAIServer

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}


class Rig(Protocol):
    """A model under test, and how to have it say something."""

    model: ChatModel
    choice: ModelChoice

    def will_say(self, text: str) -> None: ...
    def will_fail(self) -> None: ...
    def will_say_and_hang(self, text: str) -> None: ...
    async def was_cancelled(self) -> bool: ...


class FakeRig:
    def __init__(self) -> None:
        self.fake = ScriptedChatModel()
        self.model: ChatModel = self.fake
        self.choice = a_choice()

    def will_say(self, text: str) -> None:
        self.fake.replies.append(text)

    def will_fail(self) -> None:
        self.fake.replies.append(ProviderError("The server had an error.", retryable=True))

    def will_say_and_hang(self, text: str) -> None:
        self.fake.replies.append(Script(text=text, hold=asyncio.Event()))

    async def was_cancelled(self) -> bool:
        return len(self.fake.cancelled) == 1


class ServerRig:
    def __init__(self, model: ChatModel, server: OpenAIServer) -> None:
        self.model = model
        self.server = server
        self.choice = a_choice(api_base=server.base_url)

    def will_say(self, text: str) -> None:
        self.server.replies.append(text)

    def will_fail(self) -> None:
        self.server.always = Answer(status=500, error="The server had an error.")

    def will_say_and_hang(self, text: str) -> None:
        self.server.replies.append(Answer(text=text, fault=Fault.STALL))

    async def was_cancelled(self) -> bool:
        return await asyncio.to_thread(self.server.left.wait, 5)


def _no_endpoint(name: str) -> Endpoint:
    raise AssertionError(name)


@pytest.fixture(scope="module")
def litellm_model() -> Iterator[LitellmChatModel]:
    model = LitellmChatModel(_no_endpoint)
    yield model
    model.close()


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture(params=["fake", "litellm"])
def rig(request: pytest.FixtureRequest) -> Rig:
    if request.param == "fake":
        return FakeRig()
    return ServerRig(request.getfixturevalue("litellm_model"), request.getfixturevalue("server"))


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


async def failure(model: ChatModel, request: ChatRequest) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await everything(model, request)
    return caught.value


# Every chat model.


async def test_a_reply_arrives_in_pieces_and_ends_once(rig: Rig) -> None:
    rig.will_say("Hello there,\n my  friend 🙂.")

    parts = await everything(rig.model, asked(rig.choice))

    assert text_of(parts) == "Hello there,\n my  friend 🙂."
    assert len(parts) > 3
    assert isinstance(parts[-1], EndPart)
    assert parts[-1].reason == "stop"
    assert not any(isinstance(part, EndPart) for part in parts[:-1])


async def test_the_end_says_what_was_consumed(rig: Rig) -> None:
    rig.will_say("one two three")

    end = (await everything(rig.model, asked(rig.choice)))[-1]

    assert isinstance(end, EndPart)
    assert end.usage.prompt_tokens > 0
    assert end.usage.completion_tokens == 3
    assert end.usage.cost_usd is None


async def test_a_whole_reply_is_the_text_of_its_pieces(rig: Rig) -> None:
    rig.will_say("one two three")

    completion = await rig.model.complete(asked(rig.choice))

    assert completion.text == "one two three"
    assert completion.usage.completion_tokens == 3


async def test_a_failure_is_a_provider_error(rig: Rig) -> None:
    rig.will_fail()

    error = await failure(rig.model, asked(rig.choice))

    assert error.retryable


async def test_an_empty_answer_is_a_provider_error(rig: Rig) -> None:
    rig.will_say("")

    error = await failure(rig.model, asked(rig.choice))

    assert "answered nothing" in str(error)


async def test_a_reply_to_a_schema_is_json(rig: Rig) -> None:
    rig.will_say('{"name": "Ana"}')

    assert (await rig.model.complete(asked(rig.choice, schema=SCHEMA))).text == '{"name": "Ana"}'


async def test_a_reply_to_a_schema_that_is_no_json_is_nonsense(rig: Rig) -> None:
    rig.will_say("Her name is Ana.")

    with pytest.raises(NonsenseError, match=rig.choice.name):
        await rig.model.complete(asked(rig.choice, schema=SCHEMA))


async def test_closing_the_stream_cancels_the_call(rig: Rig) -> None:
    rig.will_say_and_hang("one two three")
    parts = rig.model.stream(asked(rig.choice))

    async for _ in parts:
        break
    await parts.aclose()

    assert await rig.was_cancelled()


async def test_cancelling_the_task_cancels_the_call(rig: Rig) -> None:
    rig.will_say_and_hang("one two three")
    third = asyncio.Event()

    async def read() -> None:
        async for part in rig.model.stream(asked(rig.choice)):
            if part == TextPart(" three"):
                third.set()

    task = asyncio.create_task(read())
    await third.wait()
    task.cancel()
    await asyncio.wait([task])

    assert task.cancelled()
    assert await rig.was_cancelled()


async def test_the_context_is_what_the_person_set(rig: Rig) -> None:
    assert rig.model.context_tokens(a_choice(context_tokens=1234)) == 1234


async def test_an_unknown_context_is_guessed_cautiously(rig: Rig) -> None:
    assert rig.model.context_tokens(rig.choice) == 8192


def test_it_may_be_called_from_any_event_loop(rig: Rig) -> None:
    rig.will_say("one")
    rig.will_say("two")

    first = asyncio.run(rig.model.complete(asked(rig.choice)))
    second = asyncio.run(rig.model.complete(asked(rig.choice)))

    assert (first.text, second.text) == ("one", "two")


# Providers.


@pytest.fixture
def provider(litellm_model: LitellmChatModel, server: OpenAIServer) -> ServerRig:
    return ServerRig(litellm_model, server)


async def test_the_provider_gets_the_prompt_and_the_bound_of_the_reply(provider: ServerRig) -> None:
    await everything(provider.model, asked(provider.choice, "NUL \x00, half \ud83d an emoji", temperature=0.2))

    body = provider.server.requests[0].body
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}
    assert body["messages"][1]["content"] == "NUL \x00, half ? an emoji"
    assert body["stream_options"] == {"include_usage": True}
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("fake", 50, 0.2)


async def test_a_schema_is_sent_as_a_strict_response_format(provider: ServerRig) -> None:
    provider.will_say("{}")

    await provider.model.complete(asked(provider.choice, schema=SCHEMA))

    sent = provider.server.requests[0].body["response_format"]
    assert sent == {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True}}


async def test_json_in_a_code_fence_is_taken_out_of_it(provider: ServerRig) -> None:
    provider.will_say('```json\n{"name": "Ana"}\n```')

    assert (await provider.model.complete(asked(provider.choice, schema=SCHEMA))).text == '{"name": "Ana"}'


async def test_the_key_comes_from_the_named_variable(provider: ServerRig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SYNTHETIC_KEY", "sk-synthetic-1")
    choice = a_choice(api_base=provider.server.base_url, api_key_env="MY_SYNTHETIC_KEY")

    await everything(provider.model, asked(choice))

    assert provider.server.requests[0].headers["authorization"] == "Bearer sk-synthetic-1"


async def test_an_own_server_needs_no_key(provider: ServerRig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    assert text_of(await everything(provider.model, asked(provider.choice))) == "You said: Hello?"


async def test_the_usual_variables_of_openai_work(provider: ServerRig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", provider.server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-synthetic-2")

    await everything(provider.model, asked(a_choice()))

    assert provider.server.requests[0].headers["authorization"] == "Bearer sk-synthetic-2"


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai/gpt-6.1-sol", "OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-5-5", "ANTHROPIC_API_KEY"),
        ("gemini/gemini-3.8-flash", "GEMINI_API_KEY"),
        ("groq/openai/gpt-oss-120b", "GROQ_API_KEY"),
    ],
)
async def test_a_missing_key_is_named(
    litellm_model: LitellmChatModel, monkeypatch: pytest.MonkeyPatch, model: str, variable: str
) -> None:
    for name in ("OPENAI", "ANTHROPIC", "GEMINI", "GOOGLE", "GROQ"):
        monkeypatch.delenv(f"{name}_API_KEY", raising=False)

    error = await failure(litellm_model, asked(ModelChoice(name="it", model=model)))

    assert variable in str(error)
    assert not error.retryable


async def test_a_named_variable_without_a_key_is_named(
    litellm_model: LitellmChatModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MY_SYNTHETIC_KEY", raising=False)

    assert "MY_SYNTHETIC_KEY" in str(await failure(litellm_model, asked(a_choice(api_key_env="MY_SYNTHETIC_KEY"))))


@pytest.mark.parametrize(
    ("answer", "says", "retryable"),
    [
        (Answer(status=401, error="Incorrect API key provided: sk-synthetic-3."), "refused the key in MY_KEY", False),
        (Answer(status=403, error="no"), "does not let the key", False),
        (Answer(status=404, error="The model does not exist"), "has no model “fake”", False),
        (Answer(status=400, error="This model's maximum context length is 10 tokens"), "longer than fake can", False),
        (Answer(status=400, error="the prompt triggered content management policy"), "content filter", False),
        (Answer(status=400, error="temperature sk-synthetic-3 too high"), "did not accept the request", False),
        (Answer(status=402, error="Insufficient Balance"), "used up", False),
        (Answer(status=429, error="You exceeded your current quota, check your billing"), "used up", False),
        (Answer(status=429, error="slow down", headers={"Retry-After": "60"}), "in a minute", True),
        (Answer(status=500, error="oops sk-synthetic-3"), "an error of its own", True),
        (Answer(status=503, error="overloaded"), "an error of its own", True),
        (Answer(error="something is wrong"), "answered nothing", True),
        (Answer(finish="content_filter"), "content filter", False),
        (Answer(finish="length"), "Allow a longer reply", False),
        (Answer(text="one two", fault=Fault.CUT), "broke off", True),
        (Answer(text="one two", fault=Fault.GARBLED), "could not be read", True),
        (Answer(text="one two", fault=Fault.ERROR_EVENT), "an error of its own", True),
    ],
)
async def test_each_failure_is_a_sentence_with_its_cure_and_never_the_key(
    provider: ServerRig, monkeypatch: pytest.MonkeyPatch, answer: Answer, says: str, *, retryable: bool
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-synthetic-3")
    provider.server.always = answer

    error = await failure(provider.model, asked(a_choice(api_base=provider.server.base_url, api_key_env="MY_KEY")))

    assert says in str(error)
    assert error.retryable is retryable
    assert "sk-synthetic-3" not in str(error)
    assert "litellm" not in str(error)


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        (
            ModelChoice(name="own", model="openai/x", api_base="http://127.0.0.1:9/v1"),
            "could not be reached. Is it running?",
        ),
        (ModelChoice(name="llama", model="ollama_chat/llama3.2", api_base="http://127.0.0.1:9"), "`ollama serve`"),
        (ModelChoice(name="odd", model="openai/x", api_base="nonsense"), "no address of a server"),
        (ModelChoice(name="odd", model="zzz/x"), "names no provider"),
        (ModelChoice(name="odd", model="llama"), "names no provider"),
    ],
)
async def test_a_server_that_is_not_there_is_said_with_its_cure(
    litellm_model: LitellmChatModel, choice: ModelChoice, says: str
) -> None:
    assert says in str(await failure(litellm_model, asked(choice)))


async def test_a_model_that_ollama_lacks_is_said_with_its_cure(provider: ServerRig) -> None:
    choice = ModelChoice(name="llama", model="ollama_chat/llama3.2", api_base=provider.server.origin)

    assert "`ollama pull llama3.2`" in str(await failure(provider.model, asked(choice)))


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
async def test_a_passing_failure_is_tried_again(provider: ServerRig, status: int) -> None:
    provider.server.replies.append(Answer(status=status, error="not now", headers={"Retry-After": "0"}))
    provider.will_say("Here I am.")

    assert text_of(await everything(provider.model, asked(provider.choice))) == "Here I am."


async def test_it_waits_as_long_as_the_provider_asks(provider: ServerRig) -> None:
    provider.server.replies.append(Answer(status=429, error="not now", headers={"Retry-After": "1.5"}))
    started = time.monotonic()

    await everything(provider.model, asked(provider.choice))

    assert time.monotonic() - started >= 1.5


async def test_trying_again_is_bounded(provider: ServerRig) -> None:
    provider.will_fail()

    await failure(provider.model, asked(provider.choice))

    assert len(provider.server.requests) == 3


async def test_what_has_begun_is_not_tried_again(provider: ServerRig) -> None:
    provider.server.replies.append(Answer(text="one two", fault=Fault.CUT))
    parts = provider.model.stream(asked(provider.choice))

    assert text_of([await anext(parts), await anext(parts)]) == "one two"
    with pytest.raises(ProviderError):
        await anext(parts)
    assert len(provider.server.requests) == 1


async def test_leaving_before_the_first_word_cancels_the_call(provider: ServerRig) -> None:
    provider.will_say_and_hang("")
    task = asyncio.create_task(everything(provider.model, asked(provider.choice)))
    await asyncio.to_thread(provider.server.received.wait, 5)
    task.cancel()

    assert await provider.was_cancelled()


async def test_tokens_are_counted_where_the_server_does_not(provider: ServerRig) -> None:
    provider.server.replies.append(Answer(text="one two three", usage=False))

    end = (await everything(provider.model, asked(provider.choice)))[-1]

    assert isinstance(end, EndPart)
    assert end.usage.prompt_tokens > 3
    assert end.usage.completion_tokens >= 3


async def test_a_known_price_gives_the_cost(provider: ServerRig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", provider.server.base_url)

    end = (await everything(provider.model, asked(a_choice(model="openai/gpt-4o-mini"))))[-1]

    assert isinstance(end, EndPart)
    assert end.usage.cost_usd == pytest.approx(10 * 0.15e-6 + 3 * 0.6e-6)


async def test_a_thousand_equal_pieces_are_a_reply_like_any_other(provider: ServerRig) -> None:
    provider.will_say("ha! " * 1000)

    assert text_of(await everything(provider.model, asked(provider.choice))) == "ha! " * 1000


def test_the_context_of_a_known_model_is_known(litellm_model: LitellmChatModel) -> None:
    assert litellm_model.context_tokens(ModelChoice(name="it", model="openai/gpt-4o-mini")) == 128_000


def test_the_context_of_a_builtin_model_is_what_it_is_served_with() -> None:
    model = LitellmChatModel(_no_endpoint, builtin_context_tokens=4096)

    assert model.context_tokens(ModelChoice(name="it", model="builtin/it")) == 4096


async def test_closing_ends_what_runs_with_an_error(server: OpenAIServer) -> None:
    model = LitellmChatModel(_no_endpoint)
    server.replies.append(Answer(text="one two three", fault=Fault.STALL))
    parts = model.stream(asked(a_choice(api_base=server.base_url)))
    await anext(parts)

    await asyncio.to_thread(model.close)

    with pytest.raises(ProviderError, match="closing"):
        async for _ in parts:
            pass
    assert await asyncio.to_thread(server.left.wait, 5)


async def test_a_closed_model_answers_no_more() -> None:
    model = LitellmChatModel(_no_endpoint)
    model.close()

    assert "closing" in str(await failure(model, asked(a_choice())))


async def test_a_builtin_model_that_cannot_start_says_why() -> None:
    def endpoint(name: str) -> Endpoint:
        raise ProviderError(f"{name} is broken.")

    model = LitellmChatModel(endpoint)

    assert str(await failure(model, asked(ModelChoice(name="b", model="builtin/b")))) == "b is broken."
    model.close()


# The built-in server, with the smallest real model.


@pytest.fixture(scope="module")
def builtin(tmp_path_factory: pytest.TempPathFactory, smollm2: Path) -> Iterator[LitellmChatModel]:
    with ExitStack() as stack:
        served = BuiltinServer(tmp_path_factory.mktemp("run"), lambda _: smollm2, context_tokens=2048)
        stack.callback(served.close)
        model = LitellmChatModel(served.endpoint, builtin_context_tokens=2048)
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

    assert "longer than smol can take in" in str(error)
