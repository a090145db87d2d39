"""Which embedder is asked: that of the vectors which are searched, whatever the settings want by now."""

import logging
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Protocol

from chatmem.domain.embedding import model_of
from chatmem.domain.errors import EmbedderError
from chatmem.ports.embedder import Embedder, Vector
from chatmem.ports.model_store import Progress

logger = logging.getLogger(__name__)


class OwnedEmbedder(Embedder, Protocol):
    """An embedder that may have to be fetched first, and must be closed."""

    def here(self) -> bool:
        """Whether its model is at hand. Loads nothing."""
        ...

    def fetch(self, progress: Progress) -> None:
        """Fetch its model unless it is here.

        Raises:
            ModelStoreError: If it could not be fetched.
        """
        ...

    def export_in_background(self) -> None:
        """Make a smaller copy of its model, where that can be; returns at once."""
        ...

    def wants_export(self) -> bool:
        """Whether `export` would take its time. Loads nothing."""
        ...

    def export(self) -> None:
        """Make the smaller copy now. Failure is only logged."""
        ...

    def close(self) -> None:
        """Let go of the model; does nothing the second time."""
        ...


class EmbedderInUse:
    """An `Embedder` that follows the indexes: while another one's vectors are searched, that one embeds.

    So a question is compared with vectors of its own model, what is learned gets vectors that can be searched, and
    what is forgotten leaves a code that can be compared, before, during and after a change of the embedder. Where the
    former embedder can't be had any more, there are no vectors until the indexes hold those of the wanted one.

    Attributes:
        wanted: The embedder of the settings.
    """

    def __init__(
        self,
        wanted: OwnedEmbedder,
        searched: Callable[[], tuple[str, int]],
        former: Callable[[str], OwnedEmbedder | None],
    ) -> None:
        """Keep what it asks; loads nothing.

        Args:
            wanted: The embedder of the settings.
            searched: Tells the model of the vectors that are searched, and how long they are; 0 if not known yet.
            former: The embedder of a model that was wanted once; `None` where it can't be had.
        """
        self.wanted = wanted
        self._searched = searched
        self._former = former
        self._kept: dict[str, OwnedEmbedder | None] = {}
        self._opening = Lock()

    @property
    def model(self) -> str:
        """Name of the model whose vectors are searched."""
        return self._searched()[0]

    @property
    def dimension(self) -> int:
        """Length of its vectors; 0 while that is not known."""
        current = self._current()
        return current.dimension if current else 0

    def here(self) -> bool:
        """Whether the model whose vectors are searched is at hand. Loads nothing."""
        current = self._current()
        return current is not None and current.here()

    def ready(self) -> bool:
        """Whether `embed` would answer at once. Does not block, loads nothing."""
        current = self._current()
        return current is not None and current.ready()

    def wait_ready(self, timeout_s: float) -> bool:
        """Wait for a load that is under way, at most so long; whether `embed` would then answer at once."""
        current = self._current()
        return current is not None and current.wait_ready(timeout_s)

    def warm_up(self) -> None:
        """Load the model whose vectors are searched, and return when it is ready.

        Raises:
            EmbedderError: If it can't be had here.
        """
        self._needed().warm_up()

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts, in order; loads the model first where needed.

        Raises:
            EmbedderError: If the model can't be had or failed.
        """
        vectors = self._needed().embed(texts)
        model, dimension = self._searched()
        for vector in vectors[:1]:
            if model == model_of(vector) and len(vector) != dimension > 0:
                raise EmbedderError(
                    f"{model} makes vectors of {len(vector)} numbers now, and the indexes hold such of {dimension}. "
                    "`chatmem doctor --repair` builds them anew."
                )
        return vectors

    def let_go_of_former(self) -> None:
        """Close the embedders whose vectors are searched no longer."""
        with self._opening:
            over = [model for model in self._kept if model != self.model]
            closing = [self._kept.pop(model) for model in over]
        for embedder in closing:
            if embedder is not None:
                embedder.close()

    def close(self) -> None:
        """Close those that were opened here; the wanted one is its owner's."""
        with self._opening:
            kept, self._kept = self._kept, {}
        for embedder in kept.values():
            if embedder is not None:
                embedder.close()

    def _current(self) -> OwnedEmbedder | None:
        model = self.model
        if model == self.wanted.model:
            return self.wanted
        with self._opening:
            if model not in self._kept:
                self._kept[model] = self._former(model) if model else None
            return self._kept[model]

    def _needed(self) -> OwnedEmbedder:
        if (current := self._current()) is None:
            of = f"of {self.model}, which can't be had here any more" if self.model else "not made yet"
            raise EmbedderError(f"The vectors that are searched are {of}; they are made anew in the background.")
        return current
