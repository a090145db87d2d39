"""What became of what was recalled, in memory; it looks into the session log's fake, as the real ones share a file."""

from collections.abc import Collection, Mapping

from chatmem.domain.errors import NotFoundError
from chatmem.domain.recall import Opinion, Tier
from chatmem.domain.turn import TurnId
from tests.fakes.session_log import FakeSessionLog


class FakeFeedback:
    """A `Feedback` without a file."""

    def __init__(self, log: FakeSessionLog) -> None:
        self._log = log
        self._tiers: dict[TurnId, Tier | None] = {}
        self._used: dict[TurnId, dict[str, bool]] = {}
        self._marks: dict[TurnId, dict[str, bool]] = {}
        self._opinions: dict[TurnId, Opinion] = {}

    def save(self, turn_id: TurnId, tier: Tier | None, used: Collection[str]) -> None:
        with self._log.lock:
            if turn_id in self._log.notes:
                self._tiers[turn_id] = tier
                self._used[turn_id] = {id_: id_ in used for id_ in self._recalled(turn_id)}

    def tier(self, turn_id: TurnId) -> Tier | None:
        with self._log.lock:
            return self._tiers.get(turn_id)

    def mark(self, turn_id: TurnId, item_id: str, *, used: bool) -> None:
        with self._log.lock:
            if item_id not in self._recalled(turn_id):
                raise NotFoundError(f"{item_id} was not recalled for the turn {turn_id}.")
            self._marks.setdefault(turn_id, {})[item_id] = used

    def used(self, turn_id: TurnId) -> Mapping[str, bool]:
        with self._log.lock:
            return self._used.get(turn_id, {}) | self._marks.get(turn_id, {})

    def parts(self, turn_id: TurnId) -> Mapping[str, tuple[tuple[str, float], ...]]:
        with self._log.lock:
            note = self._log.notes.get(turn_id)
            there = self._recalled(turn_id)
            return {id_: parts for id_, parts in note.parts.items() if id_ in there} if note else {}

    def save_opinion(self, answer_id: TurnId, opinion: Opinion) -> None:
        with self._log.lock:
            self._opinions[answer_id] = opinion

    def opinion(self, answer_id: TurnId) -> Opinion | None:
        with self._log.lock:
            return self._opinions.get(answer_id)

    def _recalled(self, turn_id: TurnId) -> list[str]:
        note = self._log.notes.get(turn_id)
        return [item[0] for item in note.items] if note else []
