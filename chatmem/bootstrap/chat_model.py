"""The chat model, with the server of the built-in models behind it."""

from contextlib import ExitStack
from pathlib import Path

from chatmem.adapters.litellm.chat_model import LitellmChatModel
from chatmem.adapters.llamacpp.server import BuiltinServer
from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.config.paths import Paths
from chatmem.config.schema import Settings
from chatmem.domain.errors import ProviderError
from chatmem.ports.keys import Keys
from chatmem.ports.model_store import ModelEntry


def chat_model_of(
    settings: Settings, places: Paths, store: FolderModelStore, keys: Keys, closing: ExitStack
) -> LitellmChatModel:
    """The chat model, with the server of the built-in models behind it."""
    server = BuiltinServer(
        places.run,
        lambda name: fetched(store.entry(name)),
        context_tokens=settings.builtin.context_tokens,
        threads=settings.builtin.threads,
    )
    closing.callback(server.close)
    chat_model = LitellmChatModel(server.endpoint, keys=keys, builtin_context_tokens=settings.builtin.context_tokens)
    closing.callback(chat_model.close)
    return chat_model


def fetched(entry: ModelEntry) -> Path:
    """Where a built-in model lies.

    Raises:
        ProviderError: If it was not fetched yet.
    """
    if entry.path is None:
        raise ProviderError(f"The model {entry.name} is not on this machine yet: `chatmem models pull {entry.name}`.")
    return entry.path
