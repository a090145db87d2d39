"""The built-in server for real: shared, stopped and started by processes that come, go and are killed."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

import pytest

from chatmem.adapters.litellm.chat_model import LitellmChatModel
from chatmem.adapters.llamacpp.server import BuiltinServer
from chatmem.domain.errors import NotFoundError, ProviderError
from chatmem.domain.model import ChatRequest, ModelChoice, PromptMessage, TextPart
from tests.fakes.keys import FakeKeys

CLIENT = """
import sys
from pathlib import Path
from chatmem.adapters.llamacpp.server import BuiltinServer
server = BuiltinServer(Path(sys.argv[1]), lambda _: Path(sys.argv[2]), context_tokens=2048)
print(server.endpoint("smol").base_url, flush=True)
for _ in sys.stdin:
    print(server.endpoint("smol").base_url, flush=True)
server.close()
"""


class Client:
    """Another window: a process that uses the server for as long as it lives."""

    def __init__(self, run_dir: Path, model: Path) -> None:
        command = [sys.executable, "-c", CLIENT, str(run_dir), str(model)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def address(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def ask_again(self) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.address()

    def end(self, how: signal.Signals | None = None) -> None:
        if how is not None:
            self.process.send_signal(how)
        self.process.communicate(timeout=20)


@pytest.fixture
def model(smollm2: Path) -> Path:
    return smollm2


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    return tmp_path / "run"


@pytest.fixture
def window(run_dir: Path, model: Path) -> Iterator[Callable[[], Client]]:
    with contextlib.ExitStack() as stack:

        def opened() -> Client:
            client = Client(run_dir, model)
            stack.callback(client.end)
            return client

        yield opened
    assert within(20, lambda: not servers(run_dir))


@pytest.fixture
def server(run_dir: Path, model: Path) -> Iterator[BuiltinServer]:
    server = BuiltinServer(run_dir, lambda _: model, context_tokens=8192)
    yield server
    server.close()
    assert within(20, lambda: not servers(run_dir))


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def servers(run_dir: Path) -> set[int]:
    """The processes that serve, by what they have published."""
    pids = {json.loads(card.read_text())["pid"] for card in run_dir.glob("*/server.json")}
    return {pid for pid in pids if is_alive(pid)}


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")  # an orphan may stay a zombie where no init reaps it
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def status(url: str, key: str = "", method: str = "GET") -> tuple[int, dict[str, str]]:
    headers = {"Authorization": f"Bearer {key}", "Origin": "http://elsewhere.example"}
    request = urllib.request.Request(url, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, dict(response.headers)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers)


def test_windows_share_one_server(window: Callable[[], Client], run_dir: Path) -> None:
    first, second = window(), window()

    assert first.address() == second.address()
    assert len(servers(run_dir)) == 1


def test_the_server_outlives_the_window_that_started_it(window: Callable[[], Client], run_dir: Path) -> None:
    first = window()
    address = first.address()
    second = window()
    second.address()
    before = servers(run_dir)

    first.end(signal.SIGKILL)

    assert second.ask_again() == address
    assert not within(2.5, lambda: servers(run_dir) != before)


def test_the_server_stops_when_its_only_window_is_killed(window: Callable[[], Client], run_dir: Path) -> None:
    client = window()
    client.address()
    (pid,) = servers(run_dir)

    client.end(signal.SIGKILL)

    assert within(10, lambda: not is_alive(pid))


def test_a_killed_server_is_started_anew(window: Callable[[], Client], run_dir: Path) -> None:
    client = window()
    client.address()
    (pid,) = servers(run_dir)

    os.kill(pid, signal.SIGKILL)

    # The kernel frees the lock when the last of its threads is gone, a moment after the process counts as dead.
    assert within(20, lambda: bool(client.ask_again()) and len(servers(run_dir) - {pid}) == 1)


def test_ctrl_c_in_the_terminal_does_not_reach_the_server(server: BuiltinServer, run_dir: Path) -> None:
    server.endpoint("smol")
    (pid,) = servers(run_dir)

    assert os.getsid(pid) == pid


def test_the_server_takes_its_key_only_and_no_other_origin(server: BuiltinServer) -> None:
    endpoint = server.endpoint("smol")

    assert status(f"{endpoint.base_url}/models", endpoint.api_key)[0] == 200
    assert status(f"{endpoint.base_url}/models", "another")[0] == 401
    preflight = status(f"{endpoint.base_url}/chat/completions", method="OPTIONS")[1]
    assert preflight["Access-Control-Allow-Origin"] == ""
    assert endpoint.base_url.startswith("http://127.0.0.1:")


def test_the_key_shows_nowhere_but_in_a_private_file(server: BuiltinServer, run_dir: Path) -> None:
    endpoint = server.endpoint("smol")
    (card,) = run_dir.glob("*/server.json")

    assert endpoint.api_key not in repr(endpoint)
    assert card.stat().st_mode & 0o777 == 0o600
    assert card.parent.stat().st_mode & 0o777 == 0o700
    holders = [path for path in card.parent.rglob("*") if path.is_file() and endpoint.api_key in path.read_text()]
    assert holders == [card]


def test_a_second_call_finds_the_running_server(server: BuiltinServer) -> None:
    first = server.endpoint("smol")
    started = time.monotonic()

    assert server.endpoint("smol") == first
    assert time.monotonic() - started < 0.5


async def test_cancelling_an_answer_frees_the_server(server: BuiltinServer) -> None:
    chat = LitellmChatModel(server.endpoint, keys=FakeKeys())
    choice = ModelChoice(name="smol", model="builtin/smol")

    def asked(text: str, tokens: int) -> ChatRequest:
        messages = (PromptMessage(role="user", text=text),)
        return ChatRequest(choice=choice, messages=messages, max_reply_tokens=tokens, temperature=0.0)

    async with aclosing(chat.stream(asked("Write a very long story about every number up to 9999.", 7000))) as parts:
        assert isinstance(await anext(parts), TextPart)
    started = time.monotonic()
    reply = await chat.complete(asked("Hi", 4))
    took_s = time.monotonic() - started
    await asyncio.to_thread(chat.close)

    assert reply.text
    assert took_s < 10  # 7,000 tokens take a minute and more


def test_a_broken_model_is_said_and_does_not_hang(run_dir: Path, tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"nonsense" * 100)
    server = BuiltinServer(run_dir, lambda _: broken)

    with pytest.raises(ProviderError, match="could not be loaded"):
        server.endpoint("broken")

    server.close()


def test_a_model_that_was_not_fetched_is_said(run_dir: Path) -> None:
    pytest.importorskip("xllamacpp")

    def nowhere(name: str) -> Path:
        raise NotFoundError(f"{name} was not fetched yet.")

    with pytest.raises(ProviderError, match="was not fetched yet"):
        BuiltinServer(run_dir, nowhere).endpoint("smol")


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    (tmp_path / "file").touch()

    with pytest.raises(ProviderError, match="could not be started"):
        BuiltinServer(tmp_path / "file", lambda _: tmp_path).endpoint("smol")


def test_closing_gives_up_a_start_under_way(run_dir: Path, model: Path) -> None:
    server = BuiltinServer(run_dir, lambda _: model)
    server.close()

    with pytest.raises(ProviderError, match="closing"):
        server.endpoint("smol")

    assert within(20, lambda: not servers(run_dir))


class _WithoutXllamacpp:
    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        return None if name == "xllamacpp" else PathFinder.find_spec(name, path, target)


def test_where_there_is_no_build_for_the_system_it_is_said(run_dir: Path) -> None:
    finders, loaded = sys.meta_path[:], sys.modules.pop("xllamacpp", None)
    sys.meta_path[:] = [_WithoutXllamacpp if finder is PathFinder else finder for finder in finders]
    try:
        with pytest.raises(ProviderError, match="xllamacpp is not installed"):
            BuiltinServer(run_dir, lambda _: run_dir).endpoint("smol")
    finally:
        sys.meta_path[:] = finders
        if loaded is not None:
            sys.modules["xllamacpp"] = loaded
