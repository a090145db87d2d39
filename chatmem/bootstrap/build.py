"""Opening the product, and closing it again."""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, Literal

from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.bootstrap.installation import Installation
from chatmem.bootstrap.product import Product
from chatmem.bootstrap.stand_ins import StandIns

if TYPE_CHECKING:
    from chatmem.bootstrap.embedders import OwnedEmbedder


@contextmanager
def open_product(
    installation: Installation,
    *,
    incognito: bool = False,
    extractor: Literal["rules", "model"] | None = None,
    stand_ins: StandIns | None = None,
) -> Iterator[Product]:
    """Open the product, mark what a killed one left unfinished, and close it again.

    Args:
        installation: What the command line said.
        incognito: Keep the session log in memory only.
        extractor: In place of the setting.
        stand_ins: In place of the usual implementations.

    Raises:
        SettingsError: If the settings are wrong.
        StoreError: If the profile's folder or its session log can't be opened.
    """
    with opened(installation, incognito=incognito, extractor=extractor, stand_ins=stand_ins) as product:
        product.conversations.close_interrupted()
        yield product


@contextmanager
def open_memories(installation: Installation) -> Iterator[Product]:
    """Open the product with all its memories in the store, which may have to be filled first after an upgrade.

    Raises:
        SettingsError: If the settings are wrong.
        StoreError: If something can't be opened, read or written.
    """
    with open_product(installation) as product:
        product.complete_indexes()
        product.finish_forgetting()
        yield product


@contextmanager
def opened(
    installation: Installation,
    *,
    incognito: bool = False,
    extractor: Literal["rules", "model"] | None = None,
    stand_ins: StandIns | None = None,
) -> Iterator[Product]:
    """The same, as fast as can be: nothing is built yet that the first screen does not show."""
    settings = installation.settings()
    if extractor:
        settings = settings.with_extractor(extractor)
    with ExitStack() as ending:
        product = Product(installation, settings, ending, incognito=incognito, stand_ins=stand_ins)
        try:
            yield product
        finally:
            product.end()


@contextmanager
def shared_embedder(installation: Installation) -> Iterator["OwnedEmbedder"]:
    """An embedder for several products that are opened one after another.

    Raises:
        SettingsError: If the settings are wrong.
    """
    from chatmem.adapters.keys import KeyFinder
    from chatmem.bootstrap.opening import embedder_of

    settings = installation.settings()
    store = FolderModelStore(installation.paths(settings).models)
    with closing(embedder_of(store, settings, KeyFinder())) as embedder:
        yield embedder
