"""What a measurement puts in the place of the usual implementations."""

from dataclasses import dataclass

from chatmem.bootstrap.embedders import OwnedEmbedder
from chatmem.ports.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIns:
    """Implementations to use in place of the usual ones; `None` for the usual one.

    Attributes:
        clock: Tells the time.
        embedder: Shared by several products, none of which closes it.
    """

    clock: Clock | None = None
    embedder: OwnedEmbedder | None = None
