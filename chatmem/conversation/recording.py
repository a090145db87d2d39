"""Recording what the user says, and finding the reply that they want to have again, or to the end."""

import uuid
from collections.abc import Sequence
from dataclasses import replace

from chatmem.conversation.attachments import attached, read_images, refuse_images
from chatmem.conversation.parts import Parts
from chatmem.conversation.screening import Said
from chatmem.domain.errors import NotFoundError, UsageError
from chatmem.domain.model import Image, ModelChoice
from chatmem.domain.policy import Screened
from chatmem.domain.text import clean, shortened
from chatmem.domain.turn import Role, Session, Turn, TurnId, TurnStatus

TITLE_LENGTH = 60
INCOGNITO_TITLE = "Incognito: nothing is kept, recalled or learned"

CUT = "length"
"""How a model says that its answer reached the limit of its length."""


class Recording:
    """Writes the turns of the user, without the secrets in them.

    Methods block; all raise `StoreError` if the log fails.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def said(self, session: Session, choice: ModelChoice, text: str, images: Sequence[Image]) -> Said:
        """Record a turn at the end of the current branch; the first one opens the session.

        Raises:
            UsageError: If there is nothing to send, or the model takes no images.
        """
        refuse_images(images, choice, self._parts.chat_model)
        screened = self._screened(text, images)
        turn = self._turn(session, screened, images)
        if not session.turn_count:
            self._parts.log.open_session(replace(session, title=self._title(turn)))
        return Said(turn=self._parts.log.append(turn, [image.content for image in images]), screened=screened)

    def edited(
        self, session: Session, choice: ModelChoice, turn_id: TurnId, text: str, images: Sequence[Image]
    ) -> Said:
        """Record a turn beside an earlier one, with the images of that one unless others are given.

        Raises:
            UsageError: If there is nothing to send, the model takes no images, or the turn is not the user's.
            NotFoundError: If the session has no such turn.
        """
        old = self.turn_of(session, turn_id)
        if old.role is not Role.USER:
            raise UsageError("Only what you said yourself can be edited. An answer can be asked for again.")
        images = images or read_images(old, self._parts.log)
        refuse_images(images, choice, self._parts.chat_model)
        screened = self._screened(text, images)
        turn = self._turn(session, screened, images)
        added = self._parts.log.append_beside(turn, old.id, [image.content for image in images])
        if session.title == self._title(old):
            self._parts.log.rename(session.id, self._title(turn))
        return Said(turn=added, screened=screened)

    def held_back(self, session: Session, turn_id: TurnId, text: str) -> tuple[Said, TurnId | None]:
        """A turn whose secrets are to be let through after all, and the reply to it, if there is one.

        Args:
            session: The session.
            turn_id: The turn.
            text: What was said there, with the secrets.

        Raises:
            UsageError: If nothing was taken out of this text, or something else was said there.
            NotFoundError: If the session has no such turn.
        """
        turn = self.turn_of(session, turn_id)
        screened = self._parts.screening.look(clean(text).strip())
        if turn.role is not Role.USER or not screened.secrets or screened.kept != turn.text:
            raise UsageError("Nothing was taken out of this turn that could be let through.")
        after = self._parts.log.turns(session.id, first=turn.seq + 1, last=turn.seq + 1)
        reply = next((one.id for one in after if one.parent_id == turn.id), None)
        return Said(turn=turn, screened=screened), reply

    def answered(self, session: Session, turn_id: TurnId | None) -> tuple[Turn, TurnId | None]:
        """The user's turn that is to be answered again, and the reply beside which that goes.

        Without a reply to it, because chatmem ended too early, the newest turn is answered for the first time.

        Raises:
            UsageError: If there is nothing to answer.
            NotFoundError: If the session has no such turn.
        """
        log = self._parts.log
        turns = self._newest(session)
        if turn_id is None and turns and turns[-1].role is Role.USER:
            return turns[-1], None
        reply = self._reply(session, turns, turn_id)
        if reply.parent_id is None:
            raise UsageError("This answer has no question before it.")
        question = log.turn(reply.parent_id)
        if not any(turn.id == question.id for turn in log.turns(session.id, first=question.seq, last=question.seq)):
            log.follow(reply.id)
        return question, reply.id

    def cut(self, session: Session, turn_id: TurnId | None) -> Turn:
        """The reply that is to be continued.

        Raises:
            UsageError: If it is whole, or not the last turn.
            NotFoundError: If the session has no such turn.
        """
        turns = self._newest(session)
        reply = self._reply(session, turns, turn_id)
        if reply.id != turns[-1].id:
            raise UsageError("Only the last answer can be continued.")
        if reply.status is TurnStatus.COMPLETE and reply.finish_reason != CUT:
            raise UsageError("This answer is whole: there is nothing to continue.")
        return reply

    def turn_of(self, session: Session, turn_id: TurnId) -> Turn:
        """A turn of a session.

        Raises:
            NotFoundError: If it is not one of the session's.
        """
        turn = self._parts.log.turn(turn_id)
        if turn.session_id != session.id:
            raise NotFoundError(f"There is no turn {turn_id} in this conversation.")
        return turn

    def _reply(self, session: Session, turns: Sequence[Turn], turn_id: TurnId | None) -> Turn:
        named = [self.turn_of(session, turn_id)] if turn_id else turns
        reply = next((turn for turn in reversed(named) if turn.role is Role.ASSISTANT), None)
        if reply is None:
            raise UsageError("There is no answer there that could be given again or continued.")
        return reply

    def _newest(self, session: Session) -> list[Turn]:
        return self._parts.log.turns(session.id) if session.turn_count else []

    def _screened(self, text: str, images: Sequence[Image]) -> Screened:
        text = clean(text).strip()
        if not text and not images:
            raise UsageError("There is nothing to send: the prompt is empty.")
        return self._parts.screening.screened(text)

    def _turn(self, session: Session, screened: Screened, images: Sequence[Image]) -> Turn:
        return Turn(
            id=TurnId(uuid.uuid4().hex),
            session_id=session.id,
            seq=1,
            role=Role.USER,
            text=screened.kept,
            said_at=self._parts.clock.now(),
            attachments=attached(images),
        )

    def _title(self, turn: Turn) -> str:
        words = turn.text or " ".join(one.name for one in turn.attachments)
        return shortened(words, TITLE_LENGTH) if self._parts.recalls else INCOGNITO_TITLE
