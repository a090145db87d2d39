"""Beginning conversations and taking them up again."""

import uuid
from datetime import timedelta

from chatmem.conversation.conversation import Conversation
from chatmem.conversation.parts import Parts
from chatmem.conversation.recording import INCOGNITO_TITLE
from chatmem.conversation.reply import SIGN_OF_LIFE_S
from chatmem.conversation.working_memory import Strategy
from chatmem.domain.errors import NotFoundError
from chatmem.domain.model import ModelChoice
from chatmem.domain.turn import Session, SessionId

INTERRUPTED_AFTER = timedelta(seconds=3 * SIGN_OF_LIFE_S)
"""A reply that nobody has saved for this long belongs to a chatmem that is no more."""


class Conversations:
    """Opens conversations on one session log."""

    def __init__(self, parts: Parts, strategy: Strategy) -> None:
        self._parts = parts
        self._strategy = strategy

    def begin(self, choice: ModelChoice) -> Conversation:
        """A new conversation. Touches no file: the session is written with its first turn."""
        title = "New conversation" if self._parts.recalls else INCOGNITO_TITLE
        session = Session(id=SessionId(uuid.uuid4().hex), title=title, started_at=self._parts.clock.now())
        return Conversation(self._parts, session=session, choice=choice, strategy=self._strategy)

    def resume(self, session_id: SessionId, choice: ModelChoice) -> Conversation:
        """Take up a session again. Blocks.

        Raises:
            NotFoundError: If there is no such session.
            StoreError: If the log could not be read.
        """
        self.close_interrupted()
        session = self._parts.log.session(session_id)
        return Conversation(self._parts, session=session, choice=choice, strategy=self._strategy)

    def save_draft(self, session_id: SessionId | None, text: str) -> None:
        """Keep what was typed but not sent, without the secrets in it; see `SessionLog.save_draft`. Blocks.

        Raises:
            StoreError: If the log could not be written.
        """
        self._parts.log.save_draft(session_id, self._parts.screening.look(text).kept)

    def close_interrupted(self) -> None:
        """Mark the replies that were on their way when their chatmem was killed. Blocks.

        Raises:
            StoreError: If the log could not be written.
        """
        self._parts.log.close_interrupted(self._parts.clock.now() - INTERRUPTED_AFTER)

    def latest(self, choice: ModelChoice) -> Conversation:
        """Take up the session last spoken in. Blocks.

        Raises:
            NotFoundError: If there is none yet.
            StoreError: If the log could not be read.
        """
        sessions = self._parts.log.sessions(limit=1)
        if not sessions:
            raise NotFoundError("There is no earlier session to continue. Leave out --continue to begin one.")
        return self.resume(sessions[0].id, choice)
