"""Finding models by a few letters of their names."""

import asyncio
import re
from collections.abc import Sequence

from textual.suggester import Suggester

from chatmem.conversation import Listed, ModelDirectory


def found(models: Sequence[Listed], query: str) -> list[int]:
    """Places of the models in which every word of a query occurs, best first; its letters may have gaps.

    A word counts most at the beginning of a word of the model's name, then within one, then with gaps, the fewer the
    better. Linear in the names' length, so that hundreds of models are searched between two keys.
    """
    terms = [_Term(word) for word in query.lower().split()]
    scored = []
    for place, model in enumerate(models):
        scores = [term.score(model.choice.name.lower(), f"{model.provider} {model.note}".lower()) for term in terms]
        if all(scores):
            scored.append((-sum(scores), place))
    return [place for _, place in sorted(scored)]


class _Term:
    def __init__(self, word: str) -> None:
        self._word = word
        self._at_start = re.compile(rf"(?:^|[\W_]){re.escape(word)}")
        self._with_gaps = re.compile(".*?".join(re.escape(letter) for letter in word))

    def score(self, name: str, about: str) -> float:
        """How well the word is found; 0 if it is not."""
        if self._at_start.search(name):
            return 4 + len(self._word) / len(name)
        if self._word in name:
            return 3 + len(self._word) / len(name)
        if gaps := self._with_gaps.search(name):
            return 1 + len(self._word) / (gaps.end() - gaps.start())
        return 0.5 if self._word in about else 0


class ModelSuggester(Suggester):
    """Completes the name of a model as it is typed, once its provider is."""

    def __init__(self, models: ModelDirectory) -> None:
        super().__init__(case_sensitive=True)
        self._models = models

    async def get_suggestion(self, value: str) -> str | None:
        """The first name that goes on like this."""
        names = await asyncio.to_thread(self._models.beginning, value)
        return next((value + name[len(value) :] for name in names), None)
