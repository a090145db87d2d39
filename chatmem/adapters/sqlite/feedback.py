"""What became of what was recalled, in SQLite."""

import json
from collections.abc import Collection, Mapping

from chatmem.adapters.sqlite.database import Database
from chatmem.domain.errors import NotFoundError
from chatmem.domain.recall import Opinion, Tier
from chatmem.domain.turn import TurnId

_SAVE_TIER = "UPDATE recalls SET tier = ? WHERE turn_id = ?"
_TIER = "SELECT tier FROM recalls WHERE turn_id = ?"
_OF_TURN = "recall = (SELECT number FROM recalls WHERE turn_id = ?1)"
_SAVE_USED = f"""
    UPDATE recalled_items SET used = item_id IN (SELECT value FROM json_each(?2))
    WHERE {_OF_TURN} AND is_marked = 0"""  # noqa: S608  # of the constant above
_MARK = f"UPDATE recalled_items SET used = ?3, is_marked = 1 WHERE {_OF_TURN} AND item_id = ?2"  # noqa: S608
_USED = f"SELECT item_id, used FROM recalled_items WHERE {_OF_TURN} AND used IS NOT NULL ORDER BY place"  # noqa: S608
_PARTS = f"SELECT item_id, parts FROM recalled_items WHERE {_OF_TURN} AND parts IS NOT NULL ORDER BY place"  # noqa: S608
_SAVE_OPINION = """
    INSERT INTO opinions (turn_id, is_liked, is_marked) VALUES (?, ?, ?)
    ON CONFLICT (turn_id) DO UPDATE SET is_liked = excluded.is_liked, is_marked = excluded.is_marked"""
_OPINION = "SELECT is_liked, is_marked FROM opinions WHERE turn_id = ?"


class SqliteFeedback:
    """A `Feedback` on the profile's database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, turn_id: TurnId, tier: Tier | None, used: Collection[str]) -> None:
        """Note where the best of what was recalled for a user's turn lay, and which of it the answer used."""
        with self._database.writing() as statements:
            statements.execute(_SAVE_TIER, tier.value if tier else None, turn_id)
            statements.execute(_SAVE_USED, turn_id, json.dumps(list(used)))

    def tier(self, turn_id: TurnId) -> Tier | None:
        """Where the best of what was recalled for a user's turn lay, as noted last."""
        return next((Tier(row["tier"]) for row in self._database.rows(_TIER, turn_id) if row["tier"]), None)

    def mark(self, turn_id: TurnId, item_id: str, *, used: bool) -> None:
        """Note the person's word on an item that was recalled for their turn.

        Raises:
            NotFoundError: If the item was not recalled for this turn.
        """
        with self._database.writing() as statements:
            if not statements.execute(_MARK, turn_id, item_id, used).rowcount:
                raise NotFoundError(f"{item_id} was not recalled for the turn {turn_id}.")

    def used(self, turn_id: TurnId) -> Mapping[str, bool]:
        """Of the items recalled for a user's turn whether they were used, as far as that is known."""
        return {row["item_id"]: bool(row["used"]) for row in self._database.rows(_USED, turn_id)}

    def parts(self, turn_id: TurnId) -> Mapping[str, tuple[tuple[str, float], ...]]:
        """The terms of the score of each item recalled for a user's turn, as far as they were noted."""
        rows = self._database.rows(_PARTS, turn_id)
        return {row["item_id"]: tuple(json.loads(row["parts"]).items()) for row in rows}

    def save_opinion(self, answer_id: TurnId, opinion: Opinion) -> None:
        """Note what the person thinks of an answer, in place of what was noted before."""
        with self._database.writing() as statements:
            statements.execute(_SAVE_OPINION, answer_id, opinion.liked, opinion.marked)

    def opinion(self, answer_id: TurnId) -> Opinion | None:
        """What the person thinks of an answer; `None` where that is not known."""
        rows = self._database.rows(_OPINION, answer_id)
        return next((Opinion(liked=bool(row["is_liked"]), marked=bool(row["is_marked"])) for row in rows), None)
