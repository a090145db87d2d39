"""How a new memory hangs together with others: related ones, and those that rest on what has just changed."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chatmem.consolidation.claims import claims, measures
from chatmem.consolidation.reconcile import Neighbour
from chatmem.consolidation.wording import names, stems
from chatmem.domain.change import Change
from chatmem.domain.memory import Kind, Link, Memory, Relation, Status
from chatmem.domain.text import content_words, words

MOST_LINKS = 5
MOST_TAGS = 6

_ALIKE = 0.5
"""Cosine from which two memories are about one matter."""

_SHORTEST_TAG = 4
_WORK = r"colleagues?|boss|manager|office|shifts?|salary|commut\w+|(?:my|the) team|clients?|at work|from work"
_RESTING = {
    "home": r"commut\w+|neighbou?rs?|landlord|landlady|rent|local|nearby|my street|garden|balcony|tram|gym"
    r"|around the corner|from home|in front|walk to",
    "occupation": _WORK,
    "employer": _WORK,
    "diet": r"recipes?|cook\w*|dinners?|lunch\w*|breakfasts?|restaurants?|meals?|protein",
    "relationship": r"partner|wife|husband|girlfriend|boyfriend|wedding|in-laws|anniversary",
}
_RESTS = {root: re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE) for root, pattern in _RESTING.items()}
_CALLED = {"occupation": "job", "employer": "job"}


def linked(new: Memory, neighbours: Sequence[Neighbour]) -> Memory:
    """A new memory with links to the few memories it has most to do with, and with keywords.

    Args:
        new: The new memory; the links and keywords it has stay.
        neighbours: Memories near it.
    """
    known = {link.to for link in new.links}
    found = [
        (strength, link)
        for near in neighbours
        if near.memory.status is Status.ACTIVE and near.memory.id not in {new.id, *known}
        for strength, link in _link(new, near)
    ]
    found.sort(key=lambda scored: -scored[0])
    return replace(new, links=(*new.links, *(link for _, link in found[:MOST_LINKS])), tags=new.tags or keywords(new))


def keywords(memory: Memory) -> tuple[str, ...]:
    """The words that tell a memory from others, without its numbers and days: names first, then long words."""
    named = names(memory.text)
    found = [word for word in content_words(memory.text) if len(word) >= _SHORTEST_TAG and not measures(word)]
    ranked = sorted(dict.fromkeys(found), key=lambda word: (word not in named, -len(word)))
    return tuple(ranked[:MOST_TAGS])


def doubts(changes: Sequence[Change], memories: Sequence[Memory]) -> Iterator[Change]:
    """The memories that rest on what the changes superseded, and were told before that, as they are in doubt.

    Args:
        changes: What was just changed.
        memories: Those that hold, as they are after the changes.
    """
    since = {change.memory_id: change.memory.valid_from for change in changes}
    touched = Counter(change.memory_id for change in changes)
    for change in changes:
        root = change.before
        if root is None or change.memory.status is not Status.SUPERSEDED or not (matter := root_matter(root)):
            continue
        changed_at = since.get(change.memory.superseded_by or root.id, change.memory.valid_from)
        for memory in memories:
            if memory.id in touched or memory.doubt or memory.valid_from >= changed_at or not rests_on(memory, root):
                continue
            touched[memory.id] += 1
            yield Change(before=memory, after=replace(memory, doubt=f"The {matter} it rests on has changed."))


def rests_on(memory: Memory, root: Memory) -> bool:
    """Whether a memory may no longer hold when a root fact (home, job, diet, partner) changes."""
    slot = _root_slot(root)
    if slot is None or memory.kind is Kind.EPISODE or memory.status is not Status.ACTIVE:
        return False
    if memory.subject.casefold() != root.subject.casefold() or memory.slot == slot:
        return False
    value = claims(root.text, root.subject).get(slot, frozenset())
    return bool(_RESTS[slot].search(memory.text) or value & set(words(memory.text)))


def root_matter(memory: Memory) -> str:
    """The matter of a root fact in words; empty where the memory is none."""
    slot = _root_slot(memory)
    return _CALLED.get(slot, slot) if slot else ""


def _root_slot(memory: Memory) -> str | None:
    if memory.slot in _RESTS:
        return memory.slot
    return next((matter for matter in claims(memory.text, memory.subject) if matter in _RESTS), None)


def _link(new: Memory, near: Neighbour) -> Iterator[tuple[float, Link]]:
    other, alike = near.memory, near.similarity or 0.0
    if rests_on(new, other):
        yield 3.0, Link(to=other.id, relation=Relation.RESTS_ON, reason=f"It rests on the {root_matter(other)}.")
    elif shared := names(new.text) & (names(other.text) | set(words(other.text))):
        reason = f"Both speak of {', '.join(sorted(name.title() for name in shared))}."
        yield 2.0 + alike, Link(to=other.id, relation=Relation.RELATED, reason=reason)
    elif _same_turn(new, other):
        yield 1.0 + alike, Link(to=other.id, relation=Relation.RELATED, reason="They were said together.")
    elif alike >= _ALIKE and stems(new.text) & stems(other.text):
        yield alike, Link(to=other.id, relation=Relation.RELATED, reason="They are about one matter.")


def _same_turn(new: Memory, other: Memory) -> bool:
    return not {quote.turn_id for quote in new.quotes}.isdisjoint(quote.turn_id for quote in other.quotes)
