"""`chatmem bench consolidation`: what is learned from conversations, and what recall then makes of it."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import IO, Literal

from chatmem.bench.scenarios import ForgetRequest, Scenario, ScenarioSession, read_scenarios
from chatmem.bootstrap import Installation, Product, StandIns, open_product, shared_embedder
from chatmem.bootstrap.embedders import OwnedEmbedder
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.policy import Policy
from chatmem.domain.recall import Recalled, Source
from chatmem.domain.turn import Session, SessionId, Turn, TurnId
from chatmem.forgetting.blot import telling_words
from chatmem.ports.memory_store import MemoryFilter

TURN_S = 1
"""Seconds between two turns of a session, so that one begun before midnight does not end after it."""

RANKED = 20
"""Turns of each query's ranking that are written."""

RETRIES = 4
"""How often a job that was postponed is tried again, a day later each time."""


class SetClock:
    """A clock that stands where it was set."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        """The moment it was set to."""
        return self._now

    def set(self, now: datetime) -> None:
        """Set it."""
        self._now = now


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What one scenario came to; ids of turns are the scenario's.

    Attributes:
        memories: All that is stored at the end, whatever its status, as JSON objects.
        queries: What recall made of each question, as JSON objects.
        forget: The outcome of each request to forget, as JSON objects.
        turns: Number of turns played.
        waiting: Jobs that could not be done.
        ms: What consolidating took, without embedding and indexing the turns.
    """

    id: str
    memories: list[dict[str, object]] = field(default_factory=list)
    queries: list[dict[str, object]] = field(default_factory=list)
    forget: list[dict[str, object]] = field(default_factory=list)
    llm_calls: int = 0
    prompt_tokens: int = 0
    turns: int = 0
    waiting: int = 0
    ms: float = 0.0


def run(
    installation: Installation,
    file: Path,
    *,
    extractor: Literal["rules", "model"],
    tell: Callable[[str], None],
    out: IO[str] | None = None,
) -> list[Played]:
    """Play all scenarios of a file, each in a profile of its own that is dropped afterwards.

    Args:
        installation: Settings and models are the person's own.
        file: Holds the scenarios, JSON, plain or `.gz`.
        extractor: Who extracts.
        tell: Is told of progress.
        out: Gets a JSON line a scenario.

    Raises:
        UsageError: If the file can't be read.
        ChatMemError: If a temporary profile could not be written.
    """
    played = []
    with shared_embedder(installation) as embedder:
        for scenario in read_scenarios(file):
            played.append(play(installation, scenario, embedder, extractor=extractor))
            tell(f"{scenario.id}: {len(played[-1].memories)} memories of {played[-1].turns} turns")
            if out:
                out.write(json.dumps(asdict(played[-1]), ensure_ascii=False) + "\n")
                out.flush()
    return played


def play(
    installation: Installation, scenario: Scenario, embedder: OwnedEmbedder, *, extractor: Literal["rules", "model"]
) -> Played:
    """Play one scenario in a temporary profile.

    Raises:
        ChatMemError: If the temporary profile could not be written.
    """
    clock = SetClock(scenario.asked_at)
    with TemporaryDirectory() as folder:
        elsewhere = replace(installation, flags={**installation.flags, "data_dir": Path(folder)})
        stand_ins = StandIns(clock=clock, embedder=embedder, policy=Policy.of(scenario.policy))
        with open_product(elsewhere, extractor=extractor, stand_ins=stand_ins) as product:
            return _Player(product, clock, scenario).play()


