"""The embedder."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self, TypeVar

from chatmem.adapters.sentence_transformers.process import Child
from chatmem.domain.errors import EmbedderError
from chatmem.ports.embedder import Vector

logger = logging.getLogger(__name__)

_VISIBLE = 4_000
"""Characters of a text that are looked at. The model sees 256 tokens, about 1,200 characters of English."""

_CHUNK_TEXTS = 32
_CHUNK_CHARACTERS = 5_000
"""What is embedded at a time: another thread's short text waits for no more than this, 0.3 s."""

_T = TypeVar("_T")


class SentenceTransformersEmbedder:
    """Embeds texts in a child process, because torch holds the interpreter lock while it loads, and takes 500 MB.

    Vectors are `array("f")`: float32 at four bytes each, which numpy reads in place and `list` turns into floats.
    The process starts at the first `warm_up` or `embed`; when it died, the next call starts it anew, once. Callers
    take turns, in order of arrival, a chunk each. `close` ends the process at once and fails the calls that wait;
    without it, it ends when this process does.

    Attributes:
        model: Name of the model; vectors of different models are never compared.
        dimension: Length of its vectors; 0 before the model was first loaded, where it was not told.
    """

    def __init__(
        self, model_path: Callable[[], Path | None], *, model: str = "all-MiniLM-L6-v2", dimension: int = 384
    ) -> None:
        self.model = model
        self.dimension = dimension
        self._model_path = model_path
        # All talk to the child is in this one thread: a fair queue, where a lock could starve a waiter.
        self._line = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")
        self._child: Child | None = None
        self._loading: Future[Child] | None = None
        self._closed = False
        self._lock = Lock()

    def ready(self) -> bool:
        """Whether `embed` would answer at once. Does not block, loads nothing."""
        child = self._child
        return child is not None and child.loaded()

    def warm_up(self) -> None:
        """Load the model and return when it is ready.

        Raises:
            EmbedderError: If it can't be had here.
        """
        self._loading = self._submitted(self._running)
        try:
            self._loading.result()
        except CancelledError as error:
            raise _closed() from error

    def wait_ready(self, timeout_s: float) -> bool:
        """Wait for a load that is under way, at most so long; whether `embed` would then answer at once."""
        if self._loading is not None:
            with suppress(TimeoutError, CancelledError, EmbedderError):
                self._loading.result(timeout_s)
        return self.ready()

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts, in order; loads the model first where needed.

        Raises:
            EmbedderError: If the model can't be had or failed.
        """
        visible = [_visible(text) for text in texts]
        # Texts of like length together: little is wasted on padding (half as many texts again per second).
        order = sorted(range(len(visible)), key=lambda place: len(visible[place]))
        chunks = _chunks(visible[place] for place in order)
        vectors = (vector for chunk in chunks for vector in self._in_line(partial(self._answer, chunk)))
        placed = dict(zip(order, vectors, strict=True))
        return [placed[place] for place in range(len(visible))]

    def close(self) -> None:
        """End the child process; does nothing the second time."""
        with self._lock:
            self._closed = True
            if self._child is not None:
                self._child.kill()
        self._line.shutdown(cancel_futures=True)
        if self._child is not None:
            self._child.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _in_line(self, task: Callable[[], _T]) -> _T:
        try:
            return self._submitted(task).result()
        except CancelledError as error:
            raise _closed() from error

    def _submitted(self, task: Callable[[], _T]) -> Future[_T]:
        try:
            return self._line.submit(task)
        except RuntimeError as error:
            raise _closed() from error

    def _answer(self, texts: Sequence[str]) -> list[Vector]:
        try:
            return self._running().embed(texts)
        except EOFError:
            child = self._running()
        try:
            return child.embed(texts)
        except EOFError as error:
            raise EmbedderError("The embedder died twice over the same texts; is there enough memory?") from error

    def _running(self) -> Child:
        if self._child is not None:
            if self._child.loaded():
                return self._child
            logger.info("the embedder's process ended with code %s", self._child.close())
        child = self._start()
        try:
            dimension = child.load()
        except EOFError as error:
            raise self._died() from error
        self.dimension = self.dimension or dimension
        if dimension != self.dimension:
            child.close()
            raise EmbedderError(f"The embedding model makes vectors of {dimension}, not of {self.dimension} numbers.")
        return child

    def _start(self) -> Child:
        path = self._model_path()
        if path is None or not path.is_dir():
            raise EmbedderError("The embedding model is not on this machine; `chatmem models pull minilm` fetches it.")
        with self._lock:
            if self._closed:
                raise _closed()
            try:
                self._child = Child(path)
            except OSError as error:
                raise EmbedderError(f"The embedder could not be started: {error.strerror}.") from error
            return self._child

    def _died(self) -> EmbedderError:
        return (
            _closed() if self._closed else EmbedderError("The embedder died while it loaded; is there enough memory?")
        )


def _closed() -> EmbedderError:
    return EmbedderError("The embedder was closed.")


def _visible(text: str) -> str:
    # A lone surrogate can't be tokenised.
    return text[:_VISIBLE].encode("utf-8", "replace").decode()


def _chunks(texts: Iterable[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    length = 0
    for text in texts:
        if chunk and (len(chunk) == _CHUNK_TEXTS or length + len(text) > _CHUNK_CHARACTERS):
            yield chunk
            chunk, length = [], 0
        chunk.append(text)
        length += len(text)
    if chunk:
        yield chunk
