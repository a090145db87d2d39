"""An embedding model of the hub that is not in the catalogue, from a hub on loopback."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.domain.errors import ModelStoreError
from tests.fakes.model_sources import HubServer
from tests.fakes.model_store import Bar

FILES = {
    "modules.json": b"[]",
    "config.json": b"{}",
    "1_Pooling/config.json": b"{ }",
    "model.safetensors": b"weights" * 1000,
}
ASKED = "api/models/acme/tiny?blobs=true"


def listing(files: dict[str, bytes]) -> bytes:
    siblings: list[dict[str, object]] = [{"rfilename": "README.md", "size": 3}, {"rfilename": "onnx/a.json", "size": 3}]
    for path, content in files.items():
        lfs = {"lfs": {"sha256": sha256(content).hexdigest()}} if path.endswith("safetensors") else {}
        siblings.append({"rfilename": path, "size": len(content)} | lfs)
    return json.dumps({"sha": "0" * 40, "siblings": siblings, "cardData": {"license": "mit"}}).encode()


@pytest.fixture
def store(tmp_path: Path) -> FolderModelStore:
    return FolderModelStore(tmp_path / "models", ())


def test_its_files_are_fetched_checked_and_found_again(
    store: FolderModelStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HubServer(FILES | {ASKED: listing(FILES)}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        folder = store.pull_from_hub("acme/tiny", Bar())

    again = FolderModelStore(tmp_path / "models", ())
    assert {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} == set(FILES)
    assert again.hub_folder("acme/tiny") == folder
    again.check("acme--tiny")
    assert not hub.tokens


def test_before_it_was_fetched_it_is_not_here(store: FolderModelStore) -> None:
    assert store.hub_folder("acme/tiny") is None


@pytest.mark.parametrize("left_out", ["modules.json", "model.safetensors"])
def test_a_model_of_another_kind_is_refused(
    store: FolderModelStore, monkeypatch: pytest.MonkeyPatch, left_out: str
) -> None:
    files = {path: content for path, content in FILES.items() if path != left_out}
    with HubServer(files | {ASKED: listing(files)}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)

        with pytest.raises(ModelStoreError, match="no sentence-transformers model"):
            store.pull_from_hub("acme/tiny", Bar())


@pytest.mark.parametrize("path", ["../config.json", "/etc/config.json", "a/../../b.json"])
def test_a_file_that_would_lie_elsewhere_is_refused(
    store: FolderModelStore, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    with HubServer({ASKED: listing({path: b"{}"})}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)

        with pytest.raises(ModelStoreError, match="elsewhere"):
            store.pull_from_hub("acme/tiny", Bar())


def test_a_hub_that_is_away_is_told(store: FolderModelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")

    with pytest.raises(ModelStoreError, match=r"acme/tiny could not be fetched.*can't be reached"):
        store.pull_from_hub("acme/tiny", Bar())


def test_a_model_that_the_hub_lacks_is_told(store: FolderModelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    with HubServer({}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)

        with pytest.raises(ModelStoreError, match="404"):
            store.pull_from_hub("acme/tiny", Bar())
