"""A session log in memory."""

import copy
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from chatmem.domain.errors import NotFoundError
from chatmem.domain.model import Usage
from chatmem.domain.recall import Recalled
from chatmem.domain.turn import AttachmentId, Role, Session, SessionId, Turn, TurnId, TurnStatus
from chatmem.ports.clock import Clock
from tests.fakes.clock import FakeClock


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallNote:
    """What was recalled for one turn: id, score and whether it was injected, best first; and the terms of scores."""

    items: tuple[tuple[str, float, bool], ...]
    ms: float
    parts: Mapping[str, tuple[tuple[str, float], ...]] = field(default_factory=dict)


class FakeSessionLog:
    """Keeps sessions and turns in dicts; the other SQLite fakes look into them, as the real ones share a file."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.lock = threading.RLock()
        self.notes: dict[TurnId, RecallNote] = {}
        self.used: dict[TurnId, tuple[Usage, float]] = {}
        self.followed_at: dict[SessionId, datetime] = {}
        self._clock = clock or FakeClock()
        self._sessions: dict[SessionId, Session] = {}
        self._turns: dict[SessionId, list[Turn]] = {}
        self._ends: dict[SessionId, TurnId | None] = {}
        self._contents: dict[AttachmentId, bytes] = {}
        self._drafts: dict[SessionId | None, str] = {}
        self._saved_at: dict[TurnId, datetime] = {}
        self._indexed: set[TurnId] = set()

    @contextmanager
    def together(self) -> Iterator[None]:
        with self.lock:
            before = copy.deepcopy({name: value for name, value in vars(self).items() if isinstance(value, dict | set)})
            try:
                yield
            except BaseException:
                vars(self).update(before)
                raise

    def open_session(self, session: Session) -> None:
        with self.lock:
            if session.id not in self._sessions:
                self._sessions[session.id] = replace(session, turn_count=0, aside_count=0, last_at=None)
                self._turns[session.id] = []
                self._ends[session.id] = None

    def session(self, session_id: SessionId) -> Session:
        with self.lock:
            if session_id not in self._sessions:
                raise NotFoundError(f"There is no session {session_id}.")
            turns = self._turns[session_id]
            session = self._sessions[session_id]
            return replace(
                session,
                turn_count=len(turns),
                aside_count=len(turns) - len(self._path(session_id)),
                last_at=turns[-1].said_at if turns else session.started_at,
            )

    def sessions(self, *, limit: int | None = None) -> list[Session]:
        with self.lock:
            spoken = [self.session(session_id) for session_id, turns in self._turns.items() if turns]
        oldest_first = sorted(spoken, key=lambda session: session.last_at or session.started_at)
        return oldest_first[::-1][:limit]

    def rename(self, session_id: SessionId, title: str) -> None:
        self._change_session(session_id, title=_storable(title))

    def set_model(self, session_id: SessionId, model: str) -> None:
        self._change_session(session_id, model=model)

    def set_off_record(self, session_id: SessionId, off_record: bool) -> None:
        self._change_session(session_id, off_record=off_record)

    def save_summary(self, session_id: SessionId, summary: str, summarised_to: int) -> None:
        self._change_session(session_id, summary=_storable(summary), summarised_to=summarised_to)

    def append(self, turn: Turn, contents: Sequence[bytes] = ()) -> Turn:
        with self.lock:
            self.session(turn.session_id)
            return self._add(turn, contents, self._ends[turn.session_id])

    def append_beside(self, turn: Turn, other: TurnId, contents: Sequence[bytes] = ()) -> Turn:
        with self.lock:
            self.session(turn.session_id)
            before = self._path(turn.session_id)
            added = self._add(turn, contents, self.turn(other).parent_id)
            self._drop_summary(turn.session_id, before)
            return added

    def follow(self, turn_id: TurnId) -> None:
        with self.lock:
            turn = self.turn(turn_id)
            before = self._path(turn.session_id)
            after = {turn_id}
            for later in self._turns[turn.session_id][turn.seq :]:
                if later.parent_id in after:
                    after.add(later.id)
                    turn = later
            self._ends[turn.session_id] = turn.id
            self.followed_at[turn.session_id] = self._clock.now()
            self._drop_summary(turn.session_id, before)

    def alternatives(self, session_id: SessionId) -> Mapping[TurnId, tuple[TurnId, ...]]:
        with self.lock:
            self.session(session_id)
            beside: dict[TurnId | None, list[TurnId]] = {}
            for turn in self._turns[session_id]:
                beside.setdefault(turn.parent_id, []).append(turn.id)
            current = [turn for turn in self._path(session_id) if len(beside[turn.parent_id]) > 1]
            return {turn.id: tuple(beside[turn.parent_id]) for turn in current}

    def save_reply(
        self,
        turn_id: TurnId,
        *,
        text: str,
        status: TurnStatus,
        error: str | None = None,
        reasoning: str = "",
        finish_reason: str | None = None,
    ) -> bool:
        with self.lock:
            turn = self.turn(turn_id)
            if not _arriving(turn):
                return False
            self._replace(
                replace(
                    turn,
                    text=_storable(text),
                    status=status,
                    error=error,
                    reasoning=_storable(reasoning),
                    finish_reason=finish_reason,
                )
            )
            self._saved_at[turn_id] = self._clock.now()
            return True

    def resume_reply(self, turn_id: TurnId, model: str) -> Turn:
        with self.lock:
            going_on = {"status": TurnStatus.STREAMING, "error": None, "finish_reason": None, "model": model}
            self._replace(replace(self.turn(turn_id), **going_on))  # type: ignore[arg-type]  # the fields are above
            self._saved_at[turn_id] = self._clock.now()
            return self.turn(turn_id)

    def cut_replies(self, error: str) -> list[Turn]:
        with self.lock:
            cut = [replace(turn, error=error) for turn in self._all_turns() if _arriving(turn)]
            for turn in cut:
                streaming = turn.status is TurnStatus.STREAMING
                self._replace(replace(turn, status=TurnStatus.FAILED if streaming else turn.status))
            return [self.turn(turn.id) for turn in cut]

    def answered_by(self, turn_id: TurnId, model: str) -> None:
        with self.lock:
            turn = self.turn(turn_id)
            self._turns[turn.session_id][turn.seq - 1] = replace(turn, model=model)

    def save_usage(self, turn_id: TurnId, usage: Usage, *, ms: float) -> None:
        with self.lock:
            self.turn(turn_id)
            self.used[turn_id] = (usage, ms)

    def usage(self, session_id: SessionId) -> Mapping[TurnId, Usage]:
        with self.lock:
            self.session(session_id)
            return {turn.id: self.used[turn.id][0] for turn in self._turns[session_id] if turn.id in self.used}

    def attachment(self, attachment_id: AttachmentId) -> bytes:
        with self.lock:
            if attachment_id not in self._contents:
                raise NotFoundError(f"There is no attachment {attachment_id}.")
            return self._contents[attachment_id]

    def turn(self, turn_id: TurnId) -> Turn:
        with self.lock:
            for turn in self._all_turns():
                if turn.id == turn_id:
                    return turn
        raise NotFoundError(f"There is no turn {turn_id}.")

    def turns(
        self, session_id: SessionId, *, first: int = 1, last: int | None = None, every_branch: bool = False
    ) -> list[Turn]:
        with self.lock:
            self.session(session_id)
            turns = self._turns[session_id] if every_branch else self._path(session_id)
            return [turn for turn in turns if first <= turn.seq and (last is None or turn.seq <= last)]

    def search(self, text: str, *, session_id: SessionId | None = None, limit: int = 100) -> list[Turn]:
        with self.lock:
            sessions = [self.session(session_id).id] if session_id is not None else list(self._sessions)
            current = {turn.id for one in sessions for turn in self._path(one)}
            found = [turn for turn in self._newest_first() if turn.id in current and _holds(turn.text, text)]
        return found[:limit]

    def said(self, *, limit: int) -> list[str]:
        with self.lock:
            texts = [turn.text for turn in self._newest_first() if turn.role is Role.USER]
        return list(dict.fromkeys(texts))[:limit]

    def models_used(self, *, limit: int) -> list[str]:
        with self.lock:
            used = [(turn.said_at, turn.model) for turn in self._all_turns() if turn.model]
            used += [(one.last_at or one.started_at, one.model) for one in self.sessions() if one.model]
        last = {model: at for at, model in sorted(used)}
        return sorted(sorted(last), key=lambda model: last[model], reverse=True)[:limit]

    def save_draft(self, session_id: SessionId | None, text: str) -> None:
        with self.lock:
            if session_id is not None:
                self.session(session_id)
            self._drafts[session_id] = _storable(text)

    def draft(self, session_id: SessionId | None) -> str:
        with self.lock:
            if session_id is not None:
                self.session(session_id)
            return self._drafts.get(session_id, "")

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
            noted = {id_: (score, True) for id_, score, injected in self.recalled(turn_id) if injected}
            noted |= {item.id: (item.score, item.injected or item.id in noted) for item in recalled}
            items = sorted(((id_, *rest) for id_, rest in noted.items()), key=lambda item: -item[1])
            parts = dict(self.notes[turn_id].parts) if turn_id in self.notes else {}
            parts |= {item.id: item.parts for item in recalled if item.parts}
            self.notes[turn_id] = RecallNote(items=tuple(items), ms=ms, parts=parts)

    def recalled(self, turn_id: TurnId) -> list[tuple[str, float, bool]]:
        with self.lock:
            self.turn(turn_id)
            note = self.notes.get(turn_id)
            return list(note.items) if note else []

    def shown(self, ids: Collection[str]) -> set[TurnId]:
        with self.lock:
            return {
                turn_id
                for turn_id, note in self.notes.items()
                if any(injected and id_ in ids for id_, _, injected in note.items)
            }

    def unindexed(self, *, limit: int) -> list[Turn]:
        with self.lock:
            waiting = [
                turn
                for turn in self._all_turns()
                if not (turn.id in self._indexed or turn.off_record or turn.status is TurnStatus.STREAMING)
            ]
        return sorted(waiting, key=lambda turn: turn.said_at)[::-1][:limit]

    def mark_indexed(self, turns: Sequence[Turn]) -> None:
        with self.lock:
            present = {turn.id: turn.text for turn in self._all_turns()}
            self._indexed |= {turn.id for turn in turns if present.get(turn.id) == turn.text}

    def mark_all_unindexed(self) -> None:
        with self.lock:
            self._indexed.clear()

    def redact(self, turn_id: TurnId, text: str, error: str | None = None) -> None:
        with self.lock:
            turn = self.turn(turn_id)
            for one in turn.attachments:
                del self._contents[one.id]
            self._replace(replace(turn, text=_storable(text), error=error, reasoning="", attachments=()))

    def every_id(self) -> list[SessionId]:
        """All sessions, also empty ones; not of the port."""
        with self.lock:
            return list(self._sessions)

    def erase(self, session_id: SessionId) -> list[TurnId]:
        """Take a session out with all that hangs on it, and return its turns; not of the port."""
        with self.lock:
            turns = self._turns.pop(session_id, [])
            gone = {turn.id for turn in turns}
            for one in (one for turn in turns for one in turn.attachments):
                del self._contents[one.id]
            self._sessions.pop(session_id, None)
            self._ends.pop(session_id, None)
            self._drafts.pop(session_id, None)
            self._indexed -= gone
            for turn_id in gone:
                self.notes.pop(turn_id, None)
                self.used.pop(turn_id, None)
                self._saved_at.pop(turn_id, None)
            for turn_id, note in self.notes.items():
                self.notes[turn_id] = replace(note, items=tuple(item for item in note.items if item[0] not in gone))
            return [turn.id for turn in turns]

    def _add(self, turn: Turn, contents: Sequence[bytes], parent_id: TurnId | None) -> Turn:
        if turn.id in self._saved_at:
            return self.turn(turn.id)
        turns = self._turns[turn.session_id]
        added = replace(
            turn,
            seq=len(turns) + 1,
            text=_storable(turn.text),
            reasoning=_storable(turn.reasoning),
            parent_id=parent_id,
            off_record=turn.off_record or self._sessions[turn.session_id].off_record,
        )
        turns.append(added)
        self._contents |= {one.id: content for one, content in zip(turn.attachments, contents, strict=True)}
        self._ends[turn.session_id] = turn.id
        self._saved_at[turn.id] = self._clock.now()
        return added

    def _path(self, session_id: SessionId) -> list[Turn]:
        """The turns of the current branch, in order."""
        path, following = [], self._ends[session_id]
        for turn in reversed(self._turns[session_id]):
            if turn.id == following:
                path.append(turn)
                following = turn.parent_id
        return path[::-1]

    def _drop_summary(self, session_id: SessionId, before: Sequence[Turn]) -> None:
        """Drop the summary if it covers a turn that has left the current branch, or misses one that has come."""
        moved = {turn.id: turn.seq for turn in before}.items() ^ {
            turn.id: turn.seq for turn in self._path(session_id)
        }.items()
        if min((seq for _, seq in moved), default=0) <= self._sessions[session_id].summarised_to and moved:
            self._change_session(session_id, summary="", summarised_to=0)

    def _newest_first(self) -> list[Turn]:
        added = list(self._saved_at)
        return sorted(self._all_turns(), key=lambda turn: (turn.said_at, added.index(turn.id)), reverse=True)

    def _all_turns(self) -> list[Turn]:
        return [turn for turns in self._turns.values() for turn in turns]

    def _replace(self, turn: Turn) -> None:
        self._turns[turn.session_id][turn.seq - 1] = turn
        self._indexed.discard(turn.id)

    def _change_session(self, session_id: SessionId, **changes: str | int) -> None:
        with self.lock:
            self.session(session_id)
            self._sessions[session_id] = replace(self._sessions[session_id], **changes)  # type: ignore[arg-type]  # the callers are above


def _arriving(turn: Turn) -> bool:
    return turn.status in {TurnStatus.STREAMING, TurnStatus.INTERRUPTED} and turn.error is None


def _storable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _holds(text: str, wanted: str) -> bool:
    return bool(wanted) and wanted.casefold() in text.casefold()
