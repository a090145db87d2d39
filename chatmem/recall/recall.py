"""Recall: finding what was said and learned that bears on a question."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from chatmem.domain.memory import Kind, Memory, MemoryId, Status
from chatmem.domain.recall import Recalled, Source
from chatmem.domain.turn import Role, TurnId
from chatmem.ports.clock import Clock
from chatmem.ports.embedder import Embedder
from chatmem.ports.journal import Journal
from chatmem.ports.memory_store import MemoryFilter, MemoryStore, TurnIndex
from chatmem.ports.session_log import SessionLog
from chatmem.ports.talk import Talk
from chatmem.ports.token_counter import TokenCounter
from chatmem.recall.evidence import SILENT, Verdict, judge
from chatmem.recall.looking import Hits, Looker
from chatmem.recall.memories import RankedMemory, Uses, find_memories, rank_memories, told_at
from chatmem.recall.question import Question, read_question
from chatmem.recall.router import ASSISTANT, USER, Quotas, Router, shown_already, without_twins
from chatmem.recall.turns import RankedTurn, TurnRanking

MEMORY_SIMILARITY = 0.2
TURN_SIMILARITY = 0.35
"""Without a word in common, what is less alike than this says nothing about the question. Memories stand alone and were
found worth keeping, so they need less."""

EXCERPT_TOKENS = 120
"""Of an earlier turn, so that one long answer does not take the whole budget."""

MEMORIES = 30
"""The best memories that are looked at for a prompt, which takes nineteen."""

HITS, TURNS = 40, 20
"""Of what the indexes find, the best hits that are ranked with the turns around them for a prompt, which takes five,
and how many of these are looked at. Ranking all hits finds as much at rank 5, and takes three times as long."""

USES_AGE = timedelta(minutes=1)
"""How old the use counts may be that were read; other windows count uses too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexes:
    """Where recall looks."""

    memories: MemoryStore
    turns: TurnIndex
    log: SessionLog
    journal: Journal
    talk: Talk


