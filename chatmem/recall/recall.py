"""Recall: finding what was said and learned that bears on a question."""

import logging
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from chatmem.domain.errors import EmbedderError, NotFoundError
from chatmem.domain.memory import Kind, Memory, MemoryId, Status
from chatmem.domain.recall import Recalled, Source
from chatmem.domain.text import clean, content_words, normalised, words
from chatmem.domain.turn import Role, Turn, TurnId
from chatmem.ports.clock import Clock
from chatmem.ports.embedder import Embedder, Vector
from chatmem.ports.journal import Journal
from chatmem.ports.memory_store import MemoryFilter, MemoryStore, TurnIndex
from chatmem.ports.session_log import SessionLog
from chatmem.ports.token_counter import TokenCounter
from chatmem.recall.fusion import Ranked, fuse

CANDIDATES = 50
"""Taken from each index before fusion."""

MEMORY_SIMILARITY = 0.2
TURN_SIMILARITY = 0.35
"""Without a word in common, what is less alike than this says nothing about the question. Memories stand alone and were
found worth keeping, so they need less."""

QUESTION_LENGTH = 2_000
"""Characters of a question that are looked at: a paste of a megabyte is not a better question."""

EXCERPT_TOKENS = 120
"""Of an earlier turn, so that one long answer does not take the whole budget."""

QUESTION_PENALTY = 0.5
"""What was asked once is no answer; on the development half of LoCoMo this is worth .03 of recall@5 with the length."""

PATIENCE_S = 5.0
"""How long a question waits for an embedder that is just being loaded, in the first seconds after the start. Better a
late answer than one that does not know of the allergy."""

_YOU = frozenset("you your yours du dein deine dir dich tu tú ti te usted vous toi votre".split())  # noqa: SIM905

ASSISTANT, USER = "the assistant", "the user"

