"""A session log in memory."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from chatmem.domain.errors import NotFoundError
from chatmem.domain.model import Usage
from chatmem.domain.recall import Recalled
from chatmem.domain.turn import Session, SessionId, Turn, TurnId, TurnStatus
from chatmem.ports.clock import Clock
from tests.fakes.clock import FakeClock


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallNote:
    """What was recalled for one turn: id, score and whether it was injected, best first."""

    items: tuple[tuple[str, float, bool], ...]
    ms: float


class FakeSessionLog:
    """Keeps sessions and turns in dicts; the other SQLite fakes look into them, as the real ones share a file."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.lock = threading.RLock()
        self.notes: dict[TurnId, RecallNote] = {}
        self.usage: dict[TurnId, tuple[Usage, float]] = {}
        self._clock = clock or FakeClock()
        self._sessions: dict[SessionId, Session] = {}
        self._turns: dict[SessionId, list[Turn]] = {}
        self._saved_at: dict[TurnId, datetime] = {}
        self._indexed: set[TurnId] = set()

    def open_session(self, session: Session) -> None:
        with self.lock:
            if session.id not in self._sessions:
                self._sessions[session.id] = replace(session, turn_count=0, last_at=None)
                self._turns[session.id] = []

    def session(self, session_id: SessionId) -> Session:
        with self.lock:
            if session_id not in self._sessions:
                raise NotFoundError(f"There is no session {session_id}.")
            turns = self._turns[session_id]
            session = self._sessions[session_id]
            return replace(session, turn_count=len(turns), last_at=turns[-1].said_at if turns else session.started_at)

    def sessions(self, *, limit: int | None = None) -> list[Session]:
        with self.lock:
            spoken = [self.session(session_id) for session_id, turns in self._turns.items() if turns]
        oldest_first = sorted(spoken, key=lambda session: session.last_at or session.started_at)
        return oldest_first[::-1][:limit]

    def rename(self, session_id: SessionId, title: str) -> None:
        self._change_session(session_id, title=_storable(title))

    def set_model(self, session_id: SessionId, model: str) -> None:
        self._change_session(session_id, model=model)

    def save_summary(self, session_id: SessionId, summary: str, summarised_to: int) -> None:
        self._change_session(session_id, summary=_storable(summary), summarised_to=summarised_to)

    def append(self, turn: Turn) -> Turn:
        with self.lock:
            if turn.id in self._saved_at:
                return self.turn(turn.id)
            self.session(turn.session_id)
            turns = self._turns[turn.session_id]
            added = replace(turn, seq=len(turns) + 1, text=_storable(turn.text))
            turns.append(added)
            self._saved_at[turn.id] = self._clock.now()
            return added

    def save_reply(self, turn_id: TurnId, *, text: str, status: TurnStatus, error: str | None = None) -> None:
        with self.lock:
            self._replace(replace(self.turn(turn_id), text=_storable(text), status=status, error=error))
            self._saved_at[turn_id] = self._clock.now()

    def save_usage(self, turn_id: TurnId, usage: Usage, *, ms: float) -> None:
        with self.lock:
            self.turn(turn_id)
            self.usage[turn_id] = (usage, ms)

    def turn(self, turn_id: TurnId) -> Turn:
        with self.lock:
            for turn in self._all_turns():
                if turn.id == turn_id:
                    return turn
        raise NotFoundError(f"There is no turn {turn_id}.")

    def turns(self, session_id: SessionId, *, first: int = 1, last: int | None = None) -> list[Turn]:
        with self.lock:
            self.session(session_id)
            return self._turns[session_id][max(first, 1) - 1 : last]

    def close_interrupted(self, before: datetime) -> int:
        with self.lock:
            stale = [
                turn
                for turn in self._all_turns()
                if turn.status is TurnStatus.STREAMING and self._saved_at[turn.id] < before
            ]
            for turn in stale:
                self._replace(replace(turn, status=TurnStatus.INTERRUPTED))
        return len(stale)

    def save_recalled(self, turn_id: TurnId, recalled: Sequence[Recalled], *, ms: float) -> None:
        with self.lock:
            self.turn(turn_id)
            items = sorted(((item.id, item.score, item.injected) for item in recalled), key=lambda item: -item[1])
            self.notes[turn_id] = RecallNote(items=tuple(items), ms=ms)

    def recalled(self, turn_id: TurnId) -> list[tuple[str, float, bool]]:
        with self.lock:
            self.turn(turn_id)
            note = self.notes.get(turn_id)
            return list(note.items) if note else []

    def unindexed(self, *, limit: int) -> list[Turn]:
        with self.lock:
            waiting = [
                turn
                for turn in self._all_turns()
                if turn.id not in self._indexed and turn.status is not TurnStatus.STREAMING
            ]
        return sorted(waiting, key=lambda turn: turn.said_at)[:limit]

    def mark_indexed(self, turns: Sequence[Turn]) -> None:
        with self.lock:
            present = {turn.id: turn.text for turn in self._all_turns()}
            self._indexed |= {turn.id for turn in turns if present.get(turn.id) == turn.text}

    def mark_all_unindexed(self) -> None:
        with self.lock:
            self._indexed.clear()

    def redact(self, turn_id: TurnId, text: str) -> None:
        with self.lock:
            self._replace(replace(self.turn(turn_id), text=_storable(text)))

    def _all_turns(self) -> list[Turn]:
        return [turn for turns in self._turns.values() for turn in turns]

    def _replace(self, turn: Turn) -> None:
        self._turns[turn.session_id][turn.seq - 1] = turn
        self._indexed.discard(turn.id)

    def _change_session(self, session_id: SessionId, **changes: str | int) -> None:
        with self.lock:
            self.session(session_id)
            self._sessions[session_id] = replace(self._sessions[session_id], **changes)  # type: ignore[arg-type]  # the callers are above


def _storable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
