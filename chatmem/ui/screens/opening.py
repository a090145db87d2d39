"""Opening a conversation."""

from dataclasses import dataclass

from chatmem.conversation import Conversation
from chatmem.domain.model import ModelChoice
from chatmem.domain.turn import SessionId, TurnId
from chatmem.ui.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Which conversation to open, and how.

    Attributes:
        session_id: Its session; `None` for a new one.
        latest: Take the session last spoken in instead.
        at: The turn to go to; `None` for the newest.
        as_remembered: Talk to the model that the session talked to.
    """

    session_id: SessionId | None = None
    latest: bool = False
    at: TurnId | None = None
    as_remembered: bool = False


def opened(services: Services, opening: Opening, choice: ModelChoice) -> Conversation:
    """Open a conversation, with this model unless it remembers another. Blocks.

    Raises:
        NotFoundError: If there is no such session.
        StoreError: If it could not be read.
    """
    if opening.session_id is not None:
        if opening.as_remembered:
            choice = _remembered(services, opening.session_id) or choice
        return services.conversations.resume(opening.session_id, choice)
    return services.conversations.latest(choice) if opening.latest else services.conversations.begin(choice)


def _remembered(services: Services, session_id: SessionId) -> ModelChoice | None:
    """The model that a session talked to; `None` where there is none, or its name means nothing any more."""
    name = services.log.session(session_id).model
    choice = services.models.resolve(name) if name else None
    return choice if choice and "/" in choice.model else None
