"""The composition root: settings -> adapters -> services -> consolidation thread -> app.

Only this package chooses implementations. Nothing heavy is imported here or when a service is built: each adapter loads
its library at its first use.
"""

from chatmem.bootstrap.build import open_product
from chatmem.bootstrap.installation import Installation
from chatmem.bootstrap.product import EMBEDDER, Product
from chatmem.bootstrap.run import run_app

__all__ = ["EMBEDDER", "Installation", "Product", "open_product", "run_app"]
