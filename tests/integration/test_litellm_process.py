"""litellm in a process of its own, as in the program: what it prints, and what it knows."""

import subprocess
import sys
from pathlib import Path

from chatmem.adapters.litellm.cost_map import facts_of
from chatmem.adapters.litellm.providers import _PROVIDERS
from tests.fakes.openai_server import Answer, Fault, OpenAIServer

TALK = """
import asyncio, sys
from contextlib import aclosing, suppress
from chatmem.adapters.litellm.chat_model import LitellmChatModel
from chatmem.domain.errors import ProviderError
from chatmem.domain.model import ChatRequest, ModelChoice, PromptMessage

def asked(**place):
    choice = ModelChoice(name="it", **place)
    return ChatRequest(choice=choice, messages=(PromptMessage(role="user", text="Hello"),), max_reply_tokens=9)

async def main(model, url):
    await model.complete(asked(model="openai/x", api_base=url))
    for place in ({"model": "zzz/x"}, {"model": "openai/x", "api_base": url}):
        with suppress(ProviderError):
            await model.complete(asked(**place))
    async with aclosing(model.stream(asked(model="openai/x", api_base=url))) as parts:
        await anext(parts)

model = LitellmChatModel(lambda name: None)
model.warm_up()
asyncio.run(main(model, sys.argv[1]))
model.close()
"""


def test_nothing_is_ever_printed(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LITELLM_LOG=DEBUG\n")
    cut, stalled = Answer(text="one two", fault=Fault.CUT), Answer(text="one two", fault=Fault.STALL)

    with OpenAIServer("Hello.", cut, stalled) as server:
        command = [sys.executable, "-W", "default", "-c", TALK, server.base_url]
        ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=120)

    assert (ended.stdout, ended.stderr, ended.returncode) == ("", "", 0)
    assert len(server.requests) == 3


def test_the_models_that_are_offered_are_known() -> None:
    models = [provider.best for provider in _PROVIDERS if provider.title != "OpenRouter"]

    assert all(facts_of(model) for model in models)
