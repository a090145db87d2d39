"""Knowing forgotten sessions again, so that no import brings them back."""

from collections.abc import Iterable

from chatmem.domain.forgetting import session_id_hash, talk_hash
from chatmem.domain.turn import SessionId
from chatmem.ports.journal import Journal
from chatmem.ports.session_eraser import SessionEraser


class KnownSessions:
    """Tells whether a session was forgotten, from hashes that tell nothing else. Methods block."""

    def __init__(self, sessions: SessionEraser, journal: Journal) -> None:
        self._sessions = sessions
        self._journal = journal

    def forgotten(self, session_id: SessionId, texts: Iterable[str]) -> bool:
        """Whether a session of this id, or one with these turns, was forgotten.

        Args:
            session_id: The session's.
            texts: What was said there, of every branch, in order; not looked at where the id is enough.

        Raises:
            StoreError: If the hashes could not be read.
        """
        known = self._sessions.known()
        if not known:
            return False
        key = self._journal.tombstone_key()
        return session_id_hash(session_id, key) in known or talk_hash(texts, key) in known