LINE_TOKENS = 12
"""What the frame around a recalled text costs, about."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotas:
    """How many of each source may be injected."""

    facts: int = 8
    episodes: int = 3
    procedures: int = 8
    turns: int = 5

    def of(self, source: Source) -> int:
        """The quota of one source."""
        return {
            Source.FACT: self.facts,
            Source.EPISODE: self.episodes,
            Source.PROCEDURE: self.procedures,
            Source.TURN: self.turns,
        }[source]


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexes:
    """Where recall looks."""

    memories: MemoryStore
    turns: TurnIndex
    log: SessionLog
    journal: Journal


class Recall:
    """Finds memories and earlier turns. Methods block, and may be called from any thread."""

    def __init__(
        self, indexes: Indexes, embedder: Embedder, counter: TokenCounter, clock: Clock, quotas: Quotas | None = None
    ) -> None:
        self._indexes = indexes
        self._embedder = embedder
        self._counter = counter
        self._clock = clock
        self._quotas = quotas or Quotas()

    def find(self, question: str, *, exclude: Collection[TurnId] = (), budget_tokens: int) -> list[Recalled]:
        """What bears on a question, best first, with what fits the budget marked as injected.

        Standing instructions always take part. Uses of the injected memories are counted.

        Args:
            question: The user's turn.
            exclude: Turns the model sees anyway; they, and memories resting on them alone, are left out.
            budget_tokens: For all that is injected.

        Raises:
            StoreError: If an index or the log could not be read.
        """
        question = clean(question)[:QUESTION_LENGTH]
        vector = self._vector(question)
        found = [*self._memories(question, vector, exclude), *self._turns(question, vector, exclude)]
        ranked = list(self._without_twins(question, sorted(found, key=lambda item: -item.score)))
        recalled = self._inject(question, [*self._procedures(ranked), *ranked], budget_tokens)
        used = [MemoryId(item.id) for item in recalled if item.injected and item.source is not Source.TURN]
        self._indexes.journal.note_use(used, self._clock.now())
        return recalled

    def search(
        self, text: str, *, limit: int, kind: Kind | None = None, as_of: datetime | None = None
    ) -> list[Recalled]:
        """Memories as recall ranks them for a text, best first, with the parts of each score.

        Args:
            text: What to look for.
            limit: At most so many.
            kind: Only these.
            as_of: Only what held at this moment, as far as was known then.

        Raises:
            StoreError: If the store could not be read.
        """
        text = clean(text)[:QUESTION_LENGTH]
        vector = self._vector(text)
        held = [memory.id for memory in self._held(as_of)] if as_of else None
        found = [
            item
            for item in self._memories(text, vector, ())
            if (kind is None or item.source.value == kind.value) and (held is None or item.id in held)
        ]
        return found[:limit]

    def _held(self, moment: datetime) -> list[Memory]:
        return [
            memory
            for memory in self._indexes.memories.select(MemoryFilter())
            if memory.valid_from <= moment and (memory.valid_to is None or moment < memory.valid_to)
        ]

    def _vector(self, text: str) -> Vector | None:
        if not text.strip() or not self._embedder.wait_ready(PATIENCE_S):
            return None
        try:
            return self._embedder.embed([text])[0]
        except EmbedderError:
            logger.warning("the embedder failed; recall goes by words alone")
            return None

    def _memories(self, text: str, vector: Vector | None, exclude: Collection[TurnId]) -> list[Recalled]:
        store = self._indexes.memories
        ranked = fuse(
            store.by_words(telling(text), limit=CANDIDATES),
            store.by_vector(vector, limit=CANDIDATES) if vector is not None else [],
        )
        relevant = [candidate for candidate in ranked if bears(candidate, MEMORY_SIMILARITY)]
        memories = {memory.id: memory for memory in store.get([MemoryId(c.id) for c in relevant])}
        return [
            recalled_memory(memories[MemoryId(c.id)], c)
            for c in relevant
            if c.id in memories and not shown_already(memories[MemoryId(c.id)], exclude)
        ]

    def _turns(self, text: str, vector: Vector | None, exclude: Collection[TurnId]) -> Iterator[Recalled]:
        index = self._indexes.turns
        ranked = fuse(
            index.by_words(telling(text), limit=CANDIDATES),
            index.by_vector(vector, limit=CANDIDATES) if vector is not None else [],
        )
        for candidate in ranked:
            if candidate.id in exclude or not bears(candidate, TURN_SIMILARITY):
                continue
            try:
                turn = self._indexes.log.turn(TurnId(candidate.id))
            except NotFoundError:
                continue
            if turn.text:
                yield recalled_turn(turn, candidate, self._counter.cut(turn.text, EXCERPT_TOKENS))

    def _procedures(self, ranked: Iterable[Recalled]) -> list[Recalled]:
        there = {item.id for item in ranked}
        where = MemoryFilter(kind=Kind.PROCEDURE, status=Status.ACTIVE)
        standing = self._indexes.memories.select(where, limit=self._quotas.procedures)
        return [recalled_memory(memory, None) for memory in standing if memory.id not in there]

    def _without_twins(self, question: str, ranked: Iterable[Recalled]) -> Iterator[Recalled]:
        """Drop what says the same as the question or as something better, among it the turn that a fact came from."""
        seen = [frozenset(words(question))]
        texts = {normalised(question)}
        for item in ranked:
            content = frozenset(words(item.text))
            if normalised(item.text) in texts or any(alike(content, other) for other in seen):
                continue
            seen.append(content)
            texts.add(normalised(item.text))
            yield item

    def _inject(self, question: str, items: Iterable[Recalled], budget_tokens: int) -> list[Recalled]:
        to_assistant = not _YOU.isdisjoint(words(question))
        left = budget_tokens
        places = {source: self._quotas.of(source) for source in Source}
        chosen = []
        for item in items:
            size = self._counter.count(item.text) + LINE_TOKENS
            fits = places[item.source] > 0 and size <= left and tells(item, to_assistant=to_assistant)
            if fits:
                places[item.source] -= 1
                left -= size
            chosen.append(replace(item, injected=fits))
        return chosen


def tells(item: Recalled, *, to_assistant: bool) -> bool:
    """Whether a recalled item is worth a place in the prompt.

    An earlier turn must be better than the middle of what was found. What the assistant once said is shown only to a
    question about it: a model that reads its own bad answer gives it again.
    """
    if item.source is not Source.TURN:
        return True
    return item.score >= 0 and (to_assistant or item.speaker != ASSISTANT)


def telling(question: str) -> str:
    """What full text is asked: the question without its grammar, so that "the" is no word in common."""
    return " ".join(content_words(question))


def bears(candidate: Ranked, similarity: float) -> bool:
    """Whether a candidate has anything to do with the question: a word in common, or enough likeness in meaning."""
    return candidate.worded or (candidate.similarity or 0.0) >= similarity


def alike(content: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two texts say the same by their words (Jaccard above .8)."""
    return bool(content) and len(content & other) > 0.8 * len(content | other)


def shown_already(memory: Memory, shown: Collection[TurnId]) -> bool:
    """Whether all the words a memory rests on stand in the window anyway."""
    return bool(memory.quotes) and all(quote.turn_id in shown for quote in memory.quotes)


def recalled_memory(memory: Memory, ranked: Ranked | None) -> Recalled:
    """A memory as recall shows it; `ranked` is `None` for a standing instruction, which needs no rank."""
    return Recalled(
        id=memory.id,
        source=Source(memory.kind.value),
        text=memory.text,
        score=ranked.score if ranked else 0.0,
        said_at=told_at(memory),
        session_id=memory.quotes[-1].session_id if memory.quotes else None,
        parts=ranked.parts if ranked else (),
    )


def told_at(memory: Memory) -> datetime:
    """When the words a memory rests on were last said."""
    return memory.quotes[-1].said_at if memory.quotes else memory.created_at


def recalled_turn(turn: Turn, ranked: Ranked, excerpt: str) -> Recalled:
    """A turn as recall shows it: its beginning, where it is long."""
    ours = turn.role is Role.ASSISTANT and turn.speaker is None
    asked = turn.text.rstrip().endswith("?")
    parts = (*ranked.parts, ("question", -QUESTION_PENALTY if asked else 0.0))
    return Recalled(
        id=turn.id,
        source=Source.TURN,
        text=excerpt if excerpt == turn.text else f"{excerpt}…",
        score=sum(value for _, value in parts),
        said_at=turn.said_at,
        session_id=turn.session_id,
        speaker=turn.speaker or (ASSISTANT if ours else USER),
        parts=parts,
    )
