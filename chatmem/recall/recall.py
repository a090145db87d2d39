"""Recall: finding what was said and learned that bears on a question."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from chatmem.domain.memory import Kind, Memory, MemoryId, Status
from chatmem.domain.recall import Recalled, Recollection, Source, Tier
from chatmem.domain.turn import Turn, TurnId
from chatmem.ports.clock import Clock
from chatmem.ports.embedder import Embedder, Vector
from chatmem.ports.far_store import FarStore
from chatmem.ports.feedback import Feedback
from chatmem.ports.journal import Journal
from chatmem.ports.memory_store import MemoryFilter, MemoryStore, TurnIndex
from chatmem.ports.talk import Talk
from chatmem.ports.token_counter import TokenCounter
from chatmem.recall.contiguity import asks
from chatmem.recall.dating import moment_of
from chatmem.recall.episodes import Surroundings
from chatmem.recall.evidence import SILENT, Verdict, judge
from chatmem.recall.far import far_away, forgotten_by
from chatmem.recall.looking import Hits, Looker
from chatmem.recall.looking_back import as_it_stood
from chatmem.recall.memories import Found, RankedMemory, find_memories, lives, rank_memories, told_at
from chatmem.recall.period import end_of
from chatmem.recall.procedures import applies
from chatmem.recall.question import Question, read_question
from chatmem.recall.router import LINE_TOKENS, Quotas, Router, says_no_more, shown_already, without_twins
from chatmem.recall.sessions import Summaries
from chatmem.recall.showing import (
    EXCERPT_TOKENS,
    MEMORY_SIMILARITY,
    TURN_SIMILARITY,
    bears,
    held,
    recalled_memory,
    recalled_turn,
    standing_instruction,
)
from chatmem.recall.turns import RankedTurn, TurnRanking
from chatmem.recall.use import Uses

MEMORIES = 30
"""The best memories that are looked at for a prompt, which takes nineteen."""

HITS, TURNS = 30, 20
"""Of what the indexes find, the best hits, which are ranked with the turns around them, and how many turns are looked
at for a prompt, which takes five. Ranking all hits takes three times as long and finds .01 less at rank 5 (LoCoMo):
what stands around a poor hit crowds out better turns."""

PROCEDURES = 20
"""Newest procedures that are read, of which those are standing instructions that apply. A store keeps so short a list
at hand; older ones are found like all memories."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexes:
    """Where recall looks, and where it notes what became of it.

    Attributes:
        far: Asked last, where the others do not answer; `None` where the person configured none.
    """

    memories: MemoryStore
    turns: TurnIndex
    journal: Journal
    feedback: Feedback
    talk: Talk
    far: FarStore | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What the model is told of the user with every question.

    Attributes:
        memories: Gives it, what matters most first.
        tokens: At most so many, and half of what a question has for all that is recalled.
    """

    memories: Callable[[], Sequence[Memory]]
    tokens: int


class Recall:
    """Finds memories and earlier turns. Methods block, and may be called from any thread.

    All raise `StoreError` if an index or the log could not be read.
    """

    def __init__(
        self,
        indexes: Indexes,
        embedder: Embedder,
        counter: TokenCounter,
        clock: Clock,
        quotas: Quotas | None = None,
        *,
        card: Card | None = None,
    ) -> None:
        self._indexes = indexes
        self._card = card
        self._counter = counter
        self._clock = clock
        self._looker = Looker(indexes.memories, indexes.turns, embedder)
        self._turns = TurnRanking(indexes.turns, indexes.talk)
        self._surroundings = Surroundings(indexes.talk, counter)
        self._summaries = Summaries(indexes.talk, counter)
        self._router = Router(counter=counter, quotas=quotas or Quotas())
        self._uses = Uses(indexes.journal, indexes.feedback)

    def find(self, question: str, *, exclude: Collection[TurnId] = (), budget_tokens: int) -> list[Recalled]:
        """The items of `recollect`."""
        return list(self.recollect(question, exclude=exclude, budget_tokens=budget_tokens).items)

    def recollect(self, question: str, *, exclude: Collection[TurnId] = (), budget_tokens: int) -> Recollection:
        """What bears on a question, best first, with what fits the budget marked as injected.

        Standing instructions that apply always take part.

        Args:
            question: The user's turn.
            exclude: Turns the model sees anyway; they, and memories resting on them alone, are left out.
            budget_tokens: For all that is injected.
        """
        now = self._clock.now()
        asked = self._read(question, now)
        memories, stale, turns, vector = self._candidates(asked, now)
        verdict = judge(asked, memories, turns) if asked.about_self or self._indexes.far else None
        silent = verdict is not None and asked.about_self and verdict.confidence < SILENT
        found = [] if silent else self._bearing(asked, memories, turns, exclude)
        if self._indexes.far and verdict and verdict.abstained:
            forgotten = forgotten_by(self._indexes.journal)
            far = far_away(self._indexes.far, asked, vector, now, forgotten=forgotten)
            found = sorted(without_twins(question, [*found, *far]), key=lambda item: -item.score)
        carded, left = self._on_card(asked, exclude, budget_tokens, now)
        there = {item.id for item in carded}
        found = [item for item in found if item.id not in there]
        recalled = self._router.route(
            [*self._procedures(asked, found, now), *found],
            to_assistant=asked.to_assistant,
            budget_tokens=left,
            barred=stale,
        )
        recalled = [*carded, *recalled]
        near = () if silent else self._seen(asked, memories, turns, exclude)
        return Recollection(items=tuple(recalled), tier=tier_of(recalled, near))

    def answered(self, question: Turn, recollection: Recollection, reply: str) -> frozenset[str]:
        """Note which of what was recalled for a turn its answer used, and count it; returns the ids.

        Args:
            question: The user's turn.
            recollection: What was recalled for it, as the session log knows.
            reply: The answer.
        """
        return self._uses.answered(question, recollection, reply, self._clock.now())

    def mark(self, turn_id: TurnId, item_id: str, *, used: bool) -> None:
        """Note the person's word on an item that was recalled for their turn: of use, or of none.

        Raises:
            NotFoundError: If it was not recalled for this turn.
        """
        counts = bool(self._indexes.memories.get([MemoryId(item_id)]))
        self._uses.mark(turn_id, item_id, self._clock.now(), used=used, counts=counts)

    def judge(self, question: str) -> Verdict:
        """How sure it is that something said or learned answers a question."""
        now = self._clock.now()
        asked = self._read(question, now)
        memories, _, turns, _ = self._candidates(asked, now)
        return judge(asked, memories, turns)

    def search(
        self, text: str, *, limit: int, kind: Kind | None = None, as_of: datetime | None = None
    ) -> list[Recalled]:
        """Memories as recall ranks them for a text, best first, with the parts of each score.

        What was superseded comes after what replaced it, and tells until when it held.

        Args:
            text: What to look for; may hold `since:`, `before:` and `as-of:`.
            limit: At most so many.
            kind: Only these.
            as_of: Only what held at this moment, as far as was known then; of a day, at its end.
        """
        now = self._clock.now()
        asked = self._read(text, now)
        if as_of:
            asked = replace(asked, bounds=replace(asked.bounds, as_of=end_of(as_of)))
        found = [
            recalled_memory(ranked)
            for ranked in self._memories(asked, self._looker.look(asked, turns=False, history=True), now)
            if bears(ranked, MEMORY_SIMILARITY) and (kind is None or ranked.memory.kind is kind)
        ]
        return found[:limit]

    def rank_turns(self, question: str, *, limit: int) -> list[RankedTurn]:
        """Earlier turns as recall ranks them, best first, with the parts of each score."""
        now = self._clock.now()
        asked = self._read(question, now)
        hits, best = self._looker.look(asked, memories=False), max(HITS, 2 * limit)
        return self._turns.rank(asked, hits, now=now, best=best, limit=limit)

    def _read(self, text: str, now: datetime) -> Question:
        """A question with the time that it means, where it gives that by an event."""
        asked = read_question(text, now, self._indexes.talk.speakers())
        if asked.event is None:
            return asked
        event = read_question(asked.event.name, now)
        hits = self._looker.look(event)
        memories, turns = (
            self._memories(event, hits, now, HITS),
            self._turns.rank(event, hits, now=now, best=HITS, limit=TURNS),
        )
        moment = moment_of(asked.event, memories[:MEMORIES], turns)
        return replace(asked, period=asked.event.period(moment)) if moment else asked

    def _candidates(
        self, asked: Question, now: datetime
    ) -> tuple[list[RankedMemory], frozenset[TurnId], list[RankedTurn], Vector | None]:
        """The memories, the turns that tell what no longer holds, the turns, and the vector, for a prompt."""
        hits = self._looker.look(asked, history=True)
        ranked = self._memories(asked, hits, now, HITS)
        active = [item for item in ranked if asked.past or item.memory.status is Status.ACTIVE]
        turns = self._turns.rank(asked, hits, now=now, best=HITS, limit=TURNS)
        return active[:MEMORIES], frozenset() if asked.past else stale_turns(ranked), turns, hits.vector

    def _memories(self, question: Question, hits: Hits, now: datetime, best: int | None = None) -> list[RankedMemory]:
        found = find_memories(
            self._indexes.memories, hits.vector, hits.memories_by_words, hits.memories_by_vector, best
        )
        if (moment := question.bounds.as_of) is not None:
            found = _as_of(found, moment)
        ranked = rank_memories(question, found, self._uses.counts(now), now)
        return [item for item in ranked if question.bounds.hold(told_at(item.memory))]

    def _bearing(
        self,
        question: Question,
        memories: Iterable[RankedMemory],
        turns: Sequence[RankedTurn],
        exclude: Collection[TurnId],
    ) -> list[Recalled]:
        """What has to do with the question and is not shown anyway, each thing once, best first."""
        learned = [
            ranked
            for ranked in memories
            if bears(ranked, MEMORY_SIMILARITY) and not shown_already(ranked.memory, exclude)
        ]
        known = [ranked.memory for ranked in learned]
        said = [
            recalled_turn(turn, self._counter.cut(turn.said.text, EXCERPT_TOKENS))
            for turn in turns
            if bears(turn, TURN_SIMILARITY) and turn.said.turn_id not in exclude and not says_no_more(turn.said, known)
        ]
        around = (*self._surroundings.of(learned, exclude), *self._summaries.of(question, turns, exclude))
        items = [*map(recalled_memory, learned), *around, *said]
        # A memory is clearer than the turn it came from, and wins against it.
        return sorted(without_twins(question.text, items), key=lambda item: -item.score)

    def _seen(
        self,
        question: Question,
        memories: Iterable[RankedMemory],
        turns: Iterable[RankedTurn],
        exclude: Collection[TurnId],
    ) -> Sequence[float]:
        """The scores of what has to do with the question and stands before the model anyway."""
        learned = [item.score for item in memories if bears(item, MEMORY_SIMILARITY)
                   and shown_already(item.memory, exclude)]  # fmt: skip
        said = [
            turn.score
            for turn in turns
            if turn.said.turn_id in exclude and bears(turn, TURN_SIMILARITY) and not asks(turn.said.text)
        ]
        return learned + said

    def _on_card(
        self, question: Question, exclude: Collection[TurnId], budget_tokens: int, now: datetime
    ) -> tuple[list[Recalled], int]:
        """What the profile card says that the model does not see anyway, and what it leaves of the budget."""
        if self._card is None or question.bounds.as_of is not None:
            return [], budget_tokens
        items, left = list[Recalled](), min(self._card.tokens, budget_tokens // 2)
        for memory in self._card.memories():
            cost = self._counter.count(memory.text) + LINE_TOKENS
            if lives(memory, now) and cost <= left and not shown_already(memory, exclude):
                items.append(replace(standing_instruction(memory), injected=True))
                left -= cost
                budget_tokens -= cost
        return items, budget_tokens

    def _procedures(self, question: Question, found: Iterable[Recalled], now: datetime) -> list[Recalled]:
        there = {item.id for item in found}
        where = MemoryFilter(kind=Kind.PROCEDURE, status=Status.ACTIVE)
        standing = [
            standing_instruction(memory)
            for memory in self._indexes.memories.select(where, limit=PROCEDURES)
            if memory.id not in there and lives(memory, now) and applies(memory, question)
        ]
        return standing[: self._router.quotas.procedures]


def stale_turns(ranked: Iterable[RankedMemory]) -> frozenset[TurnId]:
    """The turns that only superseded memories rest on: their words tell what no longer holds."""
    rested: dict[bool, set[TurnId]] = {True: set(), False: set()}
    for item in ranked:
        rested[item.memory.status is Status.SUPERSEDED].update(quote.turn_id for quote in item.memory.quotes)
    return frozenset(rested[True] - rested[False])


def tier_of(recalled: Iterable[Recalled], seen: Collection[float]) -> Tier | None:
    """Where the best of what bears on a question lies: of what was put into the prompt, or of what stood there."""
    injected = [item for item in recalled if item.injected and item.parts]
    best = max(injected, key=lambda item: item.score, default=None)
    if seen and (best is None or max(seen) > best.score):
        return Tier.WORKING
    if best is None:
        return None
    return {Source.TURN: Tier.SAID, Source.REMOTE: Tier.REMOTE}.get(best.source, Tier.LEARNED)


def _as_of(found: Found, moment: datetime) -> Found:
    """What held at a moment: what came later neither pushes a memory behind nor lifts it."""
    return replace(
        found,
        memories=tuple(as_it_stood(memory, moment) for memory in found.memories if held(memory, moment)),
        linking=tuple(memory for memory in found.linking if held(memory, moment)),
    )
