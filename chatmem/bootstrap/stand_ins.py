"""What a measurement puts in the place of the usual implementations."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chatmem.bootstrap.embedders import OwnedEmbedder
    from chatmem.domain.policy import Policy
    from chatmem.ports.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIns:
    """Implementations to use in place of the usual ones; `None` for the usual one.

    Attributes:
        clock: Tells the time.
        embedder: Shared by several products, none of which closes it.
        policy: How sensitive kinds are treated, whatever was set.
    """

    clock: "Clock | None" = None
    embedder: "OwnedEmbedder | None" = None
    policy: "Policy | None" = None
