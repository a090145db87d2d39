"""What a plan has made so far, found again by its words: each new memory is compared with few of many."""

from collections import defaultdict
from collections.abc import Iterator

from chatmem.consolidation.reconcile import Neighbour, cosine
from chatmem.consolidation.wording import stems
from chatmem.domain.memory import Memory, MemoryId
from chatmem.ports.embedder import Vector

FEW = 64
"""So many memories are all compared with; of more, those that may matter."""

_LATEST = 16
"""What was said just before may be corrected without a word in common."""

_NEAREST = 32
_TELLING = 8


class Beside:
    """Memories that a plan has added or changed, as they will be.

    Of many, those are near a new one that share its rarest words, that fill its slot, and that were told just before:
    prose of a hundred thousand words takes a hundred times as long as one of a thousand, not ten thousand times.
    """

    def __init__(self) -> None:
        self._memories: dict[MemoryId, Memory] = {}
        self._vectors: dict[MemoryId, Vector | None] = {}
        self._having: defaultdict[str, list[MemoryId]] = defaultdict(list)
        self._filling: defaultdict[str, list[MemoryId]] = defaultdict(list)

    def put(self, memory: Memory, vector: Vector | None) -> None:
        """Take in a memory as it will be; `vector` is that of its text, where it is new."""
        if memory.id not in self._memories:
            self._vectors[memory.id] = vector
            if memory.slot is not None:
                self._filling[memory.slot].append(memory.id)
            for stem in stems(memory.text):
                self._having[stem].append(memory.id)
        self._memories[memory.id] = memory

    def near(
        self, memory: Memory, vector: Vector | None, stored: dict[MemoryId, Neighbour]
    ) -> dict[MemoryId, Neighbour]:
        """Those of them that may say the same as a new memory, or contradict it, and those that are stored.

        Args:
            memory: The new memory.
            vector: That of its text.
            stored: What is near it in the store, as it is before the plan.
        """
        found = dict(stored)
        for id_ in dict.fromkeys((*(id_ for id_ in stored if id_ in self._memories), *self._likely(memory))):
            alike = stored[id_].similarity if id_ in stored else cosine(vector, self._vectors[id_])
            found[id_] = Neighbour(memory=self._memories[id_], similarity=alike)
        return found

    def all(self) -> dict[MemoryId, Memory]:
        """All of them."""
        return self._memories

    def _likely(self, memory: Memory) -> Iterator[MemoryId]:
        if len(self._memories) <= FEW:
            yield from self._memories
            return
        yield from list(self._memories)[-_LATEST:]
        if memory.slot is not None:
            yield from self._filling[memory.slot][-_NEAREST:]
        yield from self._sharing(memory)

    def _sharing(self, memory: Memory) -> Iterator[MemoryId]:
        """Those that share the most telling words; of a word that many have, the latest."""
        rarest = sorted((len(self._having[stem]), stem) for stem in stems(memory.text) if stem in self._having)
        shared = defaultdict[MemoryId, float](float)
        for number, stem in rarest[:_TELLING]:
            for id_ in self._having[stem][-FEW:]:
                shared[id_] += 1 / number
        return iter(sorted(shared, key=lambda id_: -shared[id_])[:_NEAREST])
