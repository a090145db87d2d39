"""Generations without files."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock

from chatmem.domain.errors import RefusedError
from chatmem.ports.generations import Generation
from tests.fakes.memory_store import FakeMemoryStore, FakeTurnIndex


@dataclass(eq=False)
class FakeGeneration:
    """A `Generation` in memory."""

    model: str
    dimension: int
    memories: FakeMemoryStore = field(default_factory=FakeMemoryStore)
    turns: FakeTurnIndex = field(default_factory=FakeTurnIndex)


class FakeGenerations:
    """`Generations` in memory.

    Attributes:
        current: The one that answers.
        begun: The one that is being built.
        built_elsewhere: Whether another process is building.
    """

    def __init__(self, current: FakeGeneration, *, whole: bool = True) -> None:
        self.current = current
        self.begun: FakeGeneration | None = None
        self.built_elsewhere = False
        self._whole = whole
        self._lock = RLock()

    def answering(self) -> FakeGeneration:
        return self.current

    def whole(self) -> bool:
        return self._whole

    @contextmanager
    def building(self, model: str, dimension: int, *, anew: bool = False) -> Iterator[FakeGeneration]:
        self._refuse()
        if anew or self.begun is None or (self.begun.model, self.begun.dimension) != (model, dimension):
            self.begun = FakeGeneration(model, dimension)
        yield self.begun

    @contextmanager
    def completing(self) -> Iterator[FakeGeneration]:
        self._refuse()
        yield self.current

    @contextmanager
    def settled(self) -> Iterator[None]:
        with self._lock:
            yield

    def put_to_use(self, generation: Generation) -> None:
        if generation is self.begun and self.begun is not None:
            self.current, self.begun = self.begun, None
        self._whole = True

    def _refuse(self) -> None:
        if self.built_elsewhere:
            raise RefusedError("Another chatmem window is building the index of memories.")
