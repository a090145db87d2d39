"""What every model store does."""

from pathlib import Path

import pytest

from chatmem.adapters.model_store.catalogue import Wheels
from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.domain.errors import ModelStoreError, NotFoundError
from chatmem.ports.model_store import ModelStore
from tests.fakes.model_sources import a_model, a_wheel, pip_finds_only
from tests.fakes.model_store import Bar, FakeModelStore, an_entry

CHAT = {"model.gguf": b"chat bytes"}
EMBEDDER = {"config.json": b"{}", "1_Pooling/config.json": b"{ }"}


def fake_store(folder: Path) -> ModelStore:
    return FakeModelStore(folder, [an_entry("embedder", "embedding", 5), an_entry("chat", "chat", 10)])


def folder_store(folder: Path) -> ModelStore:
    a_wheel(folder / "wheels", "tiny-embedder", "1.0", {f"tiny/{path}": data for path, data in EMBEDDER.items()})
    a_wheel(folder / "wheels", "tiny-chat", "1.0", {f"tiny/{path}": data for path, data in CHAT.items()})
    return FolderModelStore(
        folder / "models",
        (
            a_model(EMBEDDER, a_source("tiny-embedder"), name="embedder", purpose="embedding"),
            a_model(CHAT, a_source("tiny-chat"), name="chat"),
        ),
    )


def a_source(name: str) -> Wheels:
    return Wheels(wheel=f"{name}==1.0", member="tiny/{file}")


@pytest.fixture(params=[fake_store, folder_store], ids=["fake", "folder"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelStore:
    for name, value in pip_finds_only(tmp_path / "wheels").items():
        monkeypatch.setenv(name, value)
    made: ModelStore = request.param(tmp_path)
    return made


def test_entries_come_in_the_order_of_the_catalogue(store: ModelStore) -> None:
    assert [entry.name for entry in store.entries()] == ["embedder", "chat"]


def test_a_model_that_was_not_pulled_lies_nowhere(store: ModelStore) -> None:
    assert [entry.path for entry in store.entries()] == [None, None]


def test_an_entry_says_how_much_there_is_to_download(store: ModelStore) -> None:
    assert store.entry("chat").size == 10


def test_a_chat_model_that_was_pulled_is_a_file(store: ModelStore) -> None:
    path = store.pull("chat", Bar())

    assert path.is_file()
    assert store.entry("chat").path == path


def test_an_embedder_that_was_pulled_is_a_folder(store: ModelStore) -> None:
    path = store.pull("embedder", Bar())

    assert path.is_dir()
    assert store.entry("embedder").path == path


def test_pulling_tells_how_far_it_is_and_ends_with_everything(store: ModelStore) -> None:
    bar = Bar()

    store.pull("chat", bar)

    assert all(0 <= done <= total == 10 for _, done, total in bar.told)
    assert bar.told[-1][1] == 10


def test_pulling_again_changes_nothing(store: ModelStore) -> None:
    path = store.pull("chat", Bar())
    written = path.stat().st_mtime_ns

    assert store.pull("chat", Bar()) == path
    assert path.stat().st_mtime_ns == written


def test_pulling_one_model_leaves_the_others_where_they_are(store: ModelStore) -> None:
    store.pull("chat", Bar())

    assert store.entry("embedder").path is None


def test_an_unknown_model_is_not_found(store: ModelStore) -> None:
    with pytest.raises(NotFoundError, match="nobody"):
        store.entry("nobody")
    with pytest.raises(NotFoundError, match="nobody"):
        store.pull("nobody", Bar())


def test_the_fake_fails_when_told_to(tmp_path: Path) -> None:
    store = FakeModelStore(tmp_path)
    store.error = "There is no network."

    with pytest.raises(ModelStoreError, match="no network"):
        store.pull("tiny-chat", Bar())
    assert store.entry("tiny-chat").path is None
