"""Embedding models of the hub that are not in the catalogue: which files they have is asked once, and kept."""

import fnmatch
import hashlib
import os
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from chatmem.adapters.model_store.catalogue import Hub, Model, ModelFile
from chatmem.adapters.model_store.hub import HEADERS, HUB, network_errors, within
from chatmem.domain.errors import ModelStoreError

_WANTED = ("*.json", "*.txt", "*.model", "*.safetensors")
_UNWANTED = ("onnx/*", "openvino/*", "*.onnx*", "README*", "*train*", "eval*/*", "data_config.json")
_LARGEST_SMALL = 20_000_000
"""Bytes of a file that the hub names by git's hash, so that it must be read to know its sha256."""


def name_of(repository: str) -> str:
    """What the store calls a model of the hub."""
    return repository.replace("/", "--")


def described(repository: str, *, patience_s: float) -> Model:
    """Ask the hub which files a model has.

    Args:
        repository: `owner/name`.
        patience_s: How long the hub has for its first answer, in seconds.

    Raises:
        ModelStoreError: If the hub can't be reached, or has no such sentence-transformers model.
    """
    with network_errors():
        told = within(patience_s, lambda: _asked(repository))
        revision = str(told["sha"])
        chosen = _chosen(told["siblings"])
        files = tuple(_file(repository, revision, sibling) for sibling in chosen)
    paths = {file.path for file in files}
    if "modules.json" not in paths or not any(path.endswith(".safetensors") for path in paths):
        raise ModelStoreError(f"{repository} on {HUB} is no sentence-transformers model with safe weights")
    return Model(
        name=name_of(repository),
        title=repository,
        purpose="embedding",
        licence=str((told.get("cardData") or {}).get("license", "unknown")),
        sources=(Hub(hub=repository, revision=revision),),
        files=files,
    )


def keep(model: Model, root: Path) -> None:
    """Keep what the hub said beside the models."""
    new = root / f"{model.name}.new"
    new.write_bytes(msgspec.json.encode(model))
    new.replace(root / f"{model.name}.json")


def kept(repository: str, root: Path) -> Model | None:
    """What the hub said once; `None` where it was never asked."""
    try:
        return msgspec.json.decode((root / f"{name_of(repository)}.json").read_bytes(), type=_Kept).model()
    except (OSError, msgspec.DecodeError):
        return None


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    title: str
    purpose: str
    licence: str
    sources: list[Hub]
    files: list[ModelFile]

    def model(self) -> Model:
        return Model(
            name=self.name,
            title=self.title,
            purpose=self.purpose,
            licence=self.licence,
            sources=tuple(self.sources),
            files=tuple(self.files),
        )


def _asked(repository: str) -> Any:
    return _got(f"{_endpoint()}/api/models/{repository}?blobs=true").json()


def _got(address: str) -> Any:
    from huggingface_hub import get_session

    response = get_session().get(address, headers=dict(HEADERS), timeout=30.0, follow_redirects=True)
    response.raise_for_status()
    return response


def _chosen(siblings: Any) -> list[Any]:
    def fits(path: str, patterns: tuple[str, ...]) -> bool:
        return any(fnmatch.fnmatch(path, pattern) for pattern in patterns)

    return [item for item in siblings if fits(item["rfilename"], _WANTED) and not fits(item["rfilename"], _UNWANTED)]


def _file(repository: str, revision: str, sibling: Any) -> ModelFile:
    path, size = str(sibling["rfilename"]), int(sibling["size"])
    if not _inside(path):
        raise ModelStoreError(f"{HUB} names a file that would lie elsewhere")
    if lfs := sibling.get("lfs"):
        return ModelFile(path=path, size=size, sha256=str(lfs["sha256"]))
    if size > _LARGEST_SMALL:
        raise ModelStoreError(f"{HUB} does not tell the digest of {path}")
    content = _got(f"{_endpoint()}/{repository}/resolve/{revision}/{path}").content
    return ModelFile(path=path, size=len(content), sha256=hashlib.sha256(content).hexdigest())


def _inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return ".." not in parts and not PurePosixPath(path).is_absolute() and "\\" not in path and ":" not in path


def _endpoint() -> str:
    from huggingface_hub import constants

    return str(os.environ.get("HF_ENDPOINT") or constants.ENDPOINT).rstrip("/")
