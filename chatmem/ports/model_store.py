"""Downloadable models."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

Progress = Callable[[str, int, int], None]
"""Told what is being done, bytes done and bytes in all; may be called from any thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry:
    """A downloadable model.

    Attributes:
        name: What the person types.
        title: What it is, in a few words.
        purpose: `chat`, `embedding` or `test`.
        size: Bytes to download.
        licence: SPDX name.
        path: Where it lies: a file for a chat model, a folder for an embedder; `None` until it was pulled.
    """

    name: str
    title: str
    purpose: str
    size: int
    licence: str
    path: Path | None


class ModelStore(Protocol):
    """Keeps model files, checked by digest. Methods block, and may be called from any thread and process."""

    def entries(self) -> list[ModelEntry]:
        """All models of the catalogue, in its order."""
        ...

    def entry(self, name: str) -> ModelEntry:
        """One model of the catalogue.

        Raises:
            NotFoundError: If the catalogue has no such model.
        """
        ...

    def pull(self, name: str, progress: Progress) -> Path:
        """Fetch a model unless it is there, and return where it lies.

        Raises:
            NotFoundError: If the catalogue has no such model.
            ModelStoreError: If no source could be reached, a digest is wrong or the disk is full.
        """
        ...
