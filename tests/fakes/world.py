"""A whole small chatmem on fakes: one log, one journal, two indexes, and the services on them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from chatmem.conversation import Conversation, Limits, Parts, Strategy
from chatmem.conversation.explaining import Explaining
from chatmem.conversation.screening import Screening
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId
from chatmem.domain.memory import Memory
from chatmem.domain.model import ModelChoice
from chatmem.domain.turn import Session, SessionId, Turn
from chatmem.forgetting.forgetting import Forgetting
from chatmem.forgetting.plan import Places
from chatmem.recall.recall import Indexes, Recall
from tests.fakes.builders import NOON, a_choice, a_session
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.clock import FakeClock
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.feedback import FakeFeedback
from tests.fakes.journal import FakeJournal
from tests.fakes.memory_store import FakeMemoryStore, FakeTurnIndex
from tests.fakes.meter import FakeMeter
from tests.fakes.secret_detector import FakeSecretDetector
from tests.fakes.session_eraser import FakeSessionEraser
from tests.fakes.session_log import FakeSessionLog
from tests.fakes.talk import FakeTalk
from tests.fakes.token_counter import WordCounter
from tests.fakes.wordings import FakeWordings


@dataclass
class World:
    """The parts of conversations, and conversations on them.

    Attributes:
        spent: What of today's budget for chat is used up.
        background: The model that summarises.
    """

    chat_model: ScriptedChatModel = field(default_factory=ScriptedChatModel)
    embedder: FakeEmbedder = field(default_factory=FakeEmbedder)
    limits: Limits = field(default_factory=lambda: Limits(reply=100, recalled=100, summary=50))
    ended: list[SessionId] = field(default_factory=list)
    spent: str = ""
    background: ModelChoice | None = field(default_factory=a_choice)
    clock: FakeClock = field(default_factory=FakeClock)
    counter: WordCounter = field(default_factory=WordCounter)
    memories: FakeMemoryStore = field(default_factory=FakeMemoryStore)
    turns: FakeTurnIndex = field(default_factory=FakeTurnIndex)

    @cached_property
    def log(self) -> FakeSessionLog:
        return FakeSessionLog(self.clock)

    @cached_property
    def journal(self) -> FakeJournal:
        return FakeJournal(self.log)

    @cached_property
    def feedback(self) -> FakeFeedback:
        return FakeFeedback(self.log)

    @cached_property
    def meter(self) -> FakeMeter:
        return FakeMeter(self.log)

    @cached_property
    def recall(self) -> Recall:
        indexes = Indexes(
            memories=self.memories,
            turns=self.turns,
            journal=self.journal,
            feedback=self.feedback,
            talk=FakeTalk(self.log),
        )
        return Recall(indexes, self.embedder, self.counter, self.clock)

    @cached_property
    def explaining(self) -> Explaining:
        return Explaining(self.log, self.memories, self.feedback)

    @cached_property
    def eraser(self) -> FakeSessionEraser:
        return FakeSessionEraser(self.log)

    @cached_property
    def forgetting(self) -> Forgetting:
        places = Places(
            log=self.log,
            wordings=FakeWordings(self.log, self.journal),
            sessions=self.eraser,
            journal=self.journal,
            memories=self.memories,
            turns=self.turns,
            files=(self.memories, self.turns),
        )
        return Forgetting(places, self.embedder, self.clock)

    @cached_property
    def parts(self) -> Parts:
        return Parts(
            log=self.log,
            recall=self.recall,
            chat_model=self.chat_model,
            counter=self.counter,
            clock=self.clock,
            meter=self.meter,
            screening=Screening(FakeSecretDetector(), self.meter),
            ended=self.ended.append,
            limits=self.limits,
            chat_budget=lambda choice: "" if choice.builtin else self.spent,
            background=lambda: self.background,
        )

    def conversation(
        self, strategy: Strategy = Strategy.SLIDING, session: Session | None = None, context: int | None = None
    ) -> Conversation:
        begun = session or Session(id=SessionId("s1"), title="New", started_at=NOON)
        return Conversation(self.parts, session=begun, choice=a_choice(context_tokens=context), strategy=strategy)

    def said(self, *turns: Turn, session: Session | None = None) -> None:
        """Put turns into the log and the index."""
        self.log.open_session(session or a_session())
        logged = [self.log.append(turn) for turn in turns]
        self.turns.put(logged, self.embedder.embed([turn.text for turn in logged]))
        self.log.mark_indexed(logged)

    def remembers(self, *memories: Memory) -> None:
        """Put memories into the journal and the store."""
        changes = tuple(Change(before=None, after=memory) for memory in memories)
        self.journal.record(ChangeSet(id=ChangeSetId("c1"), made_at=NOON, cause=Cause.CONSOLIDATION, changes=changes))
        self.journal.mark_applied(ChangeSetId("c1"))
        self.memories.put(memories, self.embedder.embed([memory.text for memory in memories]))

    def everything_said(self) -> Sequence[Turn]:
        return [turn for session in self.log.sessions() for turn in self.log.turns(session.id)]
