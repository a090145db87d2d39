"""An embedder that has to be fetched."""

from chatmem.domain.errors import ModelStoreError
from chatmem.ports.model_store import Progress
from tests.fakes.embedder import FakeEmbedder


class FakeOwnedEmbedder(FakeEmbedder):
    """A `FakeEmbedder` with a model that may be elsewhere.

    Attributes:
        is_here: Whether its model is at hand.
        away: When set, `fetch` raises a `ModelStoreError` that says this.
        closed: Whether it was closed.
    """

    def __init__(self, *, model: str = "fake", dimension: int = 64, ready: bool = False, here: bool = True) -> None:
        super().__init__(model=model, dimension=dimension, ready=ready)
        self.is_here = here
        self.away: str | None = None
        self.closed = False

    def here(self) -> bool:
        return self.is_here

    def fetch(self, progress: Progress) -> None:
        if self.away is not None:
            raise ModelStoreError(self.away)
        progress("Fetching", 1, 2)
        self.is_here = True

    def export_in_background(self) -> None:
        """There is nothing to export."""

    def wants_export(self) -> bool:
        return False

    def export(self) -> None:
        """There is nothing to export."""

    def close(self) -> None:
        self.closed = True
