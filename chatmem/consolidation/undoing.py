"""Taking a change set back: every memory it touched is again as it was before."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chatmem.consolidation.barring import bar, bars, bars_of, called_wrong_by, lift
from chatmem.consolidation.reconcile import change_set
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId
from chatmem.domain.errors import RefusedError
from chatmem.domain.memory import Memory, Status


class Undo:
    """Takes change sets back. Methods block, and may be called from any thread."""

    def __init__(self, writer: MemoryWriter) -> None:
        self._writer = writer

    def run(self, change_set_id: ChangeSetId) -> ChangeSet:
        """Take a change set back, exactly; returns the change set that does it, whose undoing brings all of it again.

        What was forgotten for good does not come back.

        Raises:
            NotFoundError: If there is no such change set.
            RefusedError: If a later change touched the same memories, or nothing of it is left to be taken back.
            StoreError: If the journal or the store could not be read or written.
        """
        with self._writer.alone:
            wanted = self._writer.journal.change_set(change_set_id)
            self._check_untouched(wanted)
            barred = bars(wanted, self._writer.journal)
            own = bars_of(self._writer, [change.memory for change in wanted.changes]) if barred else []
            changes = [Change(before=change.after, after=change.before) for change in wanted.changes]
            forbidden = self._writer.forbidden(list(_coming_back(changes)), lifted=own)
            changes = [change for change in changes if change.memory_id not in forbidden]
            if not changes:
                raise RefusedError("What this change did was forgotten for good; there is nothing left to take back.")
            now = self._writer.clock.now()
            made = replace(change_set(Cause.UNDO, changes, now, wanted.id, now.isoformat()), undoes=wanted.id)
            # What a crash leaves in the middle is barred, whichever way it goes.
            if barred is False:
                bar(self._writer, called_wrong_by(made))
            self._writer.write(made)
            if barred:
                lift(self._writer, [change.memory for change in made.changes])
            return made

    def _check_untouched(self, wanted: ChangeSet) -> None:
        ids = {change.memory_id for change in wanted.changes}
        latest = {memory.id: memory for memory in self._writer.journal.latest(ids)}
        changed = {change.memory_id for change in wanted.changes if latest.get(change.memory_id) != change.after}
        if not changed:
            return
        for later in self._writer.journal.change_sets():
            if changed.isdisjoint(change.memory_id for change in later.changes):
                continue
            if later.undoes == wanted.id:
                raise RefusedError(f"This change was taken back already; undo {later.id} to bring it again.")
            raise RefusedError(f"A later change, {later.id}, touched the same memories. Undo that one first.")


def _coming_back(changes: Sequence[Change]) -> Iterator[Memory]:
    """What changes bring into the store or into recall; what is there, and is put aside again, is not learned by it."""
    for change in changes:
        if change.after and (change.before is None or change.after.status in {Status.ACTIVE, Status.PENDING}):
            yield change.after
