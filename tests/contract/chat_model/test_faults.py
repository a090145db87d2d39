"""Every fault of a provider, by each protocol: a sentence with its cure, never the key, and nothing said is lost."""

import pytest

from chatmem.adapters.litellm.chat_model import LitellmChatModel
from chatmem.adapters.litellm.patience import Patience
from chatmem.domain.errors import ProviderError
from chatmem.domain.model import EndPart, KeyPlace, KeySource, ModelChoice, Parameters
from tests.contract.chat_model.rigs import (
    ServerRig,
    asked,
    everything,
    failure,
    no_endpoint,
    retries,
    text_of,
    until_failure,
)
from tests.fakes.builders import a_choice
from tests.fakes.keys import FakeKeys
from tests.fakes.scripted_server import Answer, Fault

KEY = "sk-synthetic-3"
ATTEMPTS = 4


def with_key(rig: ServerRig) -> ModelChoice:
    secret = Parameters(headers=(("X-Gateway", "synthetic-gateway-secret"),))
    key = KeySource(place=KeyPlace.ENVIRONMENT, name="MY_KEY")
    return a_choice(model=rig.choice.model, api_base=rig.choice.api_base, key=key, parameters=secret)


@pytest.mark.parametrize(
    ("answer", "says", "retryable"),
    [
        (Answer(status=401, error=f"Incorrect API key provided: {KEY}."), "refused the key in MY_KEY", False),
        (Answer(status=403, error="no"), "does not let the key in MY_KEY use fake", False),
        (Answer(status=404, error="The model `fake` does not exist"), "has no model “fake”", False),
        (Answer(status=400, error="This model's maximum context length is 10 tokens"), "longer than fake can", False),
        (Answer(status=400, error="the prompt triggered content management policy"), "content filter", False),
        (Answer(status=400, error=f"temperature {KEY} too high"), "did not accept the request: temperature", False),
        (Answer(status=422, error="synthetic-gateway-secret is odd"), "did not accept the request: *** is odd", False),
        (Answer(status=402, error="Insufficient Balance"), "used up", False),
        (Answer(status=429, error="You exceeded your current quota, check your billing"), "used up", False),
        (Answer(status=429, error="slow down", headers={"Retry-After": "90"}), "in 90 seconds", True),
        (Answer(status=429, error="slow down", headers={"Retry-After": "7200"}), "in 2 hours", True),
        (Answer(status=500, error=f"oops {KEY}"), "an error of its own: oops ***", True),
        (Answer(status=503, error="overloaded"), "an error of its own: overloaded", True),
        (Answer(error="something is wrong"), "an error of its own: something is wrong", True),
        (Answer(), "answered nothing", True),
        (Answer(finish="length"), "Allow a longer reply", False),
        (Answer(text="one two", fault=Fault.CUT), "broke off", True),
        (Answer(text="one two", fault=Fault.SHORT), "broke off", True),
        (Answer(text="one two", fault=Fault.STALL), "silent for too long", True),
        (Answer(text="one two", fault=Fault.GARBLED), "", True),
        (Answer(text="one two", fault=Fault.LOST), "", True),
        (Answer(text="one two", fault=Fault.ERROR_EVENT), "an error of its own", True),
        (Answer(fault=Fault.CUT), "broke off", True),
        (Answer(fault=Fault.ERROR_EVENT), "an error of its own", True),
    ],
)
async def test_each_fault_is_a_sentence_with_its_cure_and_never_a_key(
    any_provider: ServerRig, answer: Answer, says: str, *, retryable: bool
) -> None:
    any_provider.server.always = answer

    parts, error = await until_failure(any_provider.model, asked(with_key(any_provider)))

    assert says in str(error)
    assert error.retryable is retryable
    assert text_of(parts) == answer.text
    for unwanted in (KEY, "synthetic-gateway-secret", "litellm", "Exception", "{"):
        assert unwanted not in str(error)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
async def test_a_passing_failure_is_tried_again(any_provider: ServerRig, status: int) -> None:
    any_provider.server.replies.append(Answer(status=status, error="not now", headers={"Retry-After": "0"}))
    any_provider.will_say("Here I am.")

    assert text_of(await everything(any_provider.model, asked(any_provider.choice))) == "Here I am."


