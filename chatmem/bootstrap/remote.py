"""The LanceDB elsewhere that the person configured."""

from functools import partial
from typing import TYPE_CHECKING

from chatmem.bootstrap.profiles import key_of
from chatmem.config.schema import RemoteSettings
from chatmem.ports.keys import Keys

if TYPE_CHECKING:
    from chatmem.adapters.lancedb.remote import RemoteStore


def remote_store(settings: RemoteSettings, keys: Keys) -> "RemoteStore | None":
    """The store that the settings name; `None` where they name none. Nothing is opened."""
    if not settings.uri:
        return None
    from chatmem.adapters.lancedb.remote import RemotePlace, RemoteStore

    source = key_of(settings)
    return RemoteStore(
        RemotePlace(
            uri=settings.uri,
            table=settings.table,
            key=partial(keys.key, source) if source else None,
            region=settings.region,
            endpoint=settings.endpoint,
            options=settings.options,
            wait_s=settings.wait_s,
        )
    )