class Recall:
    """Finds memories and earlier turns. Methods block, and may be called from any thread."""

    def __init__(
        self, indexes: Indexes, embedder: Embedder, counter: TokenCounter, clock: Clock, quotas: Quotas | None = None
    ) -> None:
        self._indexes = indexes
        self._counter = counter
        self._clock = clock
        self._looker = Looker(indexes.memories, indexes.turns, embedder)
        self._turns = TurnRanking(indexes.turns, indexes.talk)
        self._router = Router(counter=counter, quotas=quotas or Quotas())
        self._uses: dict[MemoryId, tuple[int, datetime]] = {}
        self._uses_read_at: datetime | None = None

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
        now = self._clock.now()
        asked = read_question(question, now)
        hits = self._looker.look(asked, history=asked.bounds.as_of is not None)
        memories = self._memories(asked, hits, now, HITS)[:MEMORIES]
        turns = self._ranked_turns(asked, hits, now, HITS)[:TURNS]
        if asked.about_self and judge(asked, memories, turns).confidence < SILENT:
            found: list[Recalled] = []
        else:
            found = self._bearing(asked, memories, turns, exclude)
        recalled = self._router.route(
            [*self._procedures(found), *found], to_assistant=asked.to_assistant, budget_tokens=budget_tokens
        )
        self._note_use(
            [MemoryId(item.id) for item in recalled if item.injected and item.source is not Source.TURN], now
        )
        return recalled

    def judge(self, question: str) -> Verdict:
        """How sure it is that something said or learned answers a question.

        Raises:
            StoreError: If an index or the log could not be read.
        """
        now = self._clock.now()
        asked = read_question(question, now)
        hits = self._looker.look(asked)
        return judge(asked, self._memories(asked, hits, now, HITS), self._ranked_turns(asked, hits, now, HITS)[:TURNS])

    def search(
        self, text: str, *, limit: int, kind: Kind | None = None, as_of: datetime | None = None
    ) -> list[Recalled]:
        """Memories as recall ranks them for a text, best first, with the parts of each score.

        What was superseded comes after what replaced it, and tells until when it held.

        Args:
            text: What to look for; may hold `since:`, `before:` and `as-of:`.
            limit: At most so many.
            kind: Only these.
            as_of: Only what held at this moment, as far as was known then.

        Raises:
            StoreError: If the store could not be read.
        """
        now = self._clock.now()
        asked = read_question(text, now)
        found = [
            recalled_memory(ranked)
            for ranked in self._memories(asked, self._looker.look(asked, turns=False, history=True), now)
            if bears(ranked, MEMORY_SIMILARITY)
            and (kind is None or ranked.memory.kind is kind)
            and (as_of is None or held(ranked.memory, as_of))
        ]
        return found[:limit]

    def rank_turns(self, question: str, *, limit: int) -> list[RankedTurn]:
        """Earlier turns as recall ranks them, best first, with the parts of each score.

        Raises:
            StoreError: If the index or the log could not be read.
        """
        now = self._clock.now()
        asked = read_question(question, now)
        return self._ranked_turns(asked, self._looker.look(asked, memories=False), now)[:limit]

    def _ranked_turns(self, question: Question, hits: Hits, now: datetime, best: int | None = None) -> list[RankedTurn]:
        return self._turns.rank(question, hits.vector, hits.turns_by_words, hits.turns_by_vector, now=now, hits=best)

    def _memories(self, question: Question, hits: Hits, now: datetime, best: int | None = None) -> list[RankedMemory]:
        found = find_memories(
            self._indexes.memories, hits.vector, hits.memories_by_words, hits.memories_by_vector, best
        )
        ranked = rank_memories(question, found, self._used(now), now)
        moment = question.bounds.as_of
        return [
            item
            for item in ranked
            if question.bounds.hold(told_at(item.memory)) and (moment is None or held(item.memory, moment))
        ]

    def _bearing(
        self,
        question: Question,
        memories: Iterable[RankedMemory],
        turns: Iterable[RankedTurn],
        exclude: Collection[TurnId],
    ) -> list[Recalled]:
        """What has to do with the question and is not shown anyway, each thing once, best first."""
        learned = [
            recalled_memory(ranked)
            for ranked in memories
            if bears(ranked, MEMORY_SIMILARITY) and not shown_already(ranked.memory, exclude)
        ]
        said = [
            recalled_turn(turn, self._counter.cut(turn.said.text, EXCERPT_TOKENS))
            for turn in turns
            if bears(turn, TURN_SIMILARITY) and turn.said.turn_id not in exclude
        ]
        # A memory is clearer than the turn it came from, and wins against it.
        return sorted(without_twins(question.text, [*learned, *said]), key=lambda item: -item.score)

    def _procedures(self, found: Iterable[Recalled]) -> list[Recalled]:
        there = {item.id for item in found}
        where = MemoryFilter(kind=Kind.PROCEDURE, status=Status.ACTIVE)
        standing = self._indexes.memories.select(where, limit=self._router.quotas.procedures)
        return [standing_instruction(memory) for memory in standing if memory.id not in there]

    def _used(self, now: datetime) -> Uses:
        if self._uses_read_at is None or now - self._uses_read_at > USES_AGE:
            self._uses, self._uses_read_at = dict(self._indexes.journal.uses()), now
        return self._uses

    def _note_use(self, ids: Collection[MemoryId], now: datetime) -> None:
        if ids:
            self._indexes.journal.note_use(list(ids), now)
        for id_ in ids:
            self._uses[id_] = (self._uses.get(id_, (0, now))[0] + 1, now)


def bears(candidate: RankedMemory | RankedTurn, similarity: float) -> bool:
    """Whether a candidate has to do with the question: a word in common, likeness in meaning, or what is asked for."""
    fills = any(name == "slot" for name, _ in candidate.parts)
    return candidate.worded or fills or (candidate.similarity or 0.0) >= similarity


def held(memory: Memory, moment: datetime) -> bool:
    """Whether a memory was true at a moment, as far as is known."""
    return memory.valid_from <= moment and (memory.valid_to is None or moment < memory.valid_to)


def recalled_memory(ranked: RankedMemory) -> Recalled:
    """A memory as recall shows it."""
    found = standing_instruction(ranked.memory)
    return replace(found, score=ranked.score, parts=ranked.parts)


def standing_instruction(memory: Memory) -> Recalled:
    """A memory that needs no rank."""
    return Recalled(
        id=memory.id,
        source=Source(memory.kind.value),
        text=memory.text,
        score=0.0,
        said_at=told_at(memory),
        session_id=memory.quotes[-1].session_id if memory.quotes else None,
        valid_to=memory.valid_to if memory.status is Status.SUPERSEDED else None,
    )


def recalled_turn(turn: RankedTurn, excerpt: str) -> Recalled:
    """A turn as recall shows it: its beginning, where it is long."""
    ours = turn.said.role is Role.ASSISTANT and turn.said.speaker is None
    return Recalled(
        id=turn.said.turn_id,
        source=Source.TURN,
        text=excerpt if excerpt == turn.said.text else f"{excerpt}…",
        score=turn.score,
        said_at=turn.said.said_at,
        session_id=turn.said.session_id,
        speaker=turn.said.speaker or (ASSISTANT if ours else USER),
        parts=turn.parts,
    )
