"""What the chat model for providers does beyond the contract."""

import asyncio

import pytest

from chatmem.adapters.litellm.chat_model import LitellmChatModel
from chatmem.domain.errors import ProviderError
from chatmem.domain.model import (
    EndPart,
    Endpoint,
    Image,
    KeyPlace,
    KeySource,
    ModelChoice,
    Parameters,
    PromptMessage,
)
from tests.contract.chat_model.rigs import (
    PROTOCOLS,
    SCHEMA,
    ServerRig,
    asked,
    everything,
    failure,
    no_endpoint,
    text_of,
    thoughts_of,
    until_failure,
)
from tests.fakes.builders import a_choice
from tests.fakes.keys import FakeKeys
from tests.fakes.ollama_server import OllamaServer
from tests.fakes.openai_server import Answer, Fault, OpenAIServer

IMAGE = Image(name="dot.png", media_type="image/png", content=b"\x89PNG dot")
ENCODED = "iVBORyBkb3Q="


class OpenRouterLike(OpenAIServer):
    """Sends errors with status 200, and their code in the body."""

    def error(self, answer: Answer) -> object:
        return {"error": {"message": answer.error, "code": 429}}


async def test_the_key_is_the_one_that_is_named(provider: ServerRig) -> None:
    key = KeySource(place=KeyPlace.ENVIRONMENT, name="MY_KEY")

    await everything(provider.model, asked(a_choice(api_base=provider.server.base_url, key=key)))

    assert provider.server.requests[0].headers["authorization"] == "Bearer sk-synthetic-3"


@pytest.mark.parametrize("place", KeyPlace)
async def test_a_named_key_that_is_not_there_is_named(provider: ServerRig, place: KeyPlace) -> None:
    choice = a_choice(key=KeySource(place=place, name="NOT_THERE"))

    assert "NOT_THERE" in str(await failure(provider.model, asked(choice)))
    assert not provider.server.requests


async def test_parameters_of_the_person_win_over_those_of_the_request(provider: ServerRig) -> None:
    parameters = Parameters(temperature=0.9, headers=(("X-Team", "blue"),))
    choice = a_choice(api_base=provider.server.base_url, parameters=parameters)

    await everything(provider.model, asked(choice, temperature=0.1))

    [request] = provider.server.requests
    assert (request.body["temperature"], request.headers["x-team"]) == (0.9, "blue")


