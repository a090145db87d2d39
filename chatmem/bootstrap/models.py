"""The models that can be talked to: those of the settings, of the store, and those that are found."""

from collections.abc import Callable, Mapping

from chatmem.adapters.litellm import providers
from chatmem.adapters.litellm.cost_map import models_of
from chatmem.adapters.litellm.local_servers import LocalServers
from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.conversation import Known, ModelDirectory, Origin
from chatmem.domain.model import ModelChoice, ModelFacts
from chatmem.ports.session_log import SessionLog


def directory_of(
    store: FolderModelStore,
    configured: Mapping[str, ModelChoice],
    facts: Callable[[ModelChoice], ModelFacts],
    log: SessionLog,
) -> ModelDirectory:
    """The models at hand."""
    servers = LocalServers()
    known = Known(
        provider=lambda choice: providers.title(choice.model),
        note=lambda choice: providers.note(choice.model),
        facts=facts,
        served=servers.served,
        models=models_of,
    )
    found = {Origin.SERVER: servers.running, Origin.KEY: providers.providers_in_environment}
    return ModelDirectory(store, configured, found, known, used=lambda most: log.models_used(limit=most))
