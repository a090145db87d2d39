"""A model store that makes its models up."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from chatmem.domain.errors import ModelStoreError, NotFoundError
from chatmem.ports.model_store import ModelEntry, Progress


def an_entry(name: str = "tiny-chat", purpose: str = "chat", size: int = 9) -> ModelEntry:
    return ModelEntry(name=name, title=f"The {name} model", purpose=purpose, size=size, licence="Apache-2.0", path=None)


class Bar:
    """A progress bar that remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int, int]] = []

    def __call__(self, text: str, done: int, total: int) -> None:
        self.told.append((text, done, total))


class FakeModelStore:
    """Writes as many bytes as a model has, in place of fetching it.

    Attributes:
        root: The folder of the models.
        error: When set, `pull` raises a `ModelStoreError` that says this, unless the model is there.
        pulled: The names that were fetched, in order.
    """

    def __init__(self, root: Path, entries: Sequence[ModelEntry] | None = None) -> None:
        self.root = root
        self.error: str | None = None
        self.pulled: list[str] = []
        if entries is None:
            entries = [an_entry("tiny-embedder", "embedding"), an_entry(), an_entry("tiny-test", "test")]
        self._entries = {entry.name: entry for entry in entries}

    def entries(self) -> list[ModelEntry]:
        return [self.entry(name) for name in self._entries]

    def entry(self, name: str) -> ModelEntry:
        if name not in self._entries:
            raise NotFoundError(f"There is no model called {name!r}.")
        path = self._path(name)
        return replace(self._entries[name], path=path if path.exists() else None)

    def pull(self, name: str, progress: Progress) -> Path:
        entry = self.entry(name)
        if entry.path is None:
            if self.error is not None:
                raise ModelStoreError(self.error)
            self._write(entry, progress)
        return self._path(name)

    def _path(self, name: str) -> Path:
        folder = self.root / name
        return folder if self._entries[name].purpose == "embedding" else folder / "model.gguf"

    def _write(self, entry: ModelEntry, progress: Progress) -> None:
        folder = self.root / entry.name
        folder.mkdir(parents=True, exist_ok=True)
        for done in (0, entry.size // 2, entry.size):
            progress(f"Fetching {entry.name}", done, entry.size)
        (folder / "model.gguf").write_bytes(bytes(entry.size))
        self.pulled.append(entry.name)
