"""The profile card: what is known of the user, on one page."""

from collections.abc import Iterable, Mapping, Sequence

from chatmem.domain.memory import Kind, Memory, Status

LIMIT = 2000
"""Characters of a card, as of the block about the human in Letta (github.com/letta-ai/letta)."""

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
"""The slots of each section, in the order of the card."""


def profile_card(memories: Iterable[Memory], limit: int = LIMIT) -> str:
    """What is known of the user, by sections, in at most `limit` characters; empty where nothing is.

    Facts in use are taken, and procedures; of what does not fit, what matters least is left out: pinned ones come
    first, then the more important, then the newer. Memories that wait, or are in doubt, are not on it.
    """
    chosen: dict[str, list[str]] = {}
    for memory in sorted(memories, key=_rank):
        section = _section(memory)
        if section is None:
            continue
        line = f"- {' '.join(memory.text.split())}"
        tried = {**chosen, section: [*chosen.get(section, ()), line]}
        if line not in chosen.get(section, ()) and len(_written(tried)) <= limit:
            chosen = tried
    return _written(chosen)


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


def _written(lines: Mapping[str, Sequence[str]]) -> str:
    return "\n\n".join("\n".join((section, *lines[section])) for section in SECTIONS if lines.get(section))
