"""All words that were said and learned, for whoever looks for what tells a thing: read fast, as little of it does."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.turn import SessionId, TurnId


class Said(NamedTuple):
    """A turn of any branch.

    Attributes:
        words: Its text, its error, what the model thought, and the names of images, a line each.
    """

    session_id: SessionId
    turn_id: TurnId
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A memory that the journal tells of.

    Attributes:
        memory: As the last change left it; where that took it back, as it was before.
        taken_back: Whether it is in no store, and can be brought back.
        former: Those of its other recorded versions that were asked for.
    """

    memory: Memory
    taken_back: bool = False
    former: tuple[Memory, ...] = ()


class Wordings(Protocol):
    """Reads through everything that the session log and the journal hold. Methods block; any thread may call them.

    All raise `StoreError` if the file could not be read.
    """

    def said(self) -> Iterator[Said]:
        """Every turn, session by session."""
        ...

    def learned(self, telling: Callable[[str], bool]) -> list[Learned]:
        """The memories of which a version, recorded by any change, is told by its words; in no particular order.

        Args:
            telling: Given a version's text, its quotes with the ids of their turns and sessions, and the ids that it is
                linked to, perhaps among others; says whether it is wanted.
        """
        ...

    def changed(self, ids: Collection[MemoryId]) -> int:
        """How many change sets tell of any of these memories; all that a job recorded is one."""
        ...

    def everything(self) -> Iterator[str]:
        """All words there are: of turns, sessions, drafts, recorded memories, and the program's own; ids as well.

        In texts of some length, in which those of memories may be escaped as in JSON.
        """
        ...
