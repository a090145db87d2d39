"""Turning text into vectors."""

from collections.abc import Sequence
from typing import Protocol

from chatmem.domain.embedding import Vector

__all__ = ["Embedder", "Vector"]


class Embedder(Protocol):
    """Embeds texts. Methods block unless they say otherwise, and may be called from any thread.

    Each vector is an `Embedding` that names the model.
    """

    @property
    def model(self) -> str:
        """Name of the model; vectors of different models are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Length of its vectors; 0 while that is not known."""
        ...

    def ready(self) -> bool:
        """Whether `embed` would answer at once. Does not block, loads nothing."""
        ...

    def wait_ready(self, timeout_s: float) -> bool:
        """Wait for a load that is under way, at most so long; whether `embed` would then answer at once."""
        ...

    def warm_up(self) -> None:
        """Load the model and return when it is ready.

        Raises:
            EmbedderError: If it can't be had here.
        """
        ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts, in order; loads the model first where needed.

        Raises:
            EmbedderError: If the model can't be had or failed.
        """
        ...
