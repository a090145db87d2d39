"""A consolidator over fakes, for tests."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from chatmem.consolidation.consolidator import Consolidator, Tally
from chatmem.consolidation.extract import ModelExtractor
from chatmem.consolidation.gate import Gate
from chatmem.consolidation.indexing import TurnIndexer
from chatmem.consolidation.news import ConsolidationNews
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.memory import Memory
from chatmem.domain.turn import Role, SessionId
from chatmem.ports.memory_store import MemoryFilter
from tests.fakes.builders import a_choice, a_session, a_turn
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.clock import FakeClock
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.job_queue import FakeJobQueue
from tests.fakes.journal import FakeJournal
from tests.fakes.memory_store import FakeMemoryStore, FakeTurnIndex
from tests.fakes.meter import FakeMeter
from tests.fakes.session_log import FakeSessionLog
from tests.fakes.token_counter import WordCounter


@dataclass
class Bench:
    """All that consolidation touches, and what it told; `spent` is the budget that the model has used up."""

    model: ScriptedChatModel | None = None
    clock: FakeClock = field(default_factory=FakeClock)
    embedder: FakeEmbedder = field(default_factory=FakeEmbedder)
    store: FakeMemoryStore = field(default_factory=FakeMemoryStore)
    index: FakeTurnIndex = field(default_factory=FakeTurnIndex)
    journal: FakeJournal = field(default_factory=FakeJournal)
    gate: Gate = field(default_factory=Gate)
    told: list[ConsolidationNews] = field(default_factory=list)
    spent: str = ""
    log: FakeSessionLog = field(default_factory=FakeSessionLog)

    def __post_init__(self) -> None:
        self.queue = FakeJobQueue(self.log)
        self.meter = FakeMeter(self.log)
        self.writer = MemoryWriter(journal=self.journal, store=self.store, embedder=self.embedder, clock=self.clock)
        self.indexer = TurnIndexer(log=self.log, index=self.index, writer=self.writer)
        self.consolidator = Consolidator(
            log=self.log,
            queue=self.queue,
            writer=self.writer,
            model=self._extractor(),
            why_rules=lambda: f"today's budget of {self.spent} is used up" if self.spent else "",
        )

    def say(self, *texts: str, session: int = 1) -> SessionId:
        """Have the user say something, and the assistant nod."""
        session_id = SessionId(f"s{session}")
        self.log.open_session(a_session(session, id=session_id))
        for text in texts:
            for role, words in ((Role.USER, text), (Role.ASSISTANT, "I see.")):
                seq = len(self.log.turns(session_id)) + 1
                self.log.append(a_turn(seq, words, id=f"s{session}t{seq}", session_id=session_id, role=role))
        return session_id

    def consolidate(self) -> Tally:
        """Queue all and run the queue."""
        self.consolidator.enqueue_all()
        return self.consolidator.run_queue(self.gate, self.told.append)

    def memories(self) -> list[Memory]:
        return self.store.select(MemoryFilter())

    def texts(self) -> Sequence[str]:
        return sorted(memory.text for memory in self.memories())

    def _extractor(self) -> ModelExtractor | None:
        if self.model is None:
            return None
        return ModelExtractor(
            chat_model=self.model,
            choice=lambda: None if self.spent else a_choice(),
            counter=WordCounter(),
            meter=self.meter,
            timeout_s=30.0,
        )
