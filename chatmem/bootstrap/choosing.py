"""Which model to talk to, and which one learns."""

from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.bootstrap.installation import Installation
from chatmem.config.schema import Settings
from chatmem.conversation import ModelDirectory
from chatmem.domain.model import BUILTIN, ModelChoice
from chatmem.domain.turn import Session

LOCAL = (BUILTIN, "ollama")
"""How the names of models that compute on this machine begin."""


class Choosing:
    """Which model to talk to, and which one learns.

    Attributes:
        current: The model in use; `None` while there is none.
    """

    def __init__(
        self, *, directory: ModelDirectory, store: FolderModelStore, installation: Installation, settings: Settings
    ) -> None:
        self._directory = directory
        self._store = store
        self._extractor = settings.consolidation.extractor
        self._asked = settings.model if installation.names_model() else None
        self.current = directory.resolve(settings.model) if settings.model else self._here()

    def choose(self, session: Session | None = None) -> ModelChoice | None:
        """What was asked for, else what the session used, else the setting, else the built-in model if it is here."""
        if session and session.model and not self._asked:
            self.current = self._directory.resolve(session.model)
        return self.current

    def learns(self) -> ModelChoice | None:
        """The model that draws memories, or `None` where rules do: by the setting, or because the model is too weak."""
        choice = self.current
        if self._extractor == "rules" or choice is None:
            return None
        if self._extractor == "auto" and choice.builtin and self._store.entry(choice.builtin).purpose == "test":
            return None
        return choice

    def is_local(self) -> bool:
        """Whether the model in use computes on this machine."""
        return self.current is not None and self.current.model.startswith(LOCAL)

    def _here(self) -> ModelChoice | None:
        here = (entry for entry in self._store.entries() if entry.purpose == "chat" and entry.path)
        return next((self._directory.resolve(entry.name) for entry in here), None)
