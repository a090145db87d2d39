"""Memories that say the same become one; what keeps coming up is suggested as a fact.

Clusters are those of DBSCAN (Ester et al. 1996) on the cosine distance with eps .3 and two points to a cluster, which
are then the connected parts of the graph of near pairs. That is a union of sets; no library is needed for it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from chatmem.consolidation.claims import measures
from chatmem.consolidation.reconcile import closed
from chatmem.consolidation.wording import contradict, stems
from chatmem.domain.change import Change
from chatmem.domain.memory import (
    Extractor,
    Kind,
    Link,
    Memory,
    MemoryId,
    Relation,
    Status,
    Wait,
    memory_id,
)
from chatmem.domain.text import content_words
from chatmem.domain.turn import TurnId

EPS = 0.3
"""Cosine distance up to which two memories are near."""

_DAYS = 3
"""On so many days something must have come up before it is suggested as a fact."""

_SUGGESTIONS = 2
_SHORTEST = 5
_QUOTES = 5
_REFLECTED = TurnId("reflected")


def clusters(ids: Sequence[MemoryId], near: Iterable[tuple[MemoryId, MemoryId]]) -> list[list[MemoryId]]:
    """The connected parts of a graph that have two members at least, in the order of `ids`."""
    part = {id_: id_ for id_ in ids}

    def root(id_: MemoryId) -> MemoryId:
        while part[id_] != id_:
            id_ = part[id_]
        return id_

    for one, other in near:
        part[root(other)] = root(one)
    members: defaultdict[MemoryId, list[MemoryId]] = defaultdict(list)
    for id_ in ids:
        members[root(id_)].append(id_)
    return [cluster for cluster in members.values() if len(cluster) > 1]


def merged(cluster: Sequence[Memory], now: datetime) -> list[Change]:
    """The changes that make one memory of those in a cluster that say no more than the fullest of them.

    The merged one has the words of the fullest and the quotes of all; the originals stay readable.
    """
    fullest = max(cluster, key=lambda one: (len(stems(one.text)), one.pinned, one.id))
    parts = [one for one in cluster if one is fullest or covers(fullest, one)]
    if len(parts) < 2:
        return []
    whole = united(parts, fullest, "They said the same.", now)
    return [
        Change(before=None, after=whole),
        *(Change(before=one, after=replace(closed(one, by=whole), updated_at=now)) for one in parts),
    ]


def united(parts: Sequence[Memory], fullest: Memory, reason: str, now: datetime) -> Memory:
    """One memory with the words of the fullest and all that the parts rest on.

    Args:
        parts: What it is made of.
        fullest: What it says, and all else that is not drawn from every part.
        reason: Why they are one, in words.
        now: When it is made.
    """
    ids = sorted(one.id for one in parts)
    quotes = {(quote.turn_id, quote.text): quote for one in parts for quote in one.quotes}
    links = {link.to: link for one in parts for link in one.links if link.to not in ids}
    links |= {id_: Link(to=id_, relation=Relation.DERIVED_FROM, reason=reason) for id_ in ids}
    return replace(
        fullest,
        id=memory_id(fullest.kind, fullest.text, TurnId("+".join(ids))),
        created_at=now,
        updated_at=now,
        valid_from=min(one.valid_from for one in parts),
        quotes=tuple(sorted(quotes.values(), key=lambda quote: quote.said_at)),
        importance=max(one.importance for one in parts),
        confidence=max(one.confidence for one in parts),
        pinned=any(one.pinned for one in parts),
        links=tuple(links.values()),
        tags=tuple(dict.fromkeys(tag for one in parts for tag in one.tags)),
    )


def covers(fuller: Memory, other: Memory) -> bool:
    """Whether a memory says all that another says, of the same subject and time, with nothing that sets them apart."""
    if (fuller.kind, fuller.subject.casefold(), fuller.event_date) != (
        other.kind,
        other.subject.casefold(),
        other.event_date,
    ):
        return False
    if fuller.sensitivity != other.sensitivity or fuller.expires_at != other.expires_at:
        return False
    return stems(other.text) <= stems(fuller.text) and not contradict(fuller.text, other.text)


def suggestions(episodes: Sequence[Memory], now: datetime) -> list[Memory]:
    """Facts that several episodes point to; each waits for the person, linked to the episodes it comes from."""
    told: defaultdict[str, list[Memory]] = defaultdict(list)
    for episode in episodes:
        for word in {_stem(word): word for word in content_words(episode.text) if _tells(word)}:
            told[word].append(episode)
    found = {word: those for word, those in told.items() if len(_days(those)) >= _DAYS}
    ranked = sorted(found.items(), key=lambda item: (-len(_days(item[1])), item[0]))
    return [_suggestion(_surface(word, those), those, now) for word, those in _distinct(ranked)[:_SUGGESTIONS]]


def _distinct(ranked: Sequence[tuple[str, list[Memory]]]) -> list[tuple[str, list[Memory]]]:
    """One word for each group of episodes."""
    groups: Mapping[frozenset[MemoryId], tuple[str, list[Memory]]] = {
        frozenset(one.id for one in those): (word, those) for word, those in reversed(ranked)
    }
    return list(reversed(list(groups.values())))


def _suggestion(word: str, episodes: Sequence[Memory], now: datetime) -> Memory:
    first = min(one.valid_from for one in episodes)
    quotes = sorted((quote for one in episodes for quote in one.quotes), key=lambda quote: quote.said_at)
    text = f"The user has spoken of {word} on {len(_days(episodes))} days since {first:%Y-%m-%d}."
    links = (Link(to=one.id, relation=Relation.DERIVED_FROM, reason=f"It speaks of {word}.") for one in episodes)
    return Memory(
        id=memory_id(Kind.FACT, f"spoken of {word}", _REFLECTED),
        kind=Kind.FACT,
        text=text,
        extractor=Extractor.RULES,
        created_at=now,
        updated_at=now,
        valid_from=first,
        quotes=tuple(quotes[-_QUOTES:]),
        status=Status.PENDING,
        waits_for=Wait.REVIEW,
        confidence=0.6,
        links=tuple(links),
        tags=(word,),
    )


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST and not measures(word)


def _stem(word: str) -> str:
    return next(iter(stems(word)), word)


def _surface(stem: str, episodes: Sequence[Memory]) -> str:
    spoken = [word for one in episodes for word in content_words(one.text) if _stem(word) == stem]
    return max(sorted(set(spoken)), key=spoken.count)


def _days(episodes: Sequence[Memory]) -> set[str]:
    return {f"{one.valid_from:%Y-%m-%d}" for one in episodes}
