"""Forgetting: erasing memories, and what retells them, from every byte on disk."""

import logging
import uuid
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from time import perf_counter

from chatmem.domain.embedding import model_of
from chatmem.domain.errors import EmbedderError, NotFoundError
from chatmem.domain.forgetting import BLOT, Proof, Tombstone, TombstoneId, marks, sign_code, text_hash
from chatmem.domain.memory import Kind, Memory, MemoryId, Relation
from chatmem.domain.text import shortened
from chatmem.domain.turn import Role, Session, SessionId, Turn, TurnId, embedded_text
from chatmem.forgetting.blot import blot_derived, blot_retold, blot_source, phrases, telling_words
from chatmem.ports.clock import Clock
from chatmem.ports.embedder import Embedder, Vector
from chatmem.ports.journal import Journal
from chatmem.ports.memory_store import Erasable, MemoryFilter, MemoryStore, TurnIndex
from chatmem.ports.session_log import SessionLog

TITLE_LENGTH = 60

CUT_SHORT = "Something was forgotten while this answer was on its way, so it was ended. Ask again."
"""Why a reply ends: what its model was shown may hold the forgotten words, and it may say them at any moment."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """A turn before and after the words of the forgotten memories were blotted out, of whichever branch."""

    before: Turn
    after: Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What forgetting will take.

    Attributes:
        memories: The memories asked for, and those that retell them.
        redactions: The turns whose words go.
        trimmed: Other memories that stay, but lose words from their quotes: as they will be.
    """

    memories: tuple[Memory, ...]
    redactions: tuple[Redaction, ...]
    trimmed: tuple[Memory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where memories and turns lie.

    Attributes:
        files: Everything on disk that must be scrubbed and proved clean.
    """

    log: SessionLog
    journal: Journal
    memories: MemoryStore
    turns: TurnIndex
    files: Sequence[Erasable]


class Forgetting:
    """Erases memories. Methods block, and may be called from any thread."""

    def __init__(
        self,
        places: Places,
        embedder: Embedder,
        clock: Clock,
        alone: AbstractContextManager[object] | None = None,
    ) -> None:
        """Keep what it works with.

        Args:
            places: Where memories and turns lie.
            embedder: Embeds what is left of redacted turns, and the codes of tombstones.
            clock: Tells the time.
            alone: Held while erasing, so that nothing is learned from words that are being blotted out.
        """
        self._places = places
        self._alone = alone or nullcontext()
        self._embedder = embedder
        self._clock = clock

    def preview(self, ids: Sequence[MemoryId]) -> Preview:
        """Work out what forgetting these memories takes along; changes nothing.

        Raises:
            NotFoundError: If there is no memory of one of the ids.
            StoreError: If the log or the store could not be read.
        """
        asked = self._asked(ids)
        # What was taken back lies in the journal only, and could be brought back from there.
        everything = [*self._places.memories.select(MemoryFilter()), *self._places.journal.taken_back()]
        gone = {memory.id: memory for memory in asked}
        gone |= {memory.id: memory for memory in everything if any(retells(memory, other) for other in asked)}
        going = tuple(gone.values())
        return Preview(
            memories=going,
            redactions=tuple(self._redactions(going)),
            trimmed=tuple(
                trimmed
                for memory in everything
                if memory.id not in gone and (trimmed := without_words(memory, going)) != memory
            ),
        )

    def forget(self, ids: Sequence[MemoryId]) -> Proof:
        """Erase memories, blot their words out of the turns, and prove that nothing is left.

        Replies that are on their way, in whichever window, are ended. A crash in the middle is made good by `resume`.

        Raises:
            NotFoundError: If there is no memory of one of the ids; nothing was changed then.
            RefusedError: If another window holds the files.
            StoreError: If something could not be rewritten; `resume` goes on with it.
        """
        with self._alone:
            return self._forget(ids)

    def resume(self) -> bool:
        """Finish what a crash left undone; returns whether there was something.

        Raises:
            RefusedError: If another window holds the files.
            StoreError: If something could not be rewritten.
        """
        with self._alone:
            memory_ids, turn_ids = self._places.journal.unfinished_forgetting()
            if not memory_ids:
                return False
            if left := [memory.id for memory in self._places.memories.get(memory_ids)]:
                self._forget(left)
            self._erase(memory_ids, turn_ids)
            self._scrub()
            self._places.journal.end_forgetting()
            return True

    def _forget(self, ids: Sequence[MemoryId]) -> Proof:
        started = perf_counter()
        self._asked(ids)
        self._places.log.cut_replies(CUT_SHORT)
        preview = self.preview(ids)
        turn_ids = [redaction.before.id for redaction in preview.redactions]
        self._places.journal.begin_forgetting([memory.id for memory in preview.memories], turn_ids)
        self._bury(preview.memories)
        self._redact(preview)
        self._trim(preview.trimmed)
        self._erase([memory.id for memory in preview.memories], turn_ids)
        late = self._redact_late(preview.memories)
        self._scrub()
        needles = [phrase for memory in preview.memories for phrase in phrases(memory)]
        residue = sum(place.residue(needles) for place in self._places.files)
        self._places.journal.end_forgetting()
        logger.info("forgot %d memories, residue %d", len(preview.memories), residue)
        return Proof(
            erased=len(preview.memories),
            turns_redacted=len(preview.redactions) + late,
            residue=residue,
            ms=(perf_counter() - started) * 1000,
        )

    def _asked(self, ids: Sequence[MemoryId]) -> list[Memory]:
        found = {memory.id: memory for memory in self._places.journal.taken_back() if memory.id in ids}
        found |= {memory.id: memory for memory in self._places.memories.get(ids)}
        if missing := [id_ for id_ in ids if id_ not in found]:
            raise NotFoundError(f"There is no memory {missing[0]}. `chatmem memory list` shows what there is.")
        return list(found.values())

    def _redactions(self, memories: Sequence[Memory]) -> Iterator[Redaction]:
        sources = {quote.turn_id for memory in memories for quote in memory.quotes}
        shown = sources | {memory.id for memory in memories}
        for session in self._places.log.sessions():
            told = set[TurnId]()
            for turn in self._places.log.turns(session.id, every_branch=True):
                if turn.parent_id in told or turn.id in sources or self._was_shown(turn, shown):
                    told.add(turn.id)
                after = without(turn, memories, told=turn.id in told)
                if after != turn:
                    # It tells it again, as an edited turn does, to whoever answers in this branch.
                    told.add(turn.id)
                    yield Redaction(before=turn, after=after)

    def _was_shown(self, turn: Turn, ids: Collection[str]) -> bool:
        """Whether one of these memories or turns was put into the prompt for this turn."""
        if turn.role is not Role.USER:
            return False
        return any(injected and id_ in ids for id_, _, injected in self._places.log.recalled(turn.id))

    def _redact(self, preview: Preview) -> None:
        for redaction in preview.redactions:
            self._redact_turn(redaction.after)
        self._redact_sessions(preview.memories)

    def _redact_late(self, memories: Sequence[Memory]) -> int:
        """Blot out what was asked or summed up while the memories could still be recalled; returns how many turns."""
        told = [(turn, without(turn, memories, told=True)) for turn in self._places.log.cut_replies(CUT_SHORT)]
        late = [after for before, after in told if after != before]
        for turn in late:
            self._redact_turn(turn)
        self._places.turns.erase([turn.id for turn in late])
        self._redact_sessions(memories)
        return len(late)

    def _redact_turn(self, turn: Turn) -> None:
        self._places.log.redact(turn.id, turn.text, turn.error)

    def _redact_sessions(self, memories: Sequence[Memory]) -> None:
        for session in self._places.log.sessions():
            self._redact_session(session, memories)
            self._drop_draft(session.id, memories)
        self._drop_draft(None, memories)

    def _redact_session(self, session: Session, memories: Sequence[Memory]) -> None:
        title, summary = session.title, session.summary
        for memory in memories:
            title, summary = blot_derived(title, memory), blot_derived(summary, memory)
        if title != session.title:
            self._places.log.rename(session.id, shortened(title, TITLE_LENGTH) or BLOT)
        if summary != session.summary:
            self._places.log.save_summary(session.id, summary, session.summarised_to)

    def _drop_draft(self, session_id: SessionId | None, memories: Sequence[Memory]) -> None:
        draft = self._places.log.draft(session_id)
        if any(blot_retold(draft, memory) != draft for memory in memories):
            self._places.log.save_draft(session_id, "")

    def _bury(self, memories: Sequence[Memory]) -> None:
        key = self._places.journal.tombstone_key()
        now = self._clock.now()
        vectors = self._vectors([memory.text for memory in memories])
        self._places.journal.bury(
            [
                Tombstone(
                    id=TombstoneId(uuid.uuid4().hex),
                    made_at=now,
                    turn_ids=tuple(dict.fromkeys(quote.turn_id for quote in memory.quotes)),
                    hashes=tuple(text_hash(phrase, key) for phrase in phrases(memory)),
                    code=sign_code(vector) if vector is not None else None,
                    model=model_of(vector),
                    marks=marks(memory.text, key),
                )
                for memory, vector in zip(memories, vectors, strict=True)
            ]
        )

    def _trim(self, trimmed: Sequence[Memory]) -> None:
        self._places.journal.rewrite(trimmed)
        there = {memory.id for memory in self._places.memories.get([memory.id for memory in trimmed])}
        stored = [memory for memory in trimmed if memory.id in there]
        self._places.memories.put(stored, self._vectors([memory.text for memory in stored]))

    def _erase(self, memory_ids: Sequence[MemoryId], turn_ids: Sequence[TurnId]) -> None:
        places = self._places
        places.memories.erase(memory_ids)
        places.journal.erase_memories(memory_ids)
        places.turns.erase(turn_ids)
        left = [turn for turn in map(places.log.turn, turn_ids) if turn.text]
        places.turns.put(left, self._vectors([embedded_text(turn) for turn in left]))
        places.log.mark_indexed(left)

    def _scrub(self) -> None:
        for place in self._places.files:
            place.scrub()

    def _vectors(self, texts: Sequence[str]) -> Sequence[Vector | None]:
        """Embed where the embedder is at hand; the consolidation thread makes up for the rest later."""
        if not texts or not self._embedder.ready():
            return [None] * len(texts)
        try:
            return self._embedder.embed(texts)
        except EmbedderError:
            return [None] * len(texts)


def without(turn: Turn, memories: Sequence[Memory], *, told: bool) -> Turn:
    """A turn without what tells any of the memories; the same where nothing does.

    Of one that does, the words are blotted out; what the model thought and the images go whole, as words are not all
    that an image may show.

    Args:
        turn: The turn.
        memories: What is being forgotten.
        told: Whether the model was shown one of them before, in this branch, so that its answers may rest on it.
    """
    error = "" if turn.error in {None, CUT_SHORT} else turn.error
    texts = [turn.text, error, turn.reasoning, *(one.name for one in turn.attachments)]
    left = [_blotted(text, turn, memories, told=told) for text in texts]
    if left == texts:
        return turn
    return replace(turn, text=left[0], error=left[1] or turn.error, reasoning="", attachments=())


def _blotted(text: str, turn: Turn, memories: Sequence[Memory], *, told: bool) -> str:
    for memory in memories:
        if any(quote.turn_id == turn.id for quote in memory.quotes):
            text = blot_source(text, memory)
        elif told and turn.role is not Role.USER:
            text = blot_derived(text, memory)
        else:
            text = blot_retold(text, memory)
    return text


def retells(memory: Memory, forgotten: Memory) -> bool:
    """Whether a memory says again what is being forgotten: in its words, as the episode that held it, drawn from it."""
    if any(link.to == forgotten.id and link.relation is Relation.DERIVED_FROM for link in memory.links):
        return True
    shared = telling_words(memory.text) & telling_words(forgotten.text)
    if memory.kind is Kind.EPISODE and shared:
        sources = {quote.turn_id for quote in forgotten.quotes}
        if any(quote.turn_id in sources for quote in memory.quotes):
            return True
    return blot_retold(memory.text, forgotten) != memory.text


def without_words(memory: Memory, forgotten: Sequence[Memory]) -> Memory:
    """A memory that stays, with the forgotten words blotted out of its quotes."""
    quotes = list(memory.quotes)
    for other in forgotten:
        sources = {quote.turn_id for quote in other.quotes}
        quotes = [
            replace(
                quote,
                text=blot_source(quote.text, other) if quote.turn_id in sources else blot_retold(quote.text, other),
            )
            for quote in quotes
        ]
    return replace(memory, quotes=tuple(quotes))
