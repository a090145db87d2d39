"""What forgetting takes along, worked out before anything is changed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chatmem.domain.memory import Memory
from chatmem.domain.text import normalised, words
from chatmem.domain.turn import Session, SessionId, Turn
from chatmem.ports.journal import Journal
from chatmem.ports.memory_store import Erasable, MemoryStore, TurnIndex
from chatmem.ports.session_eraser import SessionEraser
from chatmem.ports.session_log import SessionLog
from chatmem.ports.wordings import Wordings

NEEDLE_WORDS = 3
"""A turn of fewer words may stand anywhere."""

NEEDLE_LENGTH = 200
"""Characters of a turn that are looked for."""

MOST_NEEDLES = 500
"""Of all that was ever said, evenly chosen; every megabyte of files is searched for each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where memories and turns lie.

    Attributes:
        wordings: Looks through all that was said and learned.
        sessions: Erases whole sessions.
        files: Everything on disk that must be scrubbed and proved clean.
    """

    log: SessionLog
    wordings: Wordings
    sessions: SessionEraser
    journal: Journal
    memories: MemoryStore
    turns: TurnIndex
    files: Sequence[Erasable]


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """A turn before and after the words of the forgotten memories were blotted out, of whichever branch."""

    before: Turn
    after: Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Going:
    """A session that goes whole, with its turns of every branch and what was typed but not sent."""

    session: Session
    turns: tuple[Turn, ...]
    draft: str = ""

    @property
    def texts(self) -> Iterable[str]:
        """All that it holds in words."""
        yield from (self.session.title, self.session.summary, self.draft)
        for turn in self.turns:
            yield from (turn.text, turn.reasoning, *(one.name for one in turn.attachments))


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What forgetting will take.

    Attributes:
        memories: The memories asked for, those that rest on the sessions alone, and those that retell any of them.
        redactions: The turns whose words go.
        trimmed: Other memories that stay, but lose words from their quotes, quotes, or links: as they will be.
        sessions: Sessions that go whole.
        retitled: Sessions that stay, but lose words from their title or summary: as they will be.
        drafts: Sessions whose draft tells one of the memories and goes; `None` for the draft of the next new session.
        change_sets: How many change sets lose what they say of the memories.
        everything: Whether all that was said and learned goes.
        keeps_turns: Whether the turns, titles, summaries and drafts of sessions that stay keep their words.
    """

    memories: tuple[Memory, ...]
    redactions: tuple[Redaction, ...] = ()
    trimmed: tuple[Memory, ...] = ()
    sessions: tuple[Going, ...] = ()
    retitled: tuple[Session, ...] = ()
    drafts: tuple[SessionId | None, ...] = ()
    change_sets: int = 0
    everything: bool = False
    keeps_turns: bool = False


def rests_on(memory: Memory, sessions: Iterable[SessionId]) -> bool:
    """Whether a memory came from these sessions alone."""
    return bool(memory.quotes) and {quote.session_id for quote in memory.quotes} <= set(sessions)


def needles(going: Iterable[Going]) -> list[str]:
    """The texts of sessions that may stand nowhere, unless they were said elsewhere too: long enough to be told apart.

    At most `MOST_NEEDLES`.
    """
    texts = [normalised(text)[:NEEDLE_LENGTH] for one in going for text in one.texts]
    return evenly([text for text in texts if len(words(text)) >= NEEDLE_WORDS], MOST_NEEDLES)


def evenly(texts: Iterable[str], most: int) -> list[str]:
    """At most so many of some texts, each once, evenly chosen."""
    distinct = list(dict.fromkeys(texts))
    return distinct[:: max(1, -(-len(distinct) // most))]
