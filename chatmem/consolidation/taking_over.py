"""Taking memories over from elsewhere: each is judged first, and nothing is believed because a file says so."""

import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar

from chatmem.consolidation.admission import treated
from chatmem.consolidation.arriving import Arriving, Audit, Judged, Sieve, Tally, Verdict
from chatmem.consolidation.curator import LONGEST
from chatmem.consolidation.orders import gives_orders
from chatmem.consolidation.reconcile import change_set
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.change import Cause, Change, JobId
from chatmem.domain.errors import NotFoundError, RefusedError
from chatmem.domain.memory import Memory, Quote, Status, Wait
from chatmem.domain.policy import Policy, Screened, is_redacted, told
from chatmem.domain.text import shortened
from chatmem.domain.turn import Turn, TurnId
from chatmem.ports.memory_store import MemoryFilter

AT_ONCE = 64
"""Memories that are judged and written together: an import that is stopped loses no more."""

SHOWN = 100
"""Characters of a memory that is shown."""

Item = TypeVar("Item")

Advance = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is; must not block."""


class ReadsMemories(Protocol):
    """Reads the memories of a file, piece by piece."""

    def __call__(self, file: Path, *, user: str | None) -> Iterator[Arriving]:
        """Yield the memories of a file in its order; those of one user where it holds several people's.

        Raises:
            UsageError: If the file can't be read, is not whole or of no known format.
        """
        ...


class TakingOver:
    """Judges and takes over what other programs, and other profiles, remember. Methods block.

    Args:
        writer: Writes the memories.
        policy: How sensitive kinds are treated.
        screen: Finds the secrets of a text.
        turn: The turn of an id.
        read: Reads the memories of a file.
    """

    def __init__(
        self,
        writer: MemoryWriter,
        policy: Policy,
        screen: Callable[[str], Screened],
        turn: Callable[[TurnId], Turn],
        read: ReadsMemories,
    ) -> None:
        self._writer = writer
        self._policy = policy
        self._screen = screen
        self._turn = turn
        self._read = read

    def audit(self, file: Path, *, user: str | None = None, advance: Advance = lambda *_: None) -> Audit:
        """What taking a file over would come to; writes nothing.

        Raises:
            UsageError: If the file can't be read, is not whole or of no known format.
            StoreError: If what is here could not be read.
        """
        tally = Tally()
        total = self._checked(file, user)
        for number, judged in enumerate(self._judged(file, user)):
            tally.add(self._known_in_other_words(one) for one in judged)
            advance("looking at memories", min(total, (number + 1) * AT_ONCE), total)
        return tally.audit()

    def take(self, file: Path, *, user: str | None = None, advance: Advance = lambda *_: None) -> Audit:
        """Take a file over; what is here already is passed over, so that a stopped run may be run again.

        Raises:
            UsageError: If the file can't be read, is not whole or of no known format; nothing was written then.
            StoreError: If a memory could not be written.
        """
        tally, job_id = Tally(), JobId(f"import-{uuid.uuid4().hex}")
        total = self._checked(file, user)
        for number, judged in enumerate(self._judged(file, user)):
            with self._writer.alone:
                merged = self._write([one for one in judged if one.verdict.is_taken], job_id, number)
            tally.add(replace(one, verdict=Verdict.SAME) if one in merged else one for one in judged)
            advance("taking memories over", min(total, (number + 1) * AT_ONCE), total)
        return tally.audit()

    def tell(self, memory: Memory) -> Memory:
        """Remember what another program tells; where a memory says the same already, that one is returned.

        Raises:
            RefusedError: If it holds a secret, was forgotten, or is of a kind that is never kept.
            StoreError: If it could not be written.
        """
        with self._writer.alone:
            if here := self._writer.store.get([memory.id]):
                return here[0]
            judged = self._judgement(
                Arriving(place="", memory=memory), forgotten=bool(self._writer.forbidden([memory]))
            )
            if not judged.verdict.is_taken:
                raise RefusedError(_REFUSALS[judged.verdict])
            if known := self._writer.known_as(judged.memory):
                return known
            self._write([judged], JobId(f"told-{uuid.uuid4().hex}"), 0)
            return self._writer.store.get([memory.id])[0]

    def _checked(self, file: Path, user: str | None) -> int:
        """How many memories a file holds; it was read to its end then, and is whole."""
        return sum(1 for _ in self._read(file, user=user))

    def _judged(self, file: Path, user: str | None) -> Iterator[list[Judged]]:
        sieve = Sieve(self._writer.store.select(MemoryFilter()))
        for batch in _batches(self._read(file, user=user)):
            forgotten = self._writer.forbidden([one.memory for one in batch])
            yield [self._judgement(one, sieve, forgotten=one.memory.id in forgotten) for one in batch]

    def _judgement(self, arriving: Arriving, sieve: Sieve | None = None, *, forgotten: bool) -> Judged:
        memory = self._founded(arriving.memory)
        if secrets := self._secrets(memory):
            return Judged(arriving=arriving, verdict=Verdict.SECRET, memory=memory, told=secrets)
        if forgotten:
            return Judged(arriving=arriving, verdict=Verdict.FORGOTTEN, memory=memory, told="")
        verdict, kept = self._admitted(memory)
        if sieve is not None and (known := sieve.verdict(arriving)):
            verdict = known
        return Judged(arriving=arriving, verdict=verdict, memory=kept, told=shortened(memory.text, SHOWN))

    def _admitted(self, memory: Memory) -> tuple[Verdict, Memory]:
        if len(memory.text) > LONGEST:
            return Verdict.LONG, memory
        kept = treated(memory, self._policy)
        if kept is None:
            return Verdict.REFUSED, memory
        if memory.status is not Status.ACTIVE:
            # It takes no part in recall, and is asked about where it is to do so.
            return Verdict.NEW, replace(memory, sensitivity=kept.sensitivity)
        if gives_orders(memory):
            return Verdict.ORDER, replace(kept, status=Status.PENDING, waits_for=Wait.INSTRUCTION)
        return (Verdict.NEW if kept == memory else Verdict.SENSITIVE), kept

    def _founded(self, memory: Memory) -> Memory:
        """A memory without the quotes that turns here do not bear out; those of turns elsewhere are believed."""
        return replace(memory, quotes=tuple(quote for quote in memory.quotes if self._bears_out(quote)))

    def _bears_out(self, quote: Quote) -> bool:
        try:
            return quote.text in self._turn(quote.turn_id).text
        except NotFoundError:
            return True

    def _secrets(self, memory: Memory) -> str:
        """The kinds of secrets in a memory, in words; empty for none."""
        texts = (memory.text, *(quote.text for quote in memory.quotes))
        kinds = [kind for text in texts for kind in self._screen(text).kinds]
        return told(list(dict.fromkeys(kinds))) or ("a secret that was taken out" if is_redacted(memory.text) else "")

    def _known_in_other_words(self, judged: Judged) -> Judged:
        if judged.verdict is Verdict.NEW and not judged.arriving.whole and self._writer.known_as(judged.memory):
            return replace(judged, verdict=Verdict.SAME)
        return judged

    def _write(self, judged: Sequence[Judged], job_id: JobId, number: int) -> list[Judged]:
        """Write memories; returns those that bear out one which is here, and were not written for themselves."""
        changes = [
            *self._writer.plan([one.memory for one in judged if not one.arriving.whole]),
            *(change for one in judged if one.arriving.whole for change in self._restored(one.memory)),
        ]
        added = {change.memory_id for change in changes if change.before is None}
        made = change_set(Cause.IMPORT, changes, self._writer.clock.now(), job_id, str(number))
        self._writer.write(replace(made, job_id=job_id))
        return [one for one in judged if one.memory.id not in added]

    def _restored(self, whole: Memory) -> list[Change]:
        if whole.status is not Status.ACTIVE:
            return [Change(before=None, after=whole)]
        return self._writer.plan_restored(whole)


_REFUSALS = {
    Verdict.SECRET: "It holds a secret, and secrets are never kept.",
    Verdict.FORGOTTEN: "This was forgotten for good, so it is not learned again.",
    Verdict.REFUSED: "It is of a kind that this profile never keeps.",
    Verdict.LONG: f"A memory may have at most {LONGEST:,} characters. Shorten it.",
}


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    iterator = iter(items)
    while batch := list(islice(iterator, AT_ONCE)):
        yield batch
