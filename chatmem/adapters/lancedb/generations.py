"""The generations on disk: a folder each, and a file that says which of them answers.

A generation is made for one embedding model, one dimension and one layout of the tables, and is never made into
another. Its folder has a name that was never used before, so that no window takes a new one for the one it has open.
"""

import logging
import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
from filelock import FileLock, Timeout

from chatmem.adapters.lancedb.database import (
    HELD_ROWS,
    LOCK_WAIT_S,
    LanceDatabase,
    WritersLock,
    make_durable,
    make_folder,
    unwritable,
)
from chatmem.adapters.lancedb.lately import Lately
from chatmem.adapters.lancedb.memory_store import LanceMemoryStore
from chatmem.adapters.lancedb.table import LAYOUT
from chatmem.adapters.lancedb.turn_index import LanceTurnIndex
from chatmem.domain.embedding import Vector, model_of
from chatmem.domain.errors import RefusedError, StoreError
from chatmem.ports.generations import Generation

MARKS = "generation.json"
CURRENT = "current.json"

NO_VECTORS = 1
"""Dimension of the column of vectors where there are none: LanceDB wants one."""

Answer = TypeVar("Answer")

logger = logging.getLogger(__name__)


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """What a generation was made for; lies in its folder."""

    model: str
    dimension: int
    layout: str


class Current(msgspec.Struct, frozen=True, kw_only=True):
    """Which generation answers, and whether it is known to hold everything."""

    name: str
    whole: bool


class LanceGeneration:
    """A `Generation` in a folder."""

    def __init__(self, folder: Path, marks: Marks, lock: WritersLock, held_rows: int) -> None:
        self.folder = folder
        self.marks = marks
        database = LanceDatabase(folder, lock, marks.model, marks.dimension, held_rows=held_rows)
        self.memories = LanceMemoryStore(database)
        self.turns = LanceTurnIndex(database)

    @property
    def model(self) -> str:
        """Name of the model; empty where there are no vectors."""
        return self.marks.model

    @property
    def dimension(self) -> int:
        """Length of its vectors."""
        return self.marks.dimension

    def own(self, vector: Vector | None) -> Vector | None:
        """The vector, if it may be one of this model's."""
        return vector if model_of(vector) in {None, self.model} else None


class _Seen(NamedTuple):
    """What the file that names the current generation said when it was last read."""

    stamp: tuple[int, int] | None
    whole: bool
    answering: LanceGeneration | None


