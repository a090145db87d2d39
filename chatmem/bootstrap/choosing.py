"""Which model does what: the one to talk to, the one that learns, and what each may consume in a day."""

from collections.abc import Callable
from urllib.parse import urlsplit

from chatmem.bootstrap.installation import Installation
from chatmem.config.schema import Settings
from chatmem.conversation import ModelDirectory
from chatmem.domain.budget import Budget
from chatmem.domain.model import BUILTIN, ModelChoice, ModelFacts, Usage
from chatmem.domain.turn import Session
from chatmem.ports.meter import Meter
from chatmem.ports.model_store import ModelStore

EMBEDDER = "minilm"
"""The model store's name of the built-in embedder."""

CHAT = frozenset({"chat"})
BACKGROUND = frozenset({"consolidation", "summary"})

_LOCAL = (BUILTIN, "ollama", "lm_studio/", "llamafile/")
"""How the names of models that compute on this machine begin."""

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Choosing:
    """Which model to talk to, which one learns and sums up, and whether today's budgets allow it.

    Args:
        directory: Resolves names.
        store: The built-in models.
        installation: What the command line said.
        settings: The roles, their budgets, and who extracts.
        meter: What was spent today.
        facts: What models cost.

    Attributes:
        current: The model in use; `None` while there is none.
    """

    def __init__(
        self,
        *,
        directory: ModelDirectory,
        store: ModelStore,
        installation: Installation,
        settings: Settings,
        meter: Meter,
        facts: Callable[[ModelChoice], ModelFacts],
    ) -> None:
        self._directory = directory
        self._store = store
        self._meter = meter
        self._facts = facts
        self._extractor = settings.consolidation.extractor
        self._background = settings.background.model
        self.budgets = {
            CHAT: Budget(tokens=settings.chat.tokens_per_day, usd=settings.chat.usd_per_day),
            BACKGROUND: Budget(tokens=settings.background.tokens_per_day, usd=settings.background.usd_per_day),
        }
        self._asked = settings.model if installation.names_model() else None
        self.current = directory.resolve(settings.model) if settings.model else self._here()

    def choose(self, session: Session | None = None) -> ModelChoice | None:
        """What was asked for, else what the session used, else the setting, else the built-in model if it is here."""
        if session and session.model and not self._asked:
            self.current = self._directory.resolve(session.model)
        return self.current

    def chat_budget(self, choice: ModelChoice) -> str:
        """What of the budget for chat is used up for this model, in words; empty while something is left.

        Asked before each answer, so it is here that a model is noted as the one in use.
        """
        self.current = choice
        return self._used_up(CHAT, choice)

    def learns(self) -> ModelChoice | None:
        """The model that draws memories, or `None` where rules do: by the setting, its weakness, or the budget."""
        choice = self._in_background()
        if self._extractor == "rules" or choice is None:
            return None
        if self._extractor == "auto" and choice.builtin and self._is_for_tests(choice.builtin):
            return None
        return None if self._used_up(BACKGROUND, choice) else choice

    def _is_for_tests(self, builtin: str) -> bool:
        """Whether a built-in model is too weak to learn, or none of the catalogue, which can't learn either."""
        return all(entry.purpose == "test" for entry in self._store.entries() if entry.name == builtin)

    def why_rules(self) -> str:
        """Why rules do what a model was to do, as a phrase; empty where the person wants rules, or a model does it."""
        choice = self._in_background()
        if self._extractor == "rules" or choice is None:
            return ""
        spent = self._used_up(BACKGROUND, choice)
        return f"today's budget of {spent} for background work is used up" if spent else ""

    def sums_up(self) -> ModelChoice | None:
        """The model that folds turns into the running summary; `None` when its budget is used up."""
        choice = self._in_background()
        return None if choice is None or self._used_up(BACKGROUND, choice) else choice

    def answers_here(self) -> bool:
        """Whether the model that answers computes on this machine."""
        return is_local(self.current)

    def learns_here(self) -> bool:
        """Whether the model that learns computes on this machine."""
        return is_local(self._in_background())

    def spent(self, purposes: frozenset[str]) -> Usage:
        """What a role consumed today."""
        return self._meter.spent_today(purposes)

    def _in_background(self) -> ModelChoice | None:
        return self._directory.resolve(self._background) if self._background else self.current

    def _used_up(self, purposes: frozenset[str], choice: ModelChoice) -> str:
        budget = self.budgets[purposes]
        if budget == Budget():
            return ""
        if self._is_free(choice):
            budget = Budget(tokens=budget.tokens)
        return budget.exceeded(self.spent(purposes))

    def _is_free(self, choice: ModelChoice) -> bool:
        facts = self._facts(choice)
        return is_local(choice) or (facts.prompt_usd == 0 and facts.completion_usd == 0)

    def _here(self) -> ModelChoice | None:
        here = (entry for entry in self._store.entries() if entry.purpose == "chat" and entry.path)
        return next((self._directory.resolve(entry.name) for entry in here), None)


def is_local(choice: ModelChoice | None) -> bool:
    """Whether a model computes on this machine."""
    if choice is None:
        return False
    if choice.api_base is None:
        return choice.model.startswith(_LOCAL)
    try:
        return urlsplit(choice.api_base).hostname in _LOOPBACK
    except ValueError:  # it is no address, and no model will answer there
        return False
