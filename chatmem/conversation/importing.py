"""Taking in sessions from elsewhere."""

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from chatmem.conversation.screening import Screening
from chatmem.domain.model import Usage
from chatmem.domain.turn import AttachmentId, Session, SessionId, Turn, TurnId
from chatmem.ports.job_queue import JobQueue
from chatmem.ports.session_log import SessionLog


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A session as a file holds it; ids derive from the file's, so that importing it twice adds nothing.

    Attributes:
        turns: In order; of a tree, each after the one it follows.
        is_tree: Whether the turns tell by `parent_id` what they follow; otherwise each follows the one before.
        current: The last turn of the branch that was followed, of a tree.
        contents: Of the attachments.
    """

    session: Session
    turns: tuple[Turn, ...]
    is_tree: bool = False
    current: TurnId | None = None
    usage: Mapping[TurnId, Usage] = field(default_factory=dict)
    contents: Mapping[AttachmentId, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import added, how many turns were there already, and how many secrets were taken out of the new ones.

    Attributes:
        forgotten: Sessions that were passed over, as they had been forgotten.
    """

    sessions: int = 0
    turns: int = 0
    already_there: int = 0
    removed: int = 0
    forgotten: int = 0


class Importer:
    """Writes exported sessions into the session log and queues them for consolidation. Blocks.

    Args:
        log: Where the sessions go.
        queue: Where they wait to be consolidated.
        screening: Takes secrets out of them, whoever said them.
        read: Reads an export file.
        forgotten: Whether a session, by its id or by what was said in it, was forgotten here: it stays forgotten.
    """

    def __init__(
        self,
        log: SessionLog,
        queue: JobQueue,
        screening: Screening,
        read: Callable[[Path], Iterable[Exported]],
        *,
        forgotten: Callable[[SessionId, Iterable[str]], bool] = lambda *_: False,
    ) -> None:
        self._log = log
        self._queue = queue
        self._screening = screening
        self._read = read
        self._forgotten = forgotten

    def run(self, file: Path) -> Imported:
        """Import a file. Sessions and turns that are there already stay as they are.

        Raises:
            UsageError: If the file is of no known format.
            StoreError: If the log could not be written; running it again goes on where it stopped.
        """
        done, batch = Imported(), uuid.uuid4().hex
        known = {session.id: session.turn_count for session in self._log.sessions()}
        for exported in self._read(file):
            if not exported.turns:
                continue
            if self._forgotten(exported.session.id, self._kept(exported)):
                done = replace(done, forgotten=done.forgotten + 1)
                continue
            before = known.get(exported.session.id)
            added, removed = self._add(exported)
            if before is None and exported.session.summary:
                # Going from branch to branch has dropped it.
                summary, to = exported.session.summary, exported.session.summarised_to
                self._log.save_summary(exported.session.id, self._screening.look(summary).kept, to)
            self._queue.enqueue(exported.session.id, batch=batch)
            done = replace(
                done,
                sessions=done.sessions + (before is None),
                turns=done.turns + added,
                already_there=done.already_there + len(exported.turns) - added,
                removed=done.removed + removed,
            )
        return done

    def _add(self, exported: Exported) -> tuple[int, int]:
        """Add the turns that the log lacks; returns how many, and how many secrets were taken out of them."""
        session_id, removed = exported.session.id, 0
        title = self._screening.look(exported.session.title).kept
        self._log.open_session(replace(exported.session, title=title, summary="", summarised_to=0))
        there = self._log.turns(session_id, every_branch=True)
        known = {turn.id for turn in there}
        missing = [turn for turn in exported.turns if turn.id not in known]
        beside = {turn.parent_id: turn.id for turn in there}
        for imported in missing:
            turn, secrets = self._screened(imported)
            removed += secrets
            contents = [exported.contents[one.id] for one in turn.attachments]
            if exported.is_tree:
                self._add_to_tree(turn, contents, beside)
            else:
                self._log.append(turn, contents)
            if usage := exported.usage.get(turn.id):
                self._log.save_usage(turn.id, usage, ms=0.0)
        if missing and exported.current:
            self._log.follow(exported.current)
        return len(missing), removed

    def _kept(self, exported: Exported) -> Iterator[str]:
        return (self._screening.look(turn.text).kept for turn in exported.turns)

    def _screened(self, turn: Turn) -> tuple[Turn, int]:
        """A turn without the secrets in it, and their number."""
        text, reasoning = self._screening.screened(turn.text), self._screening.look(turn.reasoning)
        return replace(turn, text=text.kept, reasoning=reasoning.kept), len(text.secrets)

    def _add_to_tree(self, turn: Turn, contents: list[bytes], beside: dict[TurnId | None, TurnId]) -> None:
        if turn.parent_id in beside:
            self._log.append_beside(turn, beside[turn.parent_id], contents)
            return
        if turn.parent_id:
            self._log.follow(turn.parent_id)
        self._log.append(turn, contents)
        beside[turn.parent_id] = turn.id
