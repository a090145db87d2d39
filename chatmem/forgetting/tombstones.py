"""What forgetting left behind, as the person may see it, and taking it away."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from chatmem.domain.errors import NotFoundError
from chatmem.domain.forgetting import TombstoneId
from chatmem.domain.memory import Kind
from chatmem.ports.journal import Journal
from chatmem.ports.session_eraser import SessionEraser

_SESSIONS = "sessions-"
"""How the id begins of what stands for sessions that were forgotten together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gravestone:
    """A tombstone, without anything that could tell what lies under it.

    Attributes:
        id: To remove it by.
        made_at: When it was forgotten.
        of: What it was: `fact`, `episode`, `procedure`, `memory` where the kind was not kept, or `sessions`.
        marks: By how many hashes and words it is known again.
        paraphrases: Whether it is known in other words too, by its likeness.
    """

    id: str
    made_at: datetime
    of: str
    marks: int
    paraphrases: bool


class Tombstones:
    """Lists tombstones, and removes them, so that what was forgotten may be learned again. Methods block.

    Args:
        journal: Keeps those of memories.
        sessions: Keeps those of sessions.
    """

    def __init__(self, journal: Journal, sessions: SessionEraser) -> None:
        self._journal = journal
        self._sessions = sessions

    def list(self) -> Sequence[Gravestone]:
        """All there are, the newest first.

        Raises:
            StoreError: If they could not be read.
        """
        memories = [
            Gravestone(
                id=one.id,
                made_at=one.made_at,
                of=_word(one.kind),
                marks=len(one.hashes) + len(one.marks),
                paraphrases=one.code is not None,
            )
            for one in self._journal.tombstones()
        ]
        sessions = [
            Gravestone(id=_id_of(made_at), made_at=made_at, of="sessions", marks=count, paraphrases=False)
            for made_at, count in self._sessions.known_since().items()
        ]
        return sorted([*memories, *sessions], key=lambda one: one.made_at, reverse=True)

    def remove(self, ids: Sequence[str]) -> None:
        """Remove some; nothing is where one of them is not there.

        Raises:
            NotFoundError: If there is none of one of the ids.
            StoreError: If they could not be read or written.
        """
        memories = {one.id for one in self._journal.tombstones()}
        sessions = {_id_of(made_at): made_at for made_at in self._sessions.known_since()}
        for id_ in ids:
            if id_ not in memories and id_ not in sessions:
                raise NotFoundError(f"There is no tombstone {id_}. `chatmem memory tombstones` lists them.")
        self._journal.unbury([TombstoneId(id_) for id_ in ids if id_ in memories])
        for id_ in ids:
            if id_ in sessions:
                self._sessions.know_no_more(sessions[id_])


def _word(kind: Kind | None) -> str:
    return kind.word if kind else "memory"


def _id_of(made_at: datetime) -> str:
    return f"{_SESSIONS}{made_at:%Y%m%d%H%M%S%f}"
