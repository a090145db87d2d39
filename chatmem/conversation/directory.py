"""The models at hand, under the names by which a person picks them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from chatmem.domain.errors import UsageError
from chatmem.domain.model import BUILTIN, ModelChoice, ModelFacts
from chatmem.ports.model_store import ModelStore

OWN = "Your profiles"
BUILT_IN = "Built in"
_LAST_USED = 8


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
        provider: The heading it stands under (`OpenAI`, `Ollama`, `Built in`, `Your profiles`).
        note: What to know before picking it: its size, whether it must be fetched first.
        fetch: Name in the model store of what must be fetched first; `None` when nothing must.
        facts: Context, prices and abilities, as far as they are known; `None` if nothing is.
        used: Whether a session talked to it lately.
    """

    choice: ModelChoice
    origin: Origin
    provider: str = ""
    note: str = ""
    fetch: str | None = None
    facts: ModelFacts | None = None
    used: bool = False


def _prefix(choice: ModelChoice) -> str:
    return choice.model.partition("/")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of models without asking anybody.

    Attributes:
        provider: What people call the provider of a model.
        note: What a person has to do before it answers; empty for nothing.
        facts: Context, prices and abilities; may block while it is read from disk.
        served: The model of a name such as `llama.cpp/NAME`, for a server on this machine; `None` for other names.
        models: The models of a provider by litellm's prefix for it, as `prefix/model`, whether its key is there or not.
    """

    provider: Callable[[ModelChoice], str] = _prefix
    note: Callable[[ModelChoice], str] = lambda _: ""
    facts: Callable[[ModelChoice], ModelFacts | None] = lambda _: None
    served: Callable[[str], ModelChoice | None] = lambda _: None
    models: Callable[[str], Iterable[str]] = lambda _: ()


class ModelDirectory:
    """Lists models and resolves names. Methods block, and may be called from any thread.

    Args:
        store: The built-in models.
        configured: The person's own, by name.
        found: Functions that look for others; each may take as long as its own time limit.
        known: What is known of models.
        used: Names of the models that sessions talked to, the one last used first, at most so many.
    """

    def __init__(
        self,
        store: ModelStore,
        configured: Mapping[str, ModelChoice],
        found: Mapping[Origin, Callable[[], Iterable[ModelChoice]]],
        known: Known | None = None,
        used: Callable[[int], Iterable[str]] = lambda _: (),
    ) -> None:
        self._store = store
        self._configured = configured
        self._found = found
        self._known = known or Known()
        self._used = used

    def configure(self, configured: Mapping[str, ModelChoice]) -> None:
        """Know other models of the person's own from now on."""
        self._configured = configured

    def listed(self, *, everywhere: bool = True) -> list[Listed]:
        """Every model at hand: those last used first, then the others, those of one provider together.

        Args:
            everywhere: Whether to ask the servers on this machine too, which takes as long as their time limit.
        """
        models = [*self._own(), *self._builtin()]
        for origin, find in self._found.items():
            if everywhere or origin is not Origin.SERVER:
                models += [self._described(choice, origin) for choice in find()]
        return self._last_used_first(_together(models))

    def beginning(self, text: str) -> list[str]:
        """Names of models, as litellm writes them, that begin with a text; with nothing to tell the provider, none."""
        prefix, slash, _ = text.partition("/")
        names = self._known.models(prefix.lower()) if slash else ()
        return [name for name in names if name.lower().startswith(text.lower())]

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
        return self._known.served(name) or ModelChoice(name=name, model=name)

    def _own(self) -> list[Listed]:
        return [
            replace(self._described(choice, Origin.SETTINGS), provider=OWN, note=choice.model)
            for choice in self._configured.values()
        ]

    def _builtin(self) -> list[Listed]:
        return [
            Listed(
                choice=(choice := ModelChoice(name=BUILTIN + entry.name, model=BUILTIN + entry.name)),
                origin=Origin.BUILTIN,
                provider=BUILT_IN,
                note=f"{entry.size / 1e6:,.0f} MB {'here' if entry.path else 'to fetch'}: {entry.title}",
                fetch=None if entry.path else entry.name,
                facts=self._known.facts(choice),
            )
            for entry in self._store.entries()
            if entry.purpose in {"chat", "test"}
        ]

    def _described(self, choice: ModelChoice, origin: Origin) -> Listed:
        known = self._known
        return Listed(
            choice=choice,
            origin=origin,
            provider=known.provider(choice),
            note=known.note(choice),
            facts=known.facts(choice),
        )

    def _last_used_first(self, models: list[Listed]) -> list[Listed]:
        place = {name: number for number, name in enumerate(self._used(_LAST_USED))}
        used = [replace(model, used=True) for model in models if model.choice.name in place]
        used.sort(key=lambda model: place[model.choice.name])
        return used + [model for model in models if model.choice.name not in place]


def to_begin_with(models: Iterable[Listed]) -> list[Listed]:
    """The same, but of each provider whose key was found only the first: the one to begin with."""
    kept: list[Listed] = []
    for model in models:
        if model.origin is not Origin.KEY or all(model.provider != other.provider for other in kept):
            kept.append(model)
    return kept


def _together(models: list[Listed]) -> list[Listed]:
    """Those of one provider together, providers in the order in which they first come; each name once."""
    by_name: dict[str, Listed] = {}
    for model in models:
        by_name.setdefault(model.choice.name, model)
    order: dict[str, int] = {}
    for model in by_name.values():
        order.setdefault(model.provider, len(order))
    return sorted(by_name.values(), key=lambda model: order[model.provider])
