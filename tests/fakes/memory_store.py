"""The memory store and the turn index in memory: exact cosine, BM25 over stemmed words and CJK bigrams."""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from chatmem.domain.memory import Memory, MemoryId, Status
from chatmem.domain.outline import Outline, outlined
from chatmem.domain.recall import Match
from chatmem.domain.text import normalised, words
from chatmem.domain.turn import Turn, TurnId, indexed_text
from chatmem.ports.embedder import Vector
from chatmem.ports.memory_store import MemoryFilter

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ENDING = re.compile(r"(?:ing|ed|es|s|e)$")


def _terms(text: str) -> list[str]:
    terms: list[str] = []
    for word in words(_without_accents(text)):
        if _CJK.search(word):
            terms += [*word, *map("".join, pairwise(word))]
        else:
            terms.append(_ENDING.sub("", word) if len(word) > 4 else word)
    return terms


def _without_accents(text: str) -> str:
    bare = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare)


def _bm25(texts: dict[str, str], query: str) -> list[Match]:
    counts = {row_id: Counter(_terms(text)) for row_id, text in texts.items()}
    mean = sum(count.total() for count in counts.values()) / max(1, len(counts))
    scores: defaultdict[str, float] = defaultdict(float)
    for term in set(_terms(query)):
        having = [row_id for row_id, count in counts.items() if term in count]
        rarity = math.log(1 + (len(counts) - len(having) + 0.5) / (len(having) + 0.5))
        for row_id in having:
            often, length = counts[row_id][term], counts[row_id].total()
            scores[row_id] += rarity * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * length / mean))
    return [Match(id=row_id, value=score) for row_id, score in sorted(scores.items(), key=lambda item: -item[1])]


def _cosine(left: Vector, right: Vector) -> float:
    product = sum(a * b for a, b in zip(left, right, strict=True))
    return product / (math.hypot(*left) * math.hypot(*right) or 1.0)


def _nearest(vectors: dict[str, Vector | None], wanted: Vector) -> list[Match]:
    found = [Match(id=row_id, value=_cosine(vector, wanted)) for row_id, vector in vectors.items() if vector]
    return sorted(found, key=lambda match: -match.value)


@dataclass
class _Disk:
    """Texts that were written and not scrubbed away; what is erased stays until then."""

    live: dict[str, str] = field(default_factory=dict)
    stale: list[str] = field(default_factory=list)

    def write(self, row_id: str, text: str) -> None:
        self.drop(row_id)
        self.live[row_id] = text

    def drop(self, row_id: str) -> None:
        if row_id in self.live:
            self.stale.append(self.live.pop(row_id))

    def residue(self, needles: Sequence[str]) -> int:
        texts = [normalised(text) for text in (*self.live.values(), *self.stale)]
        wanted = {normalised(needle) for needle in needles} - {""}
        return sum(needle in text for needle in wanted for text in texts)


class FakeMemoryStore:
    """A `MemoryStore` without files."""

    def __init__(self) -> None:
        self._memories: dict[str, Memory] = {}
        self._vectors: dict[str, Vector | None] = {}
        self._disk = _Disk()

    def put(self, memories: Sequence[Memory], vectors: Sequence[Vector | None]) -> None:
        for memory, vector in zip(memories, vectors, strict=True):
            self._memories[memory.id] = memory
            self._vectors[memory.id] = vector
            self._disk.write(memory.id, "\n".join((memory.text, *(quote.text for quote in memory.quotes))))

    def get(self, ids: Sequence[MemoryId]) -> list[Memory]:
        return [self._memories[memory_id] for memory_id in dict.fromkeys(ids) if memory_id in self._memories]

    def select(self, where: MemoryFilter, *, limit: int | None = None, offset: int = 0) -> list[Memory]:
        found = [memory for memory in list(self._memories.values()) if _passes(memory, where)]
        found.sort(key=lambda memory: (memory.created_at, memory.id), reverse=True)
        return found[offset : None if limit is None else offset + limit]

    def outline(self) -> Outline:
        return outlined(list(self._memories.values()))

    def without_vector(self, *, limit: int) -> list[Memory]:
        return [memory for memory in list(self._memories.values()) if self._vectors[memory.id] is None][:limit]

    def by_words(self, query: str, *, limit: int, history: bool = False) -> list[Match]:
        return _bm25({memory.id: memory.text for memory in self._searched(history)}, query)[:limit]

    def by_vector(self, vector: Vector, *, limit: int, history: bool = False) -> list[Match]:
        searched = self._searched(history)
        return _nearest({memory.id: self._vectors[memory.id] for memory in searched}, vector)[:limit]

    def likeness(self, vector: Vector, ids: Sequence[MemoryId]) -> list[Match]:
        return _nearest({memory_id: self._vectors.get(memory_id) for memory_id in ids}, vector)

    def erase(self, ids: Sequence[MemoryId]) -> None:
        for memory_id in ids:
            self._memories.pop(memory_id, None)
            self._vectors.pop(memory_id, None)
            self._disk.drop(memory_id)

    def clear(self) -> None:
        self.erase([MemoryId(memory_id) for memory_id in self._memories])
        self.scrub()

    def scrub(self) -> None:
        self._disk.stale.clear()

    def residue(self, needles: Sequence[str]) -> int:
        return self._disk.residue(needles)

    def _searched(self, history: bool) -> list[Memory]:
        statuses = {Status.ACTIVE, Status.SUPERSEDED} if history else {Status.ACTIVE}
        return [memory for memory in list(self._memories.values()) if memory.status in statuses]


class FakeTurnIndex:
    """A `TurnIndex` without files."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._vectors: dict[str, Vector | None] = {}
        self._disk = _Disk()

    def put(self, turns: Sequence[Turn], vectors: Sequence[Vector | None]) -> None:
        for turn, vector in zip(turns, vectors, strict=True):
            self._texts[turn.id] = indexed_text(turn)
            self._vectors[turn.id] = vector
            self._disk.write(turn.id, indexed_text(turn))

    def indexed(self, ids: Sequence[TurnId]) -> set[TurnId]:
        return {turn_id for turn_id in ids if turn_id in self._texts}

    def without_vector(self, *, limit: int) -> list[TurnId]:
        return [TurnId(turn_id) for turn_id, vector in list(self._vectors.items()) if vector is None][:limit]

    def by_words(self, query: str, *, limit: int) -> list[Match]:
        return _bm25(dict(self._texts), query)[:limit]

    def by_vector(self, vector: Vector, *, limit: int) -> list[Match]:
        return _nearest(dict(self._vectors), vector)[:limit]

    def likeness(self, vector: Vector, ids: Sequence[TurnId]) -> list[Match]:
        return _nearest({turn_id: self._vectors.get(turn_id) for turn_id in ids}, vector)

    def erase(self, ids: Sequence[TurnId]) -> None:
        for turn_id in ids:
            self._texts.pop(turn_id, None)
            self._vectors.pop(turn_id, None)
            self._disk.drop(turn_id)

    def clear(self) -> None:
        self.erase([TurnId(turn_id) for turn_id in self._texts])
        self.scrub()

    def scrub(self) -> None:
        self._disk.stale.clear()

    def residue(self, needles: Sequence[str]) -> int:
        return self._disk.residue(needles)


def _passes(memory: Memory, where: MemoryFilter) -> bool:
    return (
        where.kind in {None, memory.kind}
        and where.status in {None, memory.status}
        and where.pinned in {None, memory.pinned}
        and where.slot in {None, memory.slot}
        and (where.since is None or memory.created_at >= where.since)
        and (where.before is None or memory.created_at < where.before)
    )