class _Player:
    """Plays one scenario on a product."""

    def __init__(self, product: Product, clock: SetClock, scenario: Scenario) -> None:
        self._product = product
        self._clock = clock
        self._scenario = scenario
        self._ms = 0.0

    def play(self) -> Played:
        self._product.load_embedder()
        forgotten = [done for session in self._scenario.sessions for done in self._session(session)]
        self._clock.set(self._scenario.asked_at)
        queries = [self._asked(query.text) for query in self._scenario.gold.queries]
        calls = self._product.meter.calls()
        return Played(
            id=self._scenario.id,
            memories=[_as_json(memory) for memory in self._product.memories.select(MemoryFilter())],
            queries=queries,
            forget=forgotten,
            llm_calls=sum(count.calls for count in calls),
            prompt_tokens=sum(count.prompt_tokens for count in calls),
            turns=sum(len(session.turns) for session in self._scenario.sessions),
            waiting=self._product.queue.pending(),
            ms=self._ms,
        )

    def _session(self, session: ScenarioSession) -> list[dict[str, object]]:
        """Have a session said and learned from, then forget what was asked; returns how that went."""
        self._clock.set(session.began)
        self._say(session)
        self._product.indexer.index_waiting()
        self._consolidate()
        wanted = [request for request in self._scenario.gold.forget if request.after_session == session.id]
        return [self._forget(request) for request in wanted]

    def _say(self, session: ScenarioSession) -> None:
        session_id = SessionId(session.id)
        self._product.log.open_session(Session(id=session_id, title=session.id, started_at=session.began))
        for seq, turn in enumerate(session.turns, 1):
            said_at = session.began + timedelta(seconds=seq * TURN_S)
            self._clock.set(said_at)
            text = self._product.screening.screened(turn.text).kept
            self._product.log.append(
                Turn(id=TurnId(turn.id), session_id=session_id, seq=seq, role=turn.role, text=text, said_at=said_at)
            )

    def _consolidate(self) -> None:
        started = perf_counter()
        self._product.queue.enqueue_all()
        for _ in range(RETRIES):
            self._product.consolidator.run_queue(self._product.background.gate, lambda _: None)
            if not self._product.queue.pending():
                break
            self._clock.set(self._clock.now() + timedelta(days=1))
        self._ms += (perf_counter() - started) * 1000

    def _forget(self, request: ForgetRequest) -> dict[str, object]:
        ids = self._named(request.query)
        if not ids:
            return {"query": request.query, "erased": 0, "residue": 0}
        proof = self._product.forgetting.forget(ids)
        return {"query": request.query, "erased": proof.erased, "residue": proof.residue}

    def _named(self, query: str) -> list[MemoryId]:
        """What a person would pick: the memories that hold the words, else the one that memory search has first."""
        wanted = telling_words(query)
        everything = self._product.memories.select(MemoryFilter())
        named = [memory.id for memory in everything if wanted and wanted <= telling_words(_all_words(memory))]
        return named or [MemoryId(item.id) for item in self._product.recall.search(query, limit=1)]

    def _asked(self, question: str) -> dict[str, object]:
        recall = self._product.recall
        ranked = recall.rank_turns(question, limit=RANKED)
        verdict = recall.judge(question)
        budget = self._product.settings.recall.budget_tokens
        found = [item for item in recall.find(question, budget_tokens=budget) if item.source is not Source.TURN]
        status = {memory.id: memory.status for memory in self._product.memories.get([MemoryId(i.id) for i in found])}
        return {
            "text": question,
            "ranked_turns": [turn.said.turn_id for turn in ranked],
            "memories": [
                {
                    "id": item.id,
                    "text": _as_shown(item),
                    "status": status[MemoryId(item.id)],
                    "score": round(item.score, 4),
                }
                for item in found
                if item.id in status
            ],
            "confidence": round(verdict.confidence, 4),
            "abstained": verdict.abstained,
        }


def _as_shown(item: Recalled) -> str:
    """A memory with the day it speaks of, which the prompt tells beside its words."""
    return f"{item.text} ({item.event_date})" if item.event_date else item.text


def _all_words(memory: Memory) -> str:
    return "\n".join([memory.text, *(quote.text for quote in memory.quotes)])


def _as_json(memory: Memory) -> dict[str, object]:
    return {
        "id": memory.id,
        "kind": memory.kind,
        "text": memory.text,
        "quote": memory.quotes[0].text if memory.quotes else "",
        "evidence": list(dict.fromkeys(quote.turn_id for quote in memory.quotes)),
        "subject": memory.subject,
        "slot": memory.slot,
        "event_date": memory.event_date,
        "status": memory.status,
        "confidence": memory.confidence,
        "waits_for": memory.waits_for,
        "valid_from": memory.valid_from.isoformat(),
        "valid_to": memory.valid_to.isoformat() if memory.valid_to else None,
        "superseded_by": memory.superseded_by,
    }


def summary(played: Sequence[Played]) -> list[str]:
    """What can be told without knowing what was expected, as lines."""
    turns = sum(one.turns for one in played)
    memories = [memory for one in played for memory in one.memories]
    calls, tokens = sum(one.llm_calls for one in played), sum(one.prompt_tokens for one in played)
    lines = [
        f"{len(played)} scenarios, {turns} turns, {sum(len(one.queries) for one in played)} queries",
        f"{len(memories)} memories: {_counted(memories, 'status')}; {_counted(memories, 'kind')}",
        f"{calls} calls to a model, {10 * calls / max(1, turns):.2f} for ten turns",
        f"{tokens / max(1, turns):.0f} prompt tokens a turn",
        f"{sum(one.ms for one in played) / max(1, turns):.1f} ms a turn",
    ]
    if forgotten := [done for one in played for done in one.forget]:
        erased, residue = (sum(int(str(done[key])) for done in forgotten) for key in ("erased", "residue"))
        lines.append(f"{len(forgotten)} requests to forget: {erased} memories erased, {residue} traces left on disk")
    if waiting := sum(one.waiting for one in played):
        lines.append(f"{waiting} jobs could not be done and still wait")
    return lines


def _counted(memories: Iterable[dict[str, object]], key: str) -> str:
    values = [str(memory[key]) for memory in memories]
    return ", ".join(f"{values.count(value)} {value}" for value in sorted(set(values))) or "none"
