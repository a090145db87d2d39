"""All words in a session log and a journal in memory."""

from collections.abc import Callable, Collection, Iterator

from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.turn import Turn
from chatmem.ports.wordings import Learned, Said
from tests.fakes.journal import FakeJournal
from tests.fakes.session_log import FakeSessionLog


class FakeWordings:
    """Looks through what `log` and `journal` keep."""

    def __init__(self, log: FakeSessionLog, journal: FakeJournal) -> None:
        self._log = log
        self._journal = journal

    def said(self) -> Iterator[Said]:
        for turn in self._turns():
            yield Said(turn.session_id, turn.id, _words(turn))

    def learned(self, telling: Callable[[str], bool]) -> list[Learned]:
        versions: dict[MemoryId, list[Memory]] = {}
        for change in (change for one in reversed(self._journal.change_sets()) for change in one.changes):
            told = versions.setdefault(change.memory_id, [])
            told += [one for one in (change.before, change.after) if one is not None and one not in told]
        there = {memory.id: memory for memory in self._journal.latest()}
        gone = {memory.id: memory for memory in self._journal.taken_back()}
        found = []
        for memory in (there | gone).values():
            wanted = [one for one in versions[memory.id] if telling(str(one))]
            if wanted:
                former = tuple(one for one in wanted if one != memory)
                found.append(Learned(memory=memory, taken_back=memory.id in gone, former=former))
        return found

    def changed(self, ids: Collection[MemoryId]) -> int:
        return sum(any(change.memory_id in ids for change in one.changes) for one in self._journal.change_sets())

    def everything(self) -> Iterator[str]:
        yield self._log.draft(None)
        for session_id in self._log.every_id():
            session = self._log.session(session_id)
            yield from (session.title, session.summary, self._log.draft(session_id))
        yield from (said.words for said in self.said())
        for change in (change for one in self._journal.change_sets() for change in one.changes):
            yield f"{change.before}\n{change.after}"

    def _turns(self) -> Iterator[Turn]:
        for session_id in self._log.every_id():
            yield from self._log.turns(session_id, every_branch=True)


def _words(turn: Turn) -> str:
    return "\n".join([turn.text, turn.error or "", turn.reasoning, *(one.name for one in turn.attachments)])
