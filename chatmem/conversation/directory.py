"""The models at hand, under the names by which a person picks them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from chatmem.domain.errors import UsageError
from chatmem.domain.model import BUILTIN, ModelChoice
from chatmem.ports.model_store import ModelStore


class Origin(StrEnum):
    """Why a model is at hand."""

    SETTINGS = "your settings"
    BUILTIN = "built in"
    SERVER = "running here"
    KEY = "key in the environment"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A model that can be picked.

    Attributes:
        note: What to know before picking it: its size, whether it must be fetched first.
        fetch: Name in the model store of what must be fetched first; `None` when nothing must.
    """

    choice: ModelChoice
    origin: Origin
    note: str = ""
    fetch: str | None = None


class ModelDirectory:
    """Lists models and resolves names. Methods block, and may be called from any thread.

    Args:
        store: The built-in models.
        configured: The person's own, by name.
        found: Functions that look for others; each may take as long as its own time limit.
    """

    def __init__(
        self,
        store: ModelStore,
        configured: Mapping[str, ModelChoice],
        found: Mapping[Origin, Callable[[], Iterable[ModelChoice]]],
    ) -> None:
        self._store = store
        self._configured = configured
        self._found = found

    def listed(self) -> list[Listed]:
        """Every model at hand: the person's own, the built-in ones, then what was found."""
        models = [
            Listed(choice=choice, origin=Origin.SETTINGS, note=choice.model) for choice in self._configured.values()
        ]
        models += self._builtin()
        for origin, find in self._found.items():
            models += [Listed(choice=choice, origin=origin) for choice in find()]
        return models

    def resolve(self, name: str) -> ModelChoice:
        """The model of a name: one of the person's own, of the catalogue, or `provider/model` as litellm writes it.

        Raises:
            UsageError: If the name is empty.
        """
        name = name.strip()
        if not name:
            raise UsageError("A model needs a name. `chatmem models list` shows what there is.")
        if name in self._configured:
            return self._configured[name]
        if name in {entry.name for entry in self._store.entries()}:
            name = BUILTIN + name
        return ModelChoice(name=name, model=name)

    def _builtin(self) -> list[Listed]:
        return [
            Listed(
                choice=ModelChoice(name=BUILTIN + entry.name, model=BUILTIN + entry.name),
                origin=Origin.BUILTIN,
                note=f"{entry.title}, {entry.size / 1e6:,.0f} MB" + ("" if entry.path else " to fetch"),
                fetch=None if entry.path else entry.name,
            )
            for entry in self._store.entries()
            if entry.purpose in {"chat", "test"}
        ]
