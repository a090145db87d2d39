"""The services behind the memory screen, on the fakes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from chatmem.consolidation.curator import Curator
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.errors import NotFoundError, StoreError
from chatmem.domain.memory import Memory, MemoryId, Quote
from chatmem.domain.outline import Outline
from chatmem.domain.turn import Role, SessionId, Turn, TurnId
from chatmem.forgetting.forgetting import Forgetting
from chatmem.forgetting.plan import Places
from chatmem.ports.memory_store import Erasable, MemoryFilter
from chatmem.recall.recall import Indexes, Recall
from tests.fakes.builders import NOON, a_fact, a_session, a_turn
from tests.fakes.clock import FakeClock
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.feedback import FakeFeedback
from tests.fakes.journal import FakeJournal
from tests.fakes.memory_store import FakeMemoryStore, FakeTurnIndex
from tests.fakes.session_eraser import FakeSessionEraser
from tests.fakes.session_log import FakeSessionLog
from tests.fakes.talk import FakeTalk
from tests.fakes.token_counter import WordCounter
from tests.fakes.wordings import FakeWordings


class FailingMemoryStore(FakeMemoryStore):
    """A memory store whose files can't be read while `broken` says why."""

    def __init__(self) -> None:
        super().__init__()
        self.broken = ""

    def select(self, where: MemoryFilter, *, limit: int | None = None, offset: int = 0) -> list[Memory]:
        self._check()
        return super().select(where, limit=limit, offset=offset)

    def outline(self) -> Outline:
        self._check()
        return super().outline()

    def get(self, ids: Sequence[MemoryId]) -> list[Memory]:
        self._check()
        return super().get(ids)

    def _check(self) -> None:
        if self.broken:
            raise StoreError(self.broken)


@dataclass(frozen=True, slots=True)
class Saying:
    """A turn, and the words of it that a memory rests on."""

    turn: Turn
    words: str


class MemoryServices:
    """Real recall, curator and forgetting over fakes.

    Attributes:
        files: What forgetting scrubs; a test may add to it.
    """

    def __init__(self) -> None:
        clock, embedder = FakeClock(NOON + timedelta(days=60)), FakeEmbedder()
        self.clock = clock
        self.log = FakeSessionLog(clock)
        self.memories = FailingMemoryStore()
        turns, journal = FakeTurnIndex(), FakeJournal(self.log)
        self.journal = journal
        self.files: list[Erasable] = [self.memories, turns]
        self.recall = Recall(
            Indexes(
                memories=self.memories,
                turns=turns,
                journal=journal,
                feedback=FakeFeedback(self.log),
                talk=FakeTalk(self.log),
            ),
            embedder,
            WordCounter(),
            clock,
        )
        places = Places(
            log=self.log,
            wordings=FakeWordings(self.log, journal),
            sessions=FakeSessionEraser(self.log),
            journal=journal,
            memories=self.memories,
            turns=turns,
            files=self.files,
        )
        self.forgetting = Forgetting(places, embedder, clock)
        self.writer = MemoryWriter(journal=journal, store=self.memories, embedder=embedder, clock=clock)
        self.curator = Curator(self.writer)
        self._embedder = embedder
        self._turns = turns

    def say(self, text: str, *, session: int = 1, title: str = "Moving to Porto", role: Role = Role.USER) -> Turn:
        session_id = SessionId(f"s{session}")
        try:
            seq = len(self.log.turns(session_id)) + 1
        except NotFoundError:
            self.log.open_session(a_session(session, title=title))
            seq = 1
        turn = a_turn(seq, text, id=TurnId(f"s{session}t{seq}"), session_id=session_id, role=role)
        self._turns.put([turn], self._embedder.embed([text]))
        return self.log.append(turn)

    def learn(self, text: str, *sayings: Saying, day: int = 0, **changes: object) -> Memory:
        """Store a memory, learned some days after `NOON`."""
        at = NOON + timedelta(days=day)
        quotes = tuple(
            Quote(session_id=said.turn.session_id, turn_id=said.turn.id, text=said.words, said_at=said.turn.said_at)
            for said in sayings
        )
        times = {"created_at": at, "updated_at": at, "valid_from": at}
        memory = a_fact(text, **({"quotes": quotes} | times | changes))
        self.memories.put([memory], self._embedder.embed([text]))
        return memory
