"""What was said around a turn, from a session log in memory."""

from collections.abc import Collection, Mapping

from chatmem.domain.errors import NotFoundError
from chatmem.domain.recall import Said, Summary
from chatmem.domain.turn import SessionId, Turn, TurnId
from chatmem.ports.session_log import SessionLog


class FakeTalk:
    """A `Talk` that reads the log turn by turn."""

    def __init__(self, log: SessionLog) -> None:
        self._log = log

    def around(self, ids: Collection[TurnId], *, before: int, after: int) -> list[Said]:
        found: dict[TurnId, Turn] = {}
        for turn_id in ids:
            try:
                hit = self._log.turn(turn_id)
            except NotFoundError:
                continue
            near = self._log.turns(hit.session_id, first=hit.seq - before, last=hit.seq + after)
            if hit in near:
                found |= {turn.id: turn for turn in near}
        ordered = sorted(found.values(), key=lambda turn: (turn.session_id, turn.seq))
        return [_said(turn) for turn in ordered if turn.text and not turn.off_record]

    def summaries(self, ids: Collection[SessionId]) -> Mapping[SessionId, Summary]:
        sessions = sorted((item for item in self._log.sessions() if item.id in ids), key=lambda item: item.id)
        return {
            item.id: Summary(text=item.summary, last_at=item.last_at or item.started_at)
            for item in sessions
            if item.summary and not any(turn.off_record for turn in self._log.turns(item.id, every_branch=True))
        }

    def speakers(self) -> frozenset[str]:
        sessions = self._log.sessions()
        turns = (turn for session in sessions for turn in self._log.turns(session.id, every_branch=True))
        return frozenset(turn.speaker for turn in turns if turn.speaker)


def _said(turn: Turn) -> Said:
    return Said(
        turn_id=turn.id,
        session_id=turn.session_id,
        seq=turn.seq,
        role=turn.role,
        speaker=turn.speaker,
        text=turn.text,
        said_at=turn.said_at,
    )
