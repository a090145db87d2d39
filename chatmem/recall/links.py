"""Memories that others point to: one hop from what was found, and no further."""

from collections.abc import Collection, Mapping

from chatmem.domain.memory import Memory, MemoryId

LINK = 0.5
"""Share of a memory's score that those it links to get: they must bear on the question themselves, a little."""

LINKING = 5
"""Of the best memories, whose links are followed."""


def linked_to(memories: Collection[Memory], known: Collection[MemoryId]) -> list[MemoryId]:
    """The memories that these link to, those that are not known yet, each once."""
    ids = dict.fromkeys(link.to for memory in memories for link in memory.links)
    return [id_ for id_ in ids if id_ not in known]


def lifts(scores: Mapping[MemoryId, float], linking: Collection[Memory]) -> Mapping[MemoryId, float]:
    """What memories get from the best of those that link to them."""
    gained: dict[MemoryId, float] = {}
    for memory in linking:
        for link in memory.links:
            gained[link.to] = max(gained.get(link.to, 0.0), LINK * scores[memory.id])
    return gained
