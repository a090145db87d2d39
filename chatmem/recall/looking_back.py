"""All memories as they stood at a moment of the past: what was known then, or said by then, and held."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from chatmem.domain.memory import Memory, Relation, Status
from chatmem.ports.journal import Journal
from chatmem.recall.showing import held


def looked_back(journal: Journal, moment: datetime) -> list[Memory]:
    """What held at a moment, worded as it was then; the one changed longest ago first. Blocks.

    What was said by then and learned only later, as from an import, is told in its present words.

    Raises:
        StoreError: If the journal could not be read.
    """
    known = {memory.id: memory for memory in journal.as_of(moment)}
    later = [memory for memory in journal.latest() if memory.id not in known and _said(memory) <= moment]
    beside = [as_it_stood(memory, moment) for memory in later if known.keys().isdisjoint(_made_from(memory))]
    return [memory for memory in (*known.values(), *beside) if held(memory, moment)]


def _said(memory: Memory) -> datetime:
    """When the words that a memory rests on were first said."""
    return min((quote.said_at for quote in memory.quotes), default=memory.created_at)


def _made_from(memory: Memory) -> Iterator[str]:
    """The memories that it was merged or split from: where these are listed, it says nothing that they do not."""
    return (link.to for link in memory.links if link.relation is Relation.DERIVED_FROM)


def as_it_stood(memory: Memory, moment: datetime) -> Memory:
    """A memory whose end, if that came later, nobody knew of."""
    if memory.status is Status.SUPERSEDED and held(memory, moment):
        return replace(memory, status=Status.ACTIVE, valid_to=None, superseded_by=None)
    return memory
