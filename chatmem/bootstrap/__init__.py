"""The composition root: settings -> adapters -> services -> consolidation thread -> app.

Only this package chooses implementations. Nothing heavy is imported here or when a service is built: each adapter loads
its library at its first use.
"""

from chatmem.bootstrap.build import open_memories, open_product, shared_embedder
from chatmem.bootstrap.choosing import EMBEDDER
from chatmem.bootstrap.installation import Installation
from chatmem.bootstrap.product import Product
from chatmem.bootstrap.run import run_app
from chatmem.bootstrap.stand_ins import StandIns

__all__ = [
    "EMBEDDER",
    "Installation",
    "Product",
    "StandIns",
    "open_memories",
    "open_product",
    "run_app",
    "shared_embedder",
]
