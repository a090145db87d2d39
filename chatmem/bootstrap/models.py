"""The models that can be talked to: those of the settings, of the store, and those that are found."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from chatmem.adapters.litellm import providers
from chatmem.adapters.litellm.chat_model import LitellmChatModel
from chatmem.adapters.litellm.cost_map import models_of
from chatmem.adapters.litellm.local_servers import LocalServers
from chatmem.adapters.llamacpp.server import BuiltinServer
from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.config.paths import Paths
from chatmem.config.schema import Settings
from chatmem.conversation import Known, ModelDirectory, Origin
from chatmem.domain.errors import ProviderError
from chatmem.domain.model import ModelChoice
from chatmem.ports.keys import Keys
from chatmem.ports.model_store import ModelEntry
from chatmem.ports.session_log import SessionLog


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


def directory_of(
    store: FolderModelStore, configured: Mapping[str, ModelChoice], chat_model: LitellmChatModel, log: SessionLog
) -> ModelDirectory:
    """The models at hand."""
    servers = LocalServers()
    known = Known(
        provider=lambda choice: providers.title(choice.model),
        note=lambda choice: providers.note(choice.model),
        facts=chat_model.facts,
        served=servers.served,
        models=models_of,
    )
    found = {Origin.SERVER: servers.running, Origin.KEY: providers.providers_in_environment}
    return ModelDirectory(store, configured, found, known, used=lambda most: log.models_used(limit=most))


def fetched(entry: ModelEntry) -> Path:
    """Where a built-in model lies.

    Raises:
        ProviderError: If it was not fetched yet.
    """
    if entry.path is None:
        raise ProviderError(f"The model {entry.name} is not on this machine yet: `chatmem models pull {entry.name}`.")
    return entry.path
