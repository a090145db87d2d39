"""Fetching from the Hugging Face hub."""

import logging
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from chatmem.adapters.model_store.catalogue import Hub, Model, ModelFile
from chatmem.adapters.model_store.partial import CHUNK, Partial
from chatmem.domain.errors import ModelStoreError

if TYPE_CHECKING:
    from huggingface_hub import HfFileMetadata

HUB = "the Hugging Face hub"

_STALLED_S = 30.0
_SHA256_DIGITS = 64

# Says nothing about this machine, and asks for plain bytes: a range of compressed ones could not be joined.
HEADERS = {"user-agent": "chatmem", "accept-encoding": "identity"}
"""Of every request."""

_Answer = TypeVar("_Answer")


def fetch(hub: Hub, model: Model, partial: Partial, *, patience_s: float) -> None:
    """Complete the files of a model from its repository.

    Args:
        hub: The repository.
        model: The model.
        partial: What has arrived; grows.
        patience_s: How long the hub has for its first answer, the lookup of its name included.

    Raises:
        ModelStoreError: If the hub can't be reached, lacks a file, or has another one of that name.
        OSError: If what came can't be written.
    """
    missing = [file for file in model.files if partial.have(file) < file.size]
    if missing:
        _ask_for(hub, max(missing, key=lambda file: file.size), patience_s)
    for file in missing:
        _complete(hub, file, partial)


def _ask_for(hub: Hub, file: ModelFile, patience_s: float) -> None:
    """Make sure that the hub is there and has the right file, before any byte of it is fetched."""

    def ask() -> "HfFileMetadata":
        from huggingface_hub import constants, get_hf_file_metadata
        from huggingface_hub.utils.logging import set_verbosity

        set_verbosity(logging.CRITICAL)
        # Else it asks the hub for a list of programs that may have started this one, to name it.
        constants.HF_HUB_DISABLE_TELEMETRY = True
        return get_hf_file_metadata(_url(hub, file), token=False, timeout=patience_s, headers=dict(HEADERS))

    with network_errors():
        found = within(patience_s, ask)
    # The hub names a large file by its sha256, a small one by git's hash.
    digest = found.etag if found.etag and len(found.etag) == _SHA256_DIGITS else file.sha256
    if (found.size, digest) != (file.size, file.sha256):
        raise ModelStoreError(f"{HUB} has another {file.path}")


def within(seconds: float, ask: Callable[[], _Answer]) -> _Answer:
    """Wait for an answer so long, or raise `TimeoutError`: no library's timeout covers the lookup of a name."""
    answer: Future[_Answer] = Future()

    def run() -> None:
        try:
            answer.set_result(ask())
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=run, name="hub", daemon=True).start()
    return answer.result(seconds)


def _complete(hub: Hub, file: ModelFile, partial: Partial) -> None:
    """Fetch the rest of a file; go on after a broken connection as long as each brings something.

    `hf_hub_download` can't be used: since huggingface_hub 1.0 it throws an interrupted file away.
    """
    while (before := partial.have(file)) < file.size:
        try:
            partial.append(file, _rest(hub, file, before), source=HUB)
        except ModelStoreError:
            if partial.have(file) <= before:
                raise


def _rest(hub: Hub, file: ModelFile, start: int) -> Iterator[bytes]:
    import httpx
    from huggingface_hub import get_session

    headers = HEADERS | ({"range": f"bytes={start}-"} if start else {})
    request = get_session().stream("GET", _url(hub, file), headers=headers, timeout=_STALLED_S)
    with network_errors(), request as response:
        response.raise_for_status()
        # A server or proxy may send the whole file in place of the rest.
        unwanted = 0 if response.status_code == httpx.codes.PARTIAL_CONTENT else start
        for chunk in response.iter_bytes(CHUNK):
            yield chunk[unwanted:]
            unwanted = max(0, unwanted - len(chunk))


def _url(hub: Hub, file: ModelFile) -> str:
    from huggingface_hub import hf_hub_url

    return hf_hub_url(hub.hub, file.path, revision=hub.revision, endpoint=os.environ.get("HF_ENDPOINT") or None)


@contextmanager
def network_errors() -> Iterator[None]:
    """Turn what goes wrong on the way to the hub into a `ModelStoreError`."""
    import httpx
    from huggingface_hub.errors import OfflineModeIsEnabled

    try:
        yield
    except OfflineModeIsEnabled as error:
        raise ModelStoreError(f"{HUB} is switched off (HF_HUB_OFFLINE)") from error
    except httpx.HTTPStatusError as error:
        raise ModelStoreError(f"{HUB} answered {error.response.status_code}") from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, ImportError) as error:
        raise ModelStoreError(f"{HUB} can't be reached") from error
