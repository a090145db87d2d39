"""When an event was that a question names in place of a date."""

from collections.abc import Iterable
from datetime import datetime

from chatmem.domain.text import content_words, words
from chatmem.recall.events import Event
from chatmem.recall.memories import RankedMemory, happened_at
from chatmem.recall.turns import RankedTurn
from chatmem.recall.wording import akin


def moment_of(event: Event, memories: Iterable[RankedMemory], turns: Iterable[RankedTurn]) -> datetime | None:
    """When an event was, by the best of these that speaks of all of it; a memory knows better than a turn."""
    for memory in memories:
        if speaks_of(memory.memory.text, event):
            return happened_at(memory.memory)
    return next((turn.said.said_at for turn in turns if speaks_of(turn.said.text, event)), None)


def speaks_of(text: str, event: Event) -> bool:
    """Whether a text holds the words that name an event, in some form: the names in it, or else all of its words."""
    names = [word for word in event.name.split() if word[0].isupper()]
    spoken = words(text)
    return all(any(akin(name, word) for word in spoken) for name in content_words(" ".join(names) or event.name))