async def test_headers_reach_every_protocol(any_provider: ServerRig) -> None:
    choice = a_choice(
        model=any_provider.choice.model,
        api_base=any_provider.choice.api_base,
        parameters=Parameters(headers=(("X-Team", "blue"),)),
    )

    await everything(any_provider.model, asked(choice))

    assert any_provider.server.requests[0].headers["x-team"] == "blue"


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        ("openai/gpt-5", ("reasoning_effort", "high")),
        ("anthropic/claude-3-7-sonnet-20250219", ("thinking", {"type": "enabled", "budget_tokens": 4096})),
        ("ollama_chat/deepseek-r1", ("think", True)),
    ],
)
async def test_reasoning_effort_is_what_the_protocol_calls_it(
    provider: ServerRig, monkeypatch: pytest.MonkeyPatch, model: str, sent: tuple[str, object]
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-synthetic-ant")
    protocol = PROTOCOLS[model.partition("/")[0]]
    with protocol() as server:
        choice = a_choice(model=model, api_base=server.base_url, parameters=Parameters(reasoning_effort="high"))

        await everything(provider.model, asked(choice, temperature=0.3))

    body = server.requests[0].body
    assert body[sent[0]] == sent[1]
    assert "temperature" not in body | body.get("options", {})


async def test_images_are_sent_as_each_protocol_wants_them(any_provider: ServerRig) -> None:
    message = PromptMessage(role="user", text="What is it?", images=(IMAGE,))

    await everything(any_provider.model, asked(any_provider.choice, messages=(message,)))

    sent = any_provider.server.requests[0].body["messages"][0]
    assert {
        "openai": lambda: sent["content"][1]["image_url"]["url"] == f"data:image/png;base64,{ENCODED}",
        "anthropic": lambda: (
            sent["content"][1]["source"] == {"type": "base64", "media_type": "image/png", "data": ENCODED}
        ),
        "ollama_chat": lambda: sent["images"] == [ENCODED],
    }[any_provider.protocol]()
    assert "What is it?" in str(sent)


async def test_thoughts_in_the_text_are_told_apart(provider: ServerRig) -> None:
    provider.will_say("<think>Let me see. </think>\n\nYes, it is.")

    parts = await everything(provider.model, asked(provider.choice))

    assert (thoughts_of(parts).strip(), text_of(parts).strip()) == ("Let me see.", "Yes, it is.")


async def test_ollama_is_told_how_long_the_context_is(provider: ServerRig) -> None:
    with OllamaServer() as server:
        choice = a_choice(model="ollama_chat/fake", api_base=server.base_url, context_tokens=12_345)

        await everything(provider.model, asked(choice))

    assert server.requests[0].body["options"]["num_ctx"] == 12_345


async def test_a_gateway_that_says_in_words_how_long_to_wait_is_understood(provider: ServerRig) -> None:
    provider.server.always = Answer(status=429, error="Rate limit reached. Please try again in 35s.")

    assert "in 35 seconds" in str(await failure(provider.model, asked(provider.choice)))


async def test_a_code_in_an_error_body_counts_as_its_status(provider: ServerRig) -> None:
    with OpenRouterLike() as server:
        server.always = Answer(error="Rate limited upstream")

        error = await failure(provider.model, asked(a_choice(api_base=server.base_url)))

    assert "takes no more requests" in str(error)


async def test_a_server_that_is_not_running_is_not_asked_again(litellm_model: LitellmChatModel) -> None:
    choice = ModelChoice(name="llama", model="ollama_chat/llama3.2", api_base="http://127.0.0.1:9")

    parts, error = await until_failure(litellm_model, asked(choice))

    assert (parts, error.retryable) == ([], True)


def test_facts_need_no_network_and_what_the_person_set_wins(litellm_model: LitellmChatModel) -> None:
    facts = litellm_model.facts(ModelChoice(name="it", model="openai/gpt-4o-mini", context_tokens=9000))

    assert (facts.context_tokens, facts.vision, facts.prompt_usd) == (9000, True, 0.15)


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


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        (
            ModelChoice(name="own", model="openai/x", api_base="http://127.0.0.1:9/v1"),
            "could not be reached. Is it running?",
        ),
        (ModelChoice(name="llama", model="ollama_chat/llama3.2", api_base="http://127.0.0.1:9"), "`ollama serve`"),
        (ModelChoice(name="l", model="lm_studio/x", api_base="http://127.0.0.1:9/v1"), "`lms server start`"),
        (ModelChoice(name="l", model="llamafile/x", api_base="http://127.0.0.1:9/v1"), "`llama-server -m MODEL.gguf`"),
        (ModelChoice(name="odd", model="openai/x", api_base="nonsense"), "no address of a server"),
        (ModelChoice(name="odd", model="zzz/x"), "names no provider"),
        (ModelChoice(name="odd", model="llama"), "names no provider"),
    ],
)
async def test_a_server_that_is_not_there_is_said_with_its_cure(
    litellm_model: LitellmChatModel, choice: ModelChoice, says: str
) -> None:
    assert says in str(await failure(litellm_model, asked(choice)))


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
    model = LitellmChatModel(no_endpoint, keys=FakeKeys(), builtin_context_tokens=4096)

    assert model.context_tokens(ModelChoice(name="it", model="builtin/it")) == 4096


async def test_closing_ends_what_runs_with_an_error(server: OpenAIServer) -> None:
    model = LitellmChatModel(no_endpoint, keys=FakeKeys())
    server.replies.append(Answer(text="one two three", fault=Fault.STALL))
    parts = model.stream(asked(a_choice(api_base=server.base_url)))
    await anext(parts)

    await asyncio.to_thread(model.close)

    with pytest.raises(ProviderError, match="closing"):
        async for _ in parts:
            pass
    assert await asyncio.to_thread(server.left.wait, 5)


async def test_a_closed_model_answers_no_more() -> None:
    model = LitellmChatModel(no_endpoint, keys=FakeKeys())
    model.close()

    assert "closing" in str(await failure(model, asked(a_choice())))


async def test_a_builtin_model_that_cannot_start_says_why() -> None:
    def endpoint(name: str) -> Endpoint:
        raise ProviderError(f"{name} is broken.")

    model = LitellmChatModel(endpoint, keys=FakeKeys())

    assert str(await failure(model, asked(ModelChoice(name="b", model="builtin/b")))) == "b is broken."
    model.close()