@pytest.mark.parametrize("fault", [Fault.CUT, Fault.SHORT, Fault.GARBLED, Fault.LOST, Fault.ERROR_EVENT])
async def test_what_breaks_before_the_first_word_is_tried_again(any_provider: ServerRig, fault: Fault) -> None:
    any_provider.server.replies.append(Answer(fault=fault))
    any_provider.will_say("Here I am.")

    parts = await everything(any_provider.model, asked(any_provider.choice))

    assert (len(retries(parts)), text_of(parts)) == (1, "Here I am.")


async def test_trying_again_is_bounded_and_counted(any_provider: ServerRig) -> None:
    any_provider.will_fail()

    parts, _ = await until_failure(any_provider.model, asked(any_provider.choice))

    assert [(part.attempt, part.attempts) for part in retries(parts)] == [(2, 4), (3, 4), (4, 4)]
    assert len(any_provider.server.requests) == ATTEMPTS


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=401, error="no"),
        Answer(status=400, error="no"),
        Answer(status=429, error="slow down", headers={"Retry-After": "90"}),
        Answer(status=429, error="quota"),
        Answer(),
    ],
)
async def test_what_will_not_pass_in_a_moment_is_not_tried_again(any_provider: ServerRig, answer: Answer) -> None:
    any_provider.server.always = answer

    parts, _ = await until_failure(any_provider.model, asked(any_provider.choice))

    assert (retries(parts), len(any_provider.server.requests)) == ([], 1)


async def test_it_waits_as_long_as_the_provider_asks(any_provider: ServerRig) -> None:
    any_provider.server.replies.append(Answer(status=429, error="not now", headers={"Retry-After": "0.2"}))

    [retry] = retries(await everything(any_provider.model, asked(any_provider.choice)))

    assert retry.wait_s == 0.2


async def test_what_has_begun_is_not_tried_again(any_provider: ServerRig) -> None:
    any_provider.server.replies.append(Answer(reasoning="Hm", fault=Fault.CUT))

    parts, _ = await until_failure(any_provider.model, asked(any_provider.choice))

    assert (retries(parts), len(any_provider.server.requests)) == ([], 1)


async def test_leaving_during_a_wait_asks_no_more(any_provider: ServerRig) -> None:
    any_provider.server.always = Answer(status=429, error="not now", headers={"Retry-After": "15"})
    parts = any_provider.model.stream(asked(any_provider.choice))

    await anext(parts)
    await parts.aclose()

    assert len(any_provider.server.requests) == 1


async def test_a_stall_before_the_first_word_ends_too(any_provider: ServerRig) -> None:
    model = LitellmChatModel(no_endpoint, keys=FakeKeys(), patience=Patience(first_s=3.0, first_local_s=3.0))
    any_provider.will_say_and_hang("")

    assert "silent for too long" in str(await failure(model, asked(any_provider.choice)))

    model.close()


async def test_forty_thousand_tokens_arrive_whole(any_provider: ServerRig) -> None:
    any_provider.server.replies.append(Answer(text="ha! " * 40_000, words=10))

    model = LitellmChatModel(no_endpoint, keys=FakeKeys())

    parts = await everything(model, asked(any_provider.choice, max_reply_tokens=50_000))
    model.close()

    assert text_of(parts) == "ha! " * 40_000
    assert isinstance(parts[-1], EndPart)
    assert parts[-1].usage.completion_tokens == 40_000


async def test_a_reply_that_was_cut_by_its_length_says_so(any_provider: ServerRig) -> None:
    any_provider.server.replies.append(Answer(text="one two", finish="length"))

    end = (await everything(any_provider.model, asked(any_provider.choice)))[-1]

    assert isinstance(end, EndPart)
    assert end.reason == "length"


async def test_names_like_the_unknown_one_are_said(any_provider: ServerRig) -> None:
    any_provider.server.models = ["faker", "other", "fake:7b", "something-else"]
    any_provider.server.always = Answer(status=404, error="The model `fake` does not exist")

    error = await failure(any_provider.model, asked(any_provider.choice))

    assert "faker or fake:7b" in str(error)
    assert "something-else" not in str(error)


async def test_an_error_that_is_no_providers_is_not_swallowed(any_provider: ServerRig) -> None:
    any_provider.server.always = Answer(status=418, error="I am a teapot")

    assert type(await failure(any_provider.model, asked(any_provider.choice))) is ProviderError
