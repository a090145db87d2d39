"""What a person wants of something that was recalled."""

from dataclasses import dataclass

from textual.message import Message

from chatmem.domain.recall import Recalled
from chatmem.domain.turn import SessionId, TurnId


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was said: a session, perhaps one of its turns."""

    session_id: SessionId
    turn_id: TurnId | None


class CitationCall(Message):
    """The person wants something of a citation."""

    def __init__(self, item: Recalled) -> None:
        self.item = item
        super().__init__()


class CitationOpened(CitationCall):
    """The person wants to see it: a memory by itself, a turn where it was said."""


class SourceAsked(CitationCall):
    """The person wants to see where it was said."""


class ForgetAsked(CitationCall):
    """The person wants it forgotten."""
