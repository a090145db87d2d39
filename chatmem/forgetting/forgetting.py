"""Forgetting: erasing memories and sessions, and what retells them, from every byte on disk."""

import logging
import uuid
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter

from chatmem.domain.embedding import model_of
from chatmem.domain.errors import EmbedderError
from chatmem.domain.forgetting import (
    Advance,
    Proof,
    Step,
    Tombstone,
    TombstoneId,
    marks,
    session_id_hash,
    sign_code,
    talk_hash,
    text_hash,
)
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.turn import SessionId, Turn, TurnId, embedded_text
from chatmem.forgetting.blot import phrases
from chatmem.forgetting.plan import Going, Places, Preview
from chatmem.forgetting.planning import Planning
from chatmem.forgetting.proving import Telling, clean, sought
from chatmem.forgetting.telling import CUT_SHORT, without
from chatmem.ports.clock import Clock
from chatmem.ports.embedder import Embedder, Vector

MOST_CODES = 500
"""Tombstones that get a code of an embedding: 10,000 would take minutes. The others know what was said by its words."""

MOST_EMBEDDED = 100
"""Turns that get a vector of what is left of them at once, which takes half a second."""

logger = logging.getLogger(__name__)


class Forgetting:
    """Erases memories and sessions. Methods block, and may be called from any thread."""

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
        self._planning = Planning(places)
        self._alone = alone or nullcontext()
        self._embedder = embedder
        self._clock = clock

    def preview(
        self, ids: Sequence[MemoryId], sessions: Sequence[SessionId] = (), *, keeps_turns: bool = False
    ) -> Preview:
        """Work out what forgetting these memories and whole sessions takes along; changes nothing.

        Raises:
            NotFoundError: If there is no memory, or no session, of one of the ids.
            StoreError: If the log or the store could not be read.
        """
        return self._planning.in_full(self._planning.of(ids, sessions, keeps_turns=keeps_turns))

    def preview_everything(self) -> Preview:
        """Work out what forgetting all that was said and learned takes along; changes nothing.

        Raises:
            StoreError: If the log or the store could not be read.
        """
        return self._planning.in_full(self._planning.of_everything())

    def forget(
        self,
        ids: Sequence[MemoryId],
        sessions: Sequence[SessionId] = (),
        *,
        keeps_turns: bool = False,
        advance: Advance = lambda *_: None,
    ) -> Proof:
        """Erase memories and whole sessions, blot their words out of other turns, and prove that nothing is left.

        A memory that rests on one of the sessions alone goes with it; any other loses the quotes. Replies that are on
        their way, in whichever window, are ended. A crash in the middle is made good by `resume`.

        Args:
            ids: The memories.
            sessions: The sessions.
            keeps_turns: Leave the words in the turns of other sessions: only what was learned from them goes.
            advance: Told of each step.

        Raises:
            NotFoundError: If there is no memory, or no session, of one of the ids; nothing was changed then.
            RefusedError: If another window holds the files.
            StoreError: If something could not be rewritten; `resume` goes on with it.
        """
        with self._alone:
            started = perf_counter()
            tell = self._telling(advance)
            tell(Step.LOOKING)
            self._planning.asked(ids)
            for session_id in sessions:
                self._places.log.session(session_id)
            self._places.log.cut_replies(CUT_SHORT)
            return self._forget(self._planning.of(ids, sessions, keeps_turns=keeps_turns), started, tell)

    def forget_everything(self, *, advance: Advance = lambda *_: None) -> Proof:
        """Erase all that was said and learned; tombstones stay, so that none of it is learned or imported again.

        Raises:
            RefusedError: If another window holds the files.
            StoreError: If something could not be rewritten; `resume` goes on with it.
        """
        with self._alone:
            started = perf_counter()
            tell = self._telling(advance)
            tell(Step.LOOKING)
            self._places.log.cut_replies(CUT_SHORT)
            return self._forget(self._planning.of_everything(), started, tell)

    def resume(self) -> bool:
        """Finish what a crash left undone; returns whether there was something.

        Raises:
            RefusedError: If another window holds the files.
            StoreError: If something could not be rewritten.
        """
        with self._alone:
            memory_ids, turn_ids = self._places.journal.unfinished_forgetting()
            session_ids = self._places.sessions.unfinished()
            if not memory_ids and not session_ids:
                return False
            left = self._planning.there(memory_ids)
            there = set(self._places.sessions.every())
            sessions = [session_id for session_id in session_ids if session_id in there]
            if left or sessions:
                keeps_turns = self._places.journal.forgetting_keeps_turns()
                preview = self._planning.of(left, sessions, keeps_turns=keeps_turns)
                self._forget(preview, perf_counter(), self._telling(lambda *_: None))
            self._erase(memory_ids, turn_ids)
            for place in self._places.files:
                place.scrub()
            self._end()
            return True

    def _telling(self, advance: Advance) -> Telling:
        return Telling(advance, len(self._places.files))

    def _forget(self, preview: Preview, started: float, tell: Telling) -> Proof:
        turn_ids = [redaction.before.id for redaction in preview.redactions]
        memory_ids = [memory.id for memory in preview.memories]
        tell(Step.REDACTING)
        if preview.everything:
            self._places.log.save_draft(None, "")
        self._begin(preview, memory_ids, turn_ids)
        self._bury(preview.memories)
        late = 0
        if preview.everything:
            tell(Step.ERASING)
            self._places.memories.clear()
            self._places.journal.erase_memories(memory_ids)
        else:
            self._redact(preview)
            self._trim(preview.trimmed)
            tell(Step.ERASING)
            self._erase(memory_ids, turn_ids)
            late = 0 if preview.keeps_turns else self._redact_late(preview.memories)
        whole = self._erase_sessions(preview.sessions)
        residue = clean(self._places.files, lambda: sought(preview, self._places.wordings), tell)
        if not residue:  # the next start tries again otherwise
            self._end()
        logger.info("forgot %d memories and %d sessions, residue %d", len(memory_ids), len(preview.sessions), residue)
        return Proof(
            erased=len(memory_ids),
            turns_redacted=len(preview.redactions) + late + whole,
            residue=residue,
            ms=(perf_counter() - started) * 1000,
        )

    def _begin(self, preview: Preview, memory_ids: Sequence[MemoryId], turn_ids: Sequence[TurnId]) -> None:
        if preview.sessions:
            key = self._places.journal.tombstone_key()
            hashes = {session_id_hash(going.session.id, key) for going in preview.sessions}
            hashes |= {talk_hash([turn.text for turn in going.turns], key) for going in preview.sessions if going.turns}
            going = [going.session.id for going in preview.sessions]
            self._places.sessions.begin(going, hashes, self._clock.now())
        self._places.journal.begin_forgetting(memory_ids, turn_ids, keeps_turns=preview.keeps_turns)

    def _end(self) -> None:
        self._places.journal.end_forgetting()
        self._places.sessions.end()

    def _redact(self, preview: Preview) -> None:
        if preview.keeps_turns:
            return
        with self._places.log.together():
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
        if not memories:
            return
        for session in list(self._planning.retitled(memories)):
            self._places.log.rename(session.id, session.title)
            self._places.log.save_summary(session.id, session.summary, session.summarised_to)
        for session_id in list(self._planning.drafts(memories)):
            self._places.log.save_draft(session_id, "")

    def _bury(self, memories: Sequence[Memory]) -> None:
        key = self._places.journal.tombstone_key()
        now = self._clock.now()
        coded = memories[:MOST_CODES]
        vectors = [*self._vectors([memory.text for memory in coded]), *[None] * (len(memories) - len(coded))]
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
                    kind=memory.kind,
                )
                for memory, vector in zip(memories, vectors, strict=True)
            ]
        )

    def _trim(self, trimmed: Sequence[Memory]) -> None:
        if not trimmed:
            return
        there = {memory.id for memory in self._places.memories.get([memory.id for memory in trimmed])}
        stored = [memory for memory in trimmed if memory.id in there]
        self._places.memories.put(stored, self._vectors([memory.text for memory in stored]))
        # Last, as planning reads the journal: what a crash leaves undone is planned again.
        self._places.journal.rewrite(trimmed)

    def _erase(self, memory_ids: Sequence[MemoryId], turn_ids: Sequence[TurnId]) -> None:
        places = self._places
        places.memories.erase(memory_ids)
        places.journal.erase_memories(memory_ids)
        places.turns.erase(turn_ids)
        left = [turn for turn in self._planning.turns(turn_ids) if turn.text and not turn.off_record]
        some = self._vectors([embedded_text(turn) for turn in left[:MOST_EMBEDDED]])
        places.turns.put(left, [*some, *[None] * len(left[MOST_EMBEDDED:])])
        places.log.mark_indexed(left)

    def _erase_sessions(self, going: Sequence[Going]) -> int:
        """Take whole sessions out; returns how many turns went."""
        if not going:
            return 0
        listed = [turn.id for one in going for turn in one.turns]
        self._places.turns.erase(listed)
        gone = self._places.sessions.erase([one.session.id for one in going])
        # Another window may have said something there since.
        self._places.turns.erase(list(set(gone) - set(listed)))
        return len(gone)

    def _vectors(self, texts: Sequence[str]) -> Sequence[Vector | None]:
        """Embed where the embedder is at hand; the consolidation thread makes up for the rest later."""
        if not texts or not self._embedder.ready():
            return [None] * len(texts)
        try:
            return self._embedder.embed(texts)
        except EmbedderError:
            return [None] * len(texts)
