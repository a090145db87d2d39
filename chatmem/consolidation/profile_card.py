"""The profile card: what is known of the user, on one page, in blocks of limited length."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from chatmem.domain.memory import Kind, Memory, Status
from chatmem.ports.memory_store import MemoryFilter, MemoryStore

LIMIT = 2000
"""Characters of a card, as of the block about the human in Letta (github.com/letta-ai/letta)."""

NEWEST = 2000
"""Memories that are looked at, the newest; older ones that were of use are told again."""

_CHARACTERS = 4
"""Of a token, about."""

CURRENT, PREFERENCES, PATTERNS = "Current context", "Preferences", "Patterns"
RELATIONSHIPS, GOALS = "Relationships", "Goals"

SECTIONS: Mapping[str, frozenset[str]] = {
    CURRENT: frozenset(
        {"name", "age", "birthday", "origin", "home", "occupation", "employer", "project", "health", "allergy"}
        | {"language", "equipment", "finance"}
    ),
    PREFERENCES: frozenset({"likes", "dislikes", "diet"}),
    PATTERNS: frozenset({"habit", "hobby"}),
    RELATIONSHIPS: frozenset({"relationship", "family", "pet"}),
    GOALS: frozenset({"goal"}),
}
"""The slots of each block, in the order of the card."""

LIMITS: Mapping[str, int] = {CURRENT: 1000, PREFERENCES: 1500, PATTERNS: 1000, RELATIONSHIPS: 1000, GOALS: 1000}
"""Characters of each block, as of the blocks about a task and about preferences in Letta."""

DESCRIPTIONS: Mapping[str, str] = {
    CURRENT: "Who you are, where you live, what you do",
    PREFERENCES: "What you like, and how you want things done",
    PATTERNS: "What you do again and again",
    RELATIONSHIPS: "The people and animals around you",
    GOALS: "What you want to reach",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One part of the card.

    Attributes:
        limit: Of its characters.
        memories: What it says, what matters most first.
    """

    name: str
    limit: int
    memories: tuple[Memory, ...] = ()

    @property
    def text(self) -> str:
        """Its lines, each a memory."""
        return "\n".join(map(_line, self.memories))


def blocks(memories: Iterable[Memory], limit: int = LIMIT) -> tuple[Block, ...]:
    """What is known of the user, by blocks, in the order of the card; those of which nothing is known are empty.

    Facts in use are taken, and procedures; of what does not fit, what matters least is left out: pinned ones come
    first, then the more important, then the newer. Memories that wait, or are in doubt, are not on it.

    Args:
        memories: All that may be on it.
        limit: Characters of the whole card.
    """
    chosen = {name: Block(name=name, limit=LIMITS[name]) for name in SECTIONS}
    for memory in sorted(memories, key=_rank):
        name = _section(memory)
        if name is None or any(_line(memory) == _line(other) for other in chosen[name].memories):
            continue
        grown = Block(name=name, limit=LIMITS[name], memories=(*chosen[name].memories, memory))
        tried = {**chosen, name: grown}
        if len(grown.text) <= grown.limit and len(written(tried.values())) <= limit:
            chosen = tried
    return tuple(chosen.values())


def card_memories(store: MemoryStore, tokens: int) -> list[Memory]:
    """What the card says in about so many tokens, by blocks, for a prompt; instructions reach it by themselves.

    Raises:
        StoreError: If the store could not be read.
    """
    facts = store.select(MemoryFilter(kind=Kind.FACT, status=Status.ACTIVE), limit=NEWEST)
    return [memory for block in blocks(facts, tokens * _CHARACTERS) for memory in block.memories]


def profile_card(memories: Iterable[Memory], limit: int = LIMIT) -> str:
    """What is known of the user, by blocks, in at most `limit` characters; empty where nothing is."""
    return written(blocks(memories, limit))


def written(card: Iterable[Block]) -> str:
    """A card as it is read, without the blocks that are empty."""
    return "\n\n".join(f"{block.name}\n{block.text}" for block in card if block.memories)


def _section(memory: Memory) -> str | None:
    """Where a memory stands on the card; `None` where it does not belong there."""
    if memory.status is not Status.ACTIVE or memory.doubt:
        return None
    if memory.kind is Kind.PROCEDURE:
        return PREFERENCES
    if memory.kind is not Kind.FACT:
        return None
    if memory.subject.casefold() != "user":
        return RELATIONSHIPS
    return next((section for section, slots in SECTIONS.items() if memory.slot in slots), None)


def _rank(memory: Memory) -> tuple[bool, float, float, str]:
    return not memory.pinned, -memory.importance, -memory.valid_from.timestamp(), memory.id


def _line(memory: Memory) -> str:
    return f"- {' '.join(memory.text.split())}"
