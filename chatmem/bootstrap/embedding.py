"""The embedder in use: the exported model where there is one, else its original, until it has been exported."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock, Thread
from typing import Literal, TypeVar

from chatmem.adapters.onnx.embedder import OnnxEmbedder
from chatmem.adapters.onnx.exporter import Exporter
from chatmem.adapters.sentence_transformers.embedder import SentenceTransformersEmbedder
from chatmem.domain.embedding import embedding
from chatmem.domain.errors import EmbedderError
from chatmem.ports.embedder import Vector
from chatmem.ports.model_store import Progress

logger = logging.getLogger(__name__)

Backend = Literal["onnx", "torch"]

_Either = OnnxEmbedder | SentenceTransformersEmbedder
_T = TypeVar("_T")


class ChosenEmbedder:
    """Embeds with the exported model in this process, or with torch in another one.

    Both give vectors of one model, alike enough to lie in one index; so the one may take over from the other while
    the app runs.

    Attributes:
        model: Name of the model; vectors of different models are never compared.
    """

    def __init__(
        self,
        folder: Callable[[], Path | None],
        backend: Backend,
        *,
        model: str = "all-MiniLM-L6-v2",
        dimension: int = 384,
        pull: Callable[[Progress], object] | None = None,
        missing: str = "The embedding model is not on this machine; `chatmem models pull minilm` fetches it.",
    ) -> None:
        """Build both; nothing is loaded or started.

        Args:
            folder: Where the model lies; `None` while it was not fetched.
            backend: `torch`, or `onnx` to use the exported model as soon as there is one.
            model: Name of the model.
            dimension: Length of its vectors; 0 to ask the model.
            pull: Fetches it; `None` where nobody can.
            missing: What to tell the person while it is not here.
        """
        self._exporter = Exporter(folder)
        self._onnx = OnnxEmbedder(folder, model=model, dimension=dimension)
        self._torch = SentenceTransformersEmbedder(folder, model=model, dimension=dimension)
        self._exports = backend == "onnx"
        self._current: _Either | None = None
        self._choosing = Lock()
        self._folder = folder
        self._pull = pull
        self._missing = missing
        self.model = model

    @property
    def dimension(self) -> int:
        """Length of its vectors; 0 while that is not known."""
        return self._onnx.dimension or self._torch.dimension

    def here(self) -> bool:
        """Whether the model is on this machine. Loads nothing."""
        return self._folder() is not None

    def fetch(self, progress: Progress) -> None:
        """Fetch the model unless it is here.

        Raises:
            ModelStoreError: If it could not be fetched.
        """
        if self._pull is not None and not self.here():
            self._pull(progress)

    @property
    def backend(self) -> Backend | None:
        """Which of the two answers; `None` before anything was asked."""
        if self._current is None:
            return None
        return "onnx" if self._current is self._onnx else "torch"

    def ready(self) -> bool:
        """Whether `embed` would answer at once. Does not block, loads nothing."""
        current = self._current
        return current is not None and current.ready()

    def wait_ready(self, timeout_s: float) -> bool:
        """Wait for a load that is under way, at most so long; whether `embed` would then answer at once."""
        current = self._current
        return current is not None and current.wait_ready(timeout_s)

    def warm_up(self) -> None:
        """Load the model and return when it is ready: 0.3 s, or 5 s until it was exported.

        Raises:
            EmbedderError: If it can't be had here.
        """
        self._ask(lambda embedder: embedder.warm_up())

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts, in order; loads the model first where needed.

        Raises:
            EmbedderError: If the model can't be had or failed.
        """
        vectors = self._ask(lambda embedder: embedder.embed(texts))
        try:
            return [embedding(vector, self.model) for vector in vectors]
        except ValueError as error:
            raise EmbedderError(f"The embedding model {self.model} is damaged: {error}.") from error

    def wants_export(self) -> bool:
        """Whether `export` would take its time. Loads nothing."""
        return self._exports and self._exporter.wanted()

    def export(self) -> None:
        """Export the model unless that was done, and use it from then on; blocks for 20 s. Failure is only logged."""
        if self.wants_export():
            self._exporter.run()
        if self._exports and self._current is self._torch and self._onnx.exported():
            self._take_over()

    def export_in_background(self) -> None:
        """The same, without waiting for it; for the app, which lives long enough."""
        Thread(target=self.export, name="export", daemon=True).start()

    def close(self) -> None:
        """End the child processes; does nothing the second time."""
        self._exporter.close()
        self._torch.close()
        self._onnx.close()

    def _ask(self, question: Callable[[_Either], _T]) -> _T:
        if not self.here():
            raise EmbedderError(self._missing)
        current = self._current or self._chosen()
        try:
            return question(current)
        except EmbedderError:
            # A damaged export was thrown away; or torch was closed, because an export took over.
            other = self._chosen()
            if other is current:
                raise
            return question(other)

    def _chosen(self) -> _Either:
        with self._choosing:
            self._current = self._onnx if self._exports and self._onnx.exported() else self._torch
            return self._current

    def _take_over(self) -> None:
        try:
            self._onnx.warm_up()
        except EmbedderError as error:
            logger.warning("the exported embedder can't be used: %s", error)
            return
        with self._choosing:
            self._current = self._onnx
        self._torch.close()