class LanceGenerations:
    """The `Generations` in a folder; folders of other layouts and of what came before generations are erased.

    LanceDB is not imported before the first read or write.
    """

    def __init__(
        self,
        root: Path,
        lock: Path,
        first: Callable[[], tuple[str, int]],
        *,
        lock_wait_s: float = LOCK_WAIT_S,
        held_rows: int = HELD_ROWS,
    ) -> None:
        """Keep where they lie; creates nothing.

        Args:
            root: Where the generations lie.
            lock: The lock of all writers.
            first: Tells the embedder that the first generation is made for, and its dimension; 0 if not known yet.
            lock_wait_s: How long a write waits for those of other windows.
            held_rows: Up to so many rows are held in memory.
        """
        self.root = root
        self._pointer = root / CURRENT
        self._lock = WritersLock(lock, wait_s=lock_wait_s)
        self._builders_lock = FileLock(lock.with_suffix(".building"), timeout=0, mode=0o600)
        self._first = first
        self._held_rows = held_rows
        self._opened: dict[str, LanceGeneration] = {}
        self._seen = _Seen(None, False, None)
        self._stamp = Lately(self._stamped)

    def searched(self) -> tuple[str, int]:
        """The model and the dimension of the one that answers, or will."""
        answering = self.answering()
        return (answering.model, answering.dimension) if answering else self._first()

    def answering(self) -> LanceGeneration | None:
        """The one that is searched; `None` while there is none."""
        return self._look().answering

    def whole(self) -> bool:
        """Whether the one that answers is known to hold all that was said and learned."""
        seen = self._look()
        return seen.whole and seen.answering is not None

    def unfinished(self) -> list[LanceGeneration]:
        """Those that are being built, or were begun and left."""
        answering = self.answering()
        return [found for name in self._folders() if (found := self._open(name)) and found is not answering]

    def read(self, ask: Callable[[LanceGeneration], Answer], *, otherwise: Answer) -> Answer:
        """The answer of the generation in use, asked again if another one took its place meanwhile.

        Raises:
            StoreError: If it could not be read.
        """
        while (asked := self.answering()) is not None:
            try:
                answer = ask(asked)
            except StoreError:
                self._stamp.forget()
                if self.answering() is asked:
                    raise
            else:
                if self.answering() is asked:
                    return answer
        return otherwise

    @contextmanager
    def writing(self) -> Iterator[list[LanceGeneration]]:
        """Keep other writers out; all generations, which must all be written to. The first is made where there is none.

        Raises:
            RefusedError: If another process writes for too long.
            StoreError: If the files could not be written.
        """
        with self.settled():
            there = self._swept()
            if not there:
                there = [self._create(self._marks_of_first())]
            if self.answering() is None:
                self._point_at(there[0], whole=False)
            yield there

    @contextmanager
    def settled(self) -> Iterator[None]:
        """Keep all other writers out.

        Raises:
            RefusedError: If another process writes for too long.
            StoreError: If the files could not be written.
        """
        with unwritable(self.root):
            make_folder(self.root)
            with self._lock.held():
                self._stamp.forget()
                yield

    @contextmanager
    def building(self, model: str, dimension: int, *, anew: bool = False) -> Iterator[LanceGeneration]:
        """Build another one; one that was begun is gone on with, unless `anew`.

        Raises:
            RefusedError: If another process is building one.
            StoreError: If the files could not be written.
        """
        marks = Marks(model=model, dimension=dimension, layout=LAYOUT)
        with self._alone():
            with self.writing():
                usable = None
                for begun in self.unfinished():
                    if begun.marks == marks and usable is None and not anew:
                        usable = begun
                    else:
                        self._erase(begun.folder)
                generation = usable or self._create(marks)
            yield generation

    @contextmanager
    def completing(self) -> Iterator[LanceGeneration]:
        """Complete the one that answers, which is made where there is none.

        Raises:
            RefusedError: If another process is building one.
            StoreError: If the files could not be written.
        """
        with self._alone():
            with self.writing() as there:
                answering = self.answering() or there[0]
            yield answering

    def put_to_use(self, generation: Generation) -> None:
        """Have this one answer from now on, as it is whole; the others are erased from the disk.

        Raises:
            RefusedError: If another process writes for too long.
            StoreError: If the files could not be written.
        """
        with self.writing() as there:
            for one in there:
                if one is generation:
                    self._point_at(one, whole=True)
            for one in there:
                if one is not generation and self.answering() is generation:
                    self._erase(one.folder)

    def warm_up(self) -> None:
        """Open what is written to, so that the first turn that is said need not wait for LanceDB.

        Only logged where it can't be: who reads or writes is told.
        """
        if (answering := self.answering()) is None:
            return
        try:
            answering.memories.warm_up()
            answering.turns.warm_up()
        except StoreError as error:
            logger.warning("the indexes could not be opened: %s", type(error).__name__)

    def close(self) -> None:
        """Keep what is held in memory of the one that answers for the next run.

        Waits for no other window, and is only logged where it can't be: the next run reads the tables instead.
        """
        if (answering := self._seen.answering) is None:
            return
        for index in (answering.memories, answering.turns):
            try:
                index.keep()
            except (RefusedError, StoreError) as error:
                logger.warning("what was held in memory was not kept: %s", type(error).__name__)

    def _marks_of_first(self) -> Marks:
        model, dimension = self._first()
        return Marks(model=model if dimension else "", dimension=dimension or NO_VECTORS, layout=LAYOUT)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with unwritable(self.root):
            make_folder(self.root)
            try:
                self._builders_lock.acquire()
            except Timeout as error:
                raise RefusedError("Another chatmem window is building the index of memories.") from error
            try:
                yield
            finally:
                self._builders_lock.release()

    def _look(self) -> _Seen:
        stamp = self._stamp()
        if stamp != self._seen.stamp:
            current = self._current()
            answering = self._open(current.name) if current else None
            self._seen = _Seen(stamp, current is not None and current.whole, answering)
        return self._seen

    def _stamped(self) -> tuple[int, int] | None:
        try:
            found = self._pointer.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    def _current(self) -> Current | None:
        try:
            return msgspec.json.decode((self.root / CURRENT).read_bytes(), type=Current)
        except (OSError, msgspec.DecodeError):
            return None

    def _open(self, name: str) -> LanceGeneration | None:
        """The generation of a folder; `None` where it is of another layout, or none."""
        if name not in self._opened:
            try:
                marks = msgspec.json.decode((self.root / name / MARKS).read_bytes(), type=Marks)
            except (OSError, msgspec.DecodeError):
                return None
            if marks.layout != LAYOUT:
                return None
            self._opened.setdefault(name, LanceGeneration(self.root / name, marks, self._lock, self._held_rows))
        return self._opened[name]

    def _folders(self) -> list[str]:
        with suppress(FileNotFoundError):
            return sorted(entry.name for entry in os.scandir(self.root) if entry.is_dir())
        return []

    def _swept(self) -> list[LanceGeneration]:
        """All generations there are, after all else was erased; to be called while no one else writes."""
        there = []
        for name in self._folders():
            generation = self._open(name)
            if generation is not None and (self.root / name / MARKS).exists():
                there.append(generation)
            else:
                self._erase(self.root / name)
        for name in set(self._opened) - {generation.folder.name for generation in there}:
            del self._opened[name]
        return there

    def _create(self, marks: Marks) -> LanceGeneration:
        spoken = re.sub(r"[^a-z0-9.]+", "-", marks.model.lower().rpartition("/")[2])[:40].strip("-.") or "words"
        name = f"{spoken}-{marks.dimension}-{marks.layout}-{uuid.uuid4().hex[:8]}"
        make_folder(self.root / name)
        _write(self.root / name / MARKS, marks)
        generation = self._open(name)
        if generation is None:
            raise StoreError(f"The memory store in {self.root} could not be written.")
        return generation

    def _point_at(self, generation: LanceGeneration, *, whole: bool) -> None:
        _write(self.root / CURRENT, Current(name=generation.folder.name, whole=whole))
        self._stamp.forget()
        logger.info("%s answers now", generation.folder.name)

    def _erase(self, folder: Path) -> None:
        # Its marks go first: what is left after a crash is none, and erased by the next writer.
        (folder / MARKS).unlink(missing_ok=True)
        shutil.rmtree(folder)
        self._opened.pop(folder.name, None)


def _write(file: Path, value: msgspec.Struct) -> None:
    new = file.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(value))
    make_durable([new])
    new.replace(file)
    make_durable([file])
