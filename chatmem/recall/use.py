"""What of that which was recalled an answer used, and how often each memory was of use.

To be shown is not to be used: a memory that comes up often and never serves should fade. An answer that rests on an
item repeats the words that only the item has; what it shares with the question tells nothing.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from chatmem.domain.memory import MemoryId
from chatmem.domain.recall import Recalled, Recollection, Source
from chatmem.domain.text import content_words
from chatmem.domain.turn import Turn, TurnId
from chatmem.ports.feedback import Feedback
from chatmem.ports.journal import Journal
from chatmem.recall.wording import akin

REPEATED = 0.3
"""Share of an item's own words that an answer which used it repeats: a name or a number out of three words or four."""

COUNTS_AGE = timedelta(minutes=1)
"""How old the counts may be that were read; other windows count uses too."""

Counts = Mapping[MemoryId, tuple[int, datetime]]
"""How often, and when last, each memory was used."""


class Uses:
    """Counts uses. Methods block, and may be called from any thread; all raise `StoreError` if a file fails."""

    def __init__(self, journal: Journal, feedback: Feedback) -> None:
        self._journal = journal
        self._feedback = feedback
        self._counts: dict[MemoryId, tuple[int, datetime]] = {}
        self._read_at: datetime | None = None

    def counts(self, now: datetime) -> Counts:
        """How often, and when last, each memory was used; not always the last minute's uses by other windows."""
        if self._read_at is None or now - self._read_at > COUNTS_AGE:
            self._counts, self._read_at = dict(self._journal.uses()), now
        return self._counts

    def answered(self, question: Turn, recollection: Recollection, reply: str, now: datetime) -> frozenset[str]:
        """Note what an answer used; returns the ids. Turns are noted too, but only memories have counts."""
        used = used_by(reply, question.text, recollection.items)
        self._feedback.save(question.id, recollection.tier, [item.id for item in used])
        self._count([MemoryId(item.id) for item in used if item.source.is_memory], now)
        return frozenset(item.id for item in used)

    def mark(self, turn_id: TurnId, item_id: str, now: datetime, *, used: bool, counts: bool) -> None:
        """Note the person's word on an item recalled for their turn; it stands in place of what the words told.

        Args:
            turn_id: The user's turn.
            item_id: The memory or the turn.
            now: The present.
            used: Whether it was of use.
            counts: Whether uses of it are counted: it is a memory.

        Raises:
            NotFoundError: If the item was not recalled for this turn.
        """
        before = self._feedback.used(turn_id).get(item_id, False)
        self._feedback.mark(turn_id, item_id, used=used)
        if counts and used and not before:
            self._count([MemoryId(item_id)], now)
        elif counts and before and not used:
            self._journal.take_back_use([MemoryId(item_id)])
            self._read_at = None

    def _count(self, ids: Collection[MemoryId], now: datetime) -> None:
        if ids:
            self._journal.note_use(list(ids), now)
        for id_ in ids:
            self._counts[id_] = (self._counts.get(id_, (0, now))[0] + 1, now)


def used_by(reply: str, question: str, items: Collection[Recalled]) -> list[Recalled]:
    """What an answer used of that which was put into its prompt; a standing instruction is followed, not repeated."""
    spoken = frozenset(content_words(reply))
    asked = frozenset(content_words(question))
    injected = [item for item in items if item.injected] if spoken else []
    return [item for item in injected if item.source is Source.PROCEDURE or repeats(item.text, spoken, asked)]


def repeats(text: str, spoken: Collection[str], asked: Collection[str]) -> bool:
    """Whether the words spoken repeat enough of those that a text has beyond the words asked."""
    own = _own_words(text, asked)
    return bool(own) and len(words_repeated(text, spoken, asked)) >= REPEATED * len(own)


def words_repeated(text: str, spoken: Collection[str], asked: Collection[str]) -> list[str]:
    """The words that a text has beyond those asked and that were spoken, in its order, each once."""
    return [word for word in _own_words(text, asked) if any(akin(word, other) for other in spoken)]


def _own_words(text: str, asked: Collection[str]) -> list[str]:
    """What a text has beyond the words asked; all of it where that is nothing."""
    content = list(dict.fromkeys(content_words(text)))
    return [word for word in content if not any(akin(word, other) for other in asked)] or content
