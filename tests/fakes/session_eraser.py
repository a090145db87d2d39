"""Erases sessions from the session log in memory."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from chatmem.domain.turn import SessionId, TurnId
from tests.fakes.session_log import FakeSessionLog


class FakeSessionEraser:
    """Keeps the hashes of what it took out of `log`."""

    def __init__(self, log: FakeSessionLog) -> None:
        self._log = log
        self._going: set[SessionId] = set()
        self._known: dict[bytes, datetime] = {}

    def every(self) -> list[SessionId]:
        return self._log.every_id()

    def begin(self, ids: Sequence[SessionId], hashes: Collection[bytes], at: datetime) -> None:
        self._going |= set(ids)
        self._known = dict.fromkeys(hashes, at) | self._known

    def unfinished(self) -> list[SessionId]:
        return sorted(self._going)

    def erase(self, ids: Sequence[SessionId]) -> list[TurnId]:
        return [turn_id for session_id in ids for turn_id in self._log.erase(session_id)]

    def end(self) -> None:
        self._going.clear()

    def known(self) -> frozenset[bytes]:
        return frozenset(self._known)

    def known_since(self) -> Mapping[datetime, int]:
        return dict(sorted(Counter(self._known.values()).items()))

    def know_no_more(self, at: datetime) -> None:
        self._known = {hashed: made_at for hashed, made_at in self._known.items() if made_at != at}
