"""How memories came to read as they do."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from chatmem.domain.change import ChangeSet
from chatmem.domain.memory import MemoryId
from chatmem.ports.journal import Journal


def histories(journal: Journal) -> Mapping[MemoryId, Sequence[ChangeSet]]:
    """The change sets of each memory, oldest first.

    Raises:
        StoreError: If the journal could not be read.
    """
    found: defaultdict[MemoryId, list[ChangeSet]] = defaultdict(list)
    for changes in reversed(journal.change_sets()):
        for change in changes.changes:
            found[change.memory_id].append(changes)
    return found
