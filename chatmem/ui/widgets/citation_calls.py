"""What a person wants of something that was recalled."""

from textual.message import Message

from chatmem.domain.recall import Recalled


class CitationCall(Message):
    """The person wants something of a citation."""

    def __init__(self, item: Recalled) -> None:
        self.item = item
        super().__init__()


class CitationOpened(CitationCall):
    """The person wants to see it: a memory in the memory screen, a turn where it was said."""


class SourceAsked(CitationCall):
    """The person wants to see where it was said."""


class ForgetAsked(CitationCall):
    """The person wants it forgotten."""
