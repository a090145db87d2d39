"""The embedder of a name: the built-in one, until there are others."""

from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.bootstrap.embedders import OwnedEmbedder
from chatmem.bootstrap.embedding import ChosenEmbedder
from chatmem.config.schema import Settings
from chatmem.ports.keys import Keys

EMBEDDER = "minilm"
"""The model store's name of the built-in embedder."""

_MODEL = "all-MiniLM-L6-v2"
_DIMENSION = 384


def embedder_of(store: FolderModelStore, settings: Settings, keys: Keys) -> OwnedEmbedder:
    """The embedder that the settings ask for; nothing is loaded."""
    return ChosenEmbedder(
        lambda: store.entry(EMBEDDER).path,
        settings.embedding.backend,
        model=_MODEL,
        dimension=_DIMENSION,
        pull=lambda progress: store.pull(EMBEDDER, progress),
    )


def former_embedder(model: str, store: FolderModelStore, settings: Settings, keys: Keys) -> OwnedEmbedder | None:
    """The embedder of a model that the settings asked for once; `None` where it can't be had."""
    return embedder_of(store, settings, keys) if model == _MODEL else None
