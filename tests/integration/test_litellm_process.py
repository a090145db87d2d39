"""litellm in a process of its own, as in the program: what it prints, and what it knows."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from chatmem.adapters.litellm.cost_map import facts_of
from chatmem.adapters.litellm.providers import _PROVIDERS
from tests.fakes.openai_server import Answer, Fault, OpenAIServer

TALK = """
import asyncio, json, logging, os, sys
from contextlib import aclosing, suppress
from chatmem.adapters.keys import KeyFinder
from chatmem.adapters.litellm.chat_model import LitellmChatModel
from chatmem.domain.errors import ProviderError
from chatmem.domain.model import ChatRequest, ModelChoice, PromptMessage

met = []
sys.addaudithook(lambda event, given: met.append(given[1] if event == "socket.connect" else given[0])
                 if event in ("socket.connect", "socket.getaddrinfo") else None)
logging.basicConfig(filename=sys.argv[2], level=logging.DEBUG)
os.environ["OPENAI_API_KEY"] = "sk-synthetic-secret"

def asked(**place):
    choice = ModelChoice(name="it", **place)
    messages = (PromptMessage(role="user", text="Hello, marmalade"),)
    return ChatRequest(choice=choice, messages=messages, max_reply_tokens=9)

async def main(model, url):
    await model.complete(asked(model="openai/x", api_base=url))
    for place in ({"model": "zzz/x"}, {"model": "openai/x", "api_base": url}):
        with suppress(ProviderError):
            await model.complete(asked(**place))
    async with aclosing(model.stream(asked(model="openai/x", api_base=url))) as parts:
        await anext(parts)

model = LitellmChatModel(lambda name: None, keys=KeyFinder())
model.warm_up()
asyncio.run(main(model, sys.argv[1]))
model.close()
with open(sys.argv[3], "w") as file:
    json.dump(met, file, default=str)
"""


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, OpenAIServer, subprocess.CompletedProcess[str]]:
    """The folder with a log and a list of connections, the server, and how a talk in a fresh process ended."""
    folder = tmp_path_factory.mktemp("talk")
    (folder / ".env").write_text("LITELLM_LOG=DEBUG\n")
    cut, stalled = Answer(text="one chutney", fault=Fault.CUT), Answer(text="one chutney", fault=Fault.STALL)
    with OpenAIServer("Hello.", cut, stalled) as server:
        command = [sys.executable, "-W", "default", "-c", TALK, server.base_url, "log", "met.json"]
        ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=240)
    return folder, server, ended


Talked = tuple[Path, OpenAIServer, "subprocess.CompletedProcess[str]"]


def test_nothing_is_ever_printed(talked: Talked) -> None:
    _, server, ended = talked

    assert (ended.stdout, ended.stderr, ended.returncode) == ("", "", 0)
    assert len(server.requests) == 3


def test_nobody_is_met_but_the_provider(talked: Talked) -> None:
    folder, server, _ = talked

    met = json.loads((folder / "met.json").read_text())

    assert met
    assert all(place in (["127.0.0.1", server.port], "127.0.0.1", b"127.0.0.1") for place in met)


def test_no_text_and_no_key_is_logged_at_any_level(talked: Talked) -> None:
    folder, _, _ = talked

    log = (folder / "log").read_text()

    assert "chatmem" in log
    assert not [word for word in ("marmalade", "chutney", "synthetic-secret") if word in log]


def test_the_models_that_are_offered_are_known() -> None:
    models = [provider.best for provider in _PROVIDERS if provider.title != "OpenRouter"]

    assert all(facts_of(model) for model in models)
