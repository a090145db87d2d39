"""Taking in sessions from elsewhere."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from chatmem.domain.turn import Session, Turn
from chatmem.ports.job_queue import JobQueue
from chatmem.ports.session_log import SessionLog


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import added, and how many turns were there already."""

    sessions: int = 0
    turns: int = 0
    already_there: int = 0


class Importer:
    """Writes exported sessions into the session log and queues them for consolidation. Blocks.

    Args:
        log: Where the sessions go.
        queue: Where they wait to be consolidated.
        read: Reads an export file.
    """

    def __init__(
        self, log: SessionLog, queue: JobQueue, read: Callable[[Path], Iterable[tuple[Session, list[Turn]]]]
    ) -> None:
        self._log = log
        self._queue = queue
        self._read = read

    def run(self, file: Path) -> Imported:
        """Import a file. Sessions and turns that are there already stay as they are.

        Raises:
            UsageError: If the file is of no known format.
            StoreError: If the log could not be written; running it again goes on where it stopped.
        """
        done = Imported()
        known = {session.id: session.turn_count for session in self._log.sessions()}
        for session, turns in self._read(file):
            if not turns:
                continue
            before = known.get(session.id)
            if before is None:
                self._log.open_session(session)
            for turn in turns:
                self._log.append(turn)
            after = self._log.session(session.id).turn_count
            self._queue.enqueue(session.id)
            added = after - (before or 0)
            done = replace(
                done,
                sessions=done.sessions + (before is None),
                turns=done.turns + added,
                already_there=done.already_there + len(turns) - added,
            )
        return done
