"""Embedding models behind litellm: those of providers, and of servers of one's own."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from threading import Lock
from time import monotonic
from typing import Any

from chatmem.adapters.litellm import library
from chatmem.adapters.litellm.failures import provider_error
from chatmem.adapters.litellm.route import Route, route
from chatmem.domain.embedding import embedding
from chatmem.domain.errors import EmbedderError, ProviderError
from chatmem.domain.model import Endpoint, ModelChoice
from chatmem.ports.embedder import Vector
from chatmem.ports.keys import Keys
from chatmem.ports.model_store import Progress

logger = logging.getLogger(__name__)

VISIBLE = 4_000
"""Characters of a text that are sent, as many as the local embedders look at."""

AT_ONCE = 32
LIMIT_S = 10.0
"""For one answer: a question waits for it."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 15.0, 600.0
"""After a failure nobody is asked for so long, so that recall goes on by words at once; twice as long each time."""


class LitellmEmbedder:
    """Embeds texts by asking a server. Methods block, and may be called from any thread.

    Attributes:
        model: Name of the model; vectors of different models are never compared.
        dimension: Length of its vectors; 0 before it was first asked.
    """

    def __init__(
        self,
        choice: ModelChoice,
        *,
        model: str,
        keys: Keys,
        limit_s: float = LIMIT_S,
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        """Keep whom to ask; asks nobody.

        Args:
            choice: The model, and how it is reached.
            model: What its vectors are known by.
            keys: Finds the key.
            limit_s: How long one answer may take, in seconds.
            first_pause_s: How long nobody is asked after a failure, in seconds.
        """
        self._choice = choice
        self._keys = keys
        self._limit_s = limit_s
        self._first_pause_s = first_pause_s
        self._pause_s = first_pause_s
        self._resting_until = 0.0
        self._loading = Lock()
        self.model = model
        self.dimension = 0

    def here(self) -> bool:
        """Nothing has to be fetched."""
        return True

    def fetch(self, progress: Progress) -> None:
        """Do nothing: nothing has to be fetched."""

    def wants_export(self) -> bool:
        """There is nothing to export."""
        return False

    def export(self) -> None:
        """Do nothing: there is nothing to export."""

    def export_in_background(self) -> None:
        """Do nothing: there is nothing to export."""

    def close(self) -> None:
        """Do nothing: nothing is held."""

    def ready(self) -> bool:
        """Whether it answered once and did not fail a moment ago. Does not block, asks nobody."""
        return self.dimension > 0 and monotonic() >= self._resting_until

    def wait_ready(self, timeout_s: float) -> bool:
        """Wait for the first answer, if it is on its way, at most so long; whether `embed` would be asked at once."""
        if self._loading.acquire(timeout=timeout_s):
            self._loading.release()
        return self.ready()

    def warm_up(self) -> None:
        """Ask for one vector, to know how long they are.

        Raises:
            EmbedderError: If the server can't be reached, or does not answer with vectors.
        """
        with self._loading:
            self._asked(["dimension"])

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts, in order.

        Raises:
            EmbedderError: If the server can't be reached, or does not answer with vectors.
        """
        visible = [text[:VISIBLE].encode("utf-8", "replace").decode().strip() or "." for text in texts]
        found: list[Vector] = []
        for at in range(0, len(visible), AT_ONCE):
            found += self._asked(visible[at : at + AT_ONCE])
        return found

    def _asked(self, texts: Sequence[str]) -> list[Vector]:
        try:
            vectors = self._checked(texts, self._answer(texts))
        except EmbedderError:
            self._resting_until = monotonic() + self._pause_s
            self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
            raise
        self._resting_until, self._pause_s = 0.0, self._first_pause_s
        return vectors

    def _answer(self, texts: Sequence[str]) -> Any:
        try:
            way = route(self._choice, _no_builtin, self._keys)
        except ProviderError as error:
            raise EmbedderError(str(error)) from error
        litellm = library.load()
        try:
            return litellm.embedding(**_arguments(way, texts, self._limit_s))
        except Exception as error:  # litellm raises what the providers' libraries raise
            said = asyncio.run(provider_error(error, way))
            logger.warning("the embedder could not be asked: %s", type(error).__name__)
            raise EmbedderError(str(said)) from error

    def _checked(self, texts: Sequence[str], answer: Any) -> list[Vector]:
        try:
            vectors = [embedding(list(map(float, values)), self.model) for values in _in_order(answer)]
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise EmbedderError(f"{self._choice.name} answered with something else than vectors.") from error
        if len(vectors) != len(texts):
            raise EmbedderError(f"{self._choice.name} answered {len(texts)} texts with {len(vectors)} vectors.")
        dimension = self.dimension or len(vectors[0])
        for vector in vectors:
            if len(vector) != dimension:
                raise EmbedderError(
                    f"{self._choice.name} makes vectors of {len(vector)} numbers now, not of {dimension}. "
                    "Another model answers there: `chatmem doctor --repair` builds the indexes anew with it."
                )
        self.dimension = dimension
        return list(vectors)


def _in_order(answer: Any) -> Iterator[Any]:
    for item in sorted(answer.data, key=lambda item: int(item["index"])):
        yield item["embedding"]


def _arguments(way: Route, texts: Sequence[str], limit_s: float) -> dict[str, Any]:
    given = {
        "model": way.model,
        "input": list(texts),
        "encoding_format": "float",
        "timeout": limit_s,
        "max_retries": 0,
        "drop_params": True,
        "api_base": way.api_base,
        "api_key": way.api_key,
        "extra_headers": dict(way.choice.parameters.headers) or None,
    }
    return {name: value for name, value in given.items() if value is not None}


def _no_builtin(name: str) -> Endpoint:
    raise ProviderError(f"The built-in model {name} makes no vectors; `embedding.model` wants an embedding model.")
