"""A chat model in haste, shared as litellm takes seconds to import, and servers of each protocol."""

from collections.abc import Iterator

import pytest

from chatmem.adapters.litellm.chat_model import LitellmChatModel
from tests.contract.chat_model.rigs import HASTE, PROTOCOLS, FakeRig, Rig, ServerRig, no_endpoint
from tests.fakes.keys import FakeKeys
from tests.fakes.openai_server import OpenAIServer

KEYS = {"MY_KEY": "sk-synthetic-3"}


@pytest.fixture(scope="session")
def litellm_model() -> Iterator[LitellmChatModel]:
    model = LitellmChatModel(no_endpoint, keys=FakeKeys(KEYS), patience=HASTE)
    model.warm_up()
    yield model
    model.close()


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def provider(litellm_model: LitellmChatModel, server: OpenAIServer) -> ServerRig:
    """One that speaks OpenAI's protocol."""
    return ServerRig(litellm_model, server, "openai")


@pytest.fixture(params=PROTOCOLS)
def any_provider(
    litellm_model: LitellmChatModel, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ServerRig]:
    """One of each protocol."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-synthetic-ant")
    with PROTOCOLS[request.param]() as server:
        yield ServerRig(litellm_model, server, request.param)


@pytest.fixture(params=["fake", *PROTOCOLS])
def rig(
    litellm_model: LitellmChatModel, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Rig]:
    """Any chat model."""
    if request.param == "fake":
        yield FakeRig()
        return
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-synthetic-ant")
    with PROTOCOLS[request.param]() as server:
        yield ServerRig(litellm_model, server, request.param)
