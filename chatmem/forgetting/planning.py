"""Working out what forgetting takes along."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from chatmem.domain.errors import NotFoundError
from chatmem.domain.forgetting import BLOT
from chatmem.domain.memory import Memory, MemoryId, Relation
from chatmem.domain.text import shortened
from chatmem.domain.turn import Session, SessionId, Turn, TurnId
from chatmem.forgetting.blot import blot_derived, blot_retold
from chatmem.forgetting.plan import Going, Places, Preview, Redaction, rests_on
from chatmem.forgetting.telling import retells, without, without_words
from chatmem.forgetting.traces import Traces
from chatmem.ports.wordings import Learned

TITLE_LENGTH = 60


class Planning:
    """Finds what tells what is to be forgotten; changes nothing. Methods block, and raise `StoreError`."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def of(self, ids: Sequence[MemoryId], sessions: Sequence[SessionId], *, keeps_turns: bool = False) -> Preview:
        """What goes, and what of the rest loses words.

        Args:
            ids: Memories.
            sessions: Sessions that go whole.
            keeps_turns: Leave the words in the turns of all other sessions.

        Raises:
            NotFoundError: If there is no memory, or no session, of one of the ids.
        """
        going = tuple(self._going(session_id) for session_id in dict.fromkeys(sessions))
        asked = {memory.id: memory for memory in self.asked(ids)}
        asked |= {memory.id: memory for memory in self._made_into(tuple(asked.values()))}
        if sessions:
            asked |= {memory.id: memory for memory in self._resting_on(sessions)}
        near = self._near(tuple(asked.values()), sessions)
        rest = [one.memory for one in near if one.memory.id not in asked]
        gone = asked | {memory.id: memory for memory in _retelling(rest, tuple(asked.values()))}
        memories = tuple(gone.values())
        if len(gone) > len(asked):
            near = self._near(memories, sessions)
        if keeps_turns:
            staying = [one.memory for one in near if one.memory.id not in gone]
            bare = tuple(kept for one in staying if (kept := _bare(one, sessions, gone)) != one)
            return Preview(memories=memories, sessions=going, trimmed=bare, keeps_turns=True)
        traces = Traces(memories)
        return Preview(
            memories=memories,
            sessions=going,
            redactions=tuple(self._redactions(memories, traces, besides=sessions)),
            trimmed=tuple(
                trimmed
                for one in near
                if one.memory.id not in gone
                if (trimmed := _trimmed(one.memory, traces, sessions, gone)) != one.memory or _told_once(one, traces)
            ),
        )

    def of_everything(self) -> Preview:
        """All that was said and learned."""
        going = tuple(self._going(session_id) for session_id in self._places.sessions.every())
        learned = tuple(one.memory for one in self._places.wordings.learned(lambda _: True))
        return Preview(memories=learned, sessions=going, everything=True)

    def in_full(self, preview: Preview) -> Preview:
        """The same, with titles, summaries, drafts and change sets, as the person is shown it."""
        touched = self._places.wordings.changed([memory.id for memory in preview.memories])
        if preview.everything:
            drafts: tuple[SessionId | None, ...] = (None,) if self._places.log.draft(None) else ()
            return replace(preview, drafts=drafts, change_sets=touched)
        if preview.keeps_turns:
            return replace(preview, change_sets=touched)
        besides = [going.session.id for going in preview.sessions]
        return replace(
            preview,
            retitled=tuple(self.retitled(preview.memories, besides=besides)),
            drafts=tuple(self.drafts(preview.memories, besides=besides)),
            change_sets=touched,
        )

    def asked(self, ids: Sequence[MemoryId]) -> list[Memory]:
        """The memories of these ids, also those that were taken back: they could be brought back from the journal.

        Raises:
            NotFoundError: If there is none of one of the ids.
        """
        if not ids:
            return []
        # The journal first: to read the store takes seconds, with the library behind it.
        found = {memory.id: memory for memory in self._places.journal.latest(ids)}
        if len(found) < len(set(ids)):
            found |= {memory.id: memory for memory in self._places.journal.taken_back() if memory.id in ids}
            found |= {memory.id: memory for memory in self._places.memories.get(ids)}
        if missing := [id_ for id_ in ids if id_ not in found]:
            raise NotFoundError(
                f"There is no memory {missing[0]}; it may have been forgotten already. "
                "`chatmem memory list` shows what there is."
            )
        return list(found.values())

    def there(self, ids: Collection[MemoryId]) -> list[MemoryId]:
        """Which of these memories are there, or could be brought back."""
        there = {memory.id for memory in self._places.memories.get(list(ids))}
        return list(there | {memory.id for memory in self._places.journal.taken_back() if memory.id in ids})

    def turns(self, ids: Sequence[TurnId]) -> Iterator[Turn]:
        """The turns of these ids that are there."""
        for id_ in ids:
            with suppress(NotFoundError):  # its session was forgotten whole
                yield self._places.log.turn(id_)

    def retitled(self, memories: Sequence[Memory], *, besides: Collection[SessionId] = ()) -> Iterator[Session]:
        """The sessions whose title or summary tells one of the memories, as they are without it."""
        traces = Traces(memories)
        for session in self._staying(besides):
            title, summary = session.title, session.summary
            for memory in traces.in_text(f"{title}\n{summary}", any_word=True):
                title, summary = blot_derived(title, memory), blot_derived(summary, memory)
            if title != session.title:
                title = shortened(title, TITLE_LENGTH) or BLOT
            if (title, summary) != (session.title, session.summary):
                yield replace(session, title=title, summary=summary)

    def drafts(self, memories: Sequence[Memory], *, besides: Collection[SessionId] = ()) -> Iterator[SessionId | None]:
        """The sessions whose draft tells one of the memories; `None` for the next new one."""
        traces = Traces(memories)
        for session_id in (None, *(session.id for session in self._staying(besides))):
            draft = self._places.log.draft(session_id)
            if any(blot_retold(draft, memory) != draft for memory in traces.in_text(draft)):
                yield session_id

    def _near(self, memories: Sequence[Memory], sessions: Collection[SessionId]) -> list[Learned]:
        """Those that may tell one of these memories, rest on a turn that one rests on, or on one of the sessions."""
        sources = {quote.turn_id for memory in memories for quote in memory.quotes}
        traces = Traces(memories, {*(memory.id for memory in memories), *sources, *sessions})
        return self._places.wordings.learned(traces.touch)

    def _made_into(self, memories: Sequence[Memory]) -> Iterator[Memory]:
        """What became one of these memories when it was merged or split: it said it, if in other words."""
        while memories:
            into = {link.to: one.id for one in memories for link in one.links if link.relation is Relation.DERIVED_FROM}
            memories = [one for one in self._places.memories.get(list(into)) if one.superseded_by == into[one.id]]
            yield from memories

    def _resting_on(self, sessions: Collection[SessionId]) -> Iterator[Memory]:
        for learned in self._places.wordings.learned(Traces((), sessions).touch):
            if rests_on(learned.memory, sessions):
                yield learned.memory

    def _going(self, session_id: SessionId) -> Going:
        log = self._places.log
        return Going(
            session=log.session(session_id),
            turns=tuple(log.turns(session_id, every_branch=True)),
            draft=log.draft(session_id),
        )

    def _staying(self, besides: Collection[SessionId]) -> list[Session]:
        return [session for session in self._places.log.sessions() if session.id not in besides]

    def _redactions(
        self, memories: Sequence[Memory], traces: Traces, *, besides: Collection[SessionId]
    ) -> Iterator[Redaction]:
        if not memories:
            return
        sources = {quote.turn_id for memory in memories for quote in memory.quotes}
        shown = self._places.log.shown(sources | {memory.id for memory in memories})
        near_it = {
            said.session_id
            for said in self._places.wordings.said()
            if said.turn_id in sources or said.turn_id in shown or traces.in_text(said.words)
        }
        for session in self._staying(besides):
            if session.id not in near_it:
                continue
            told = set[TurnId]()
            for turn in self._places.log.turns(session.id, every_branch=True):
                if turn.parent_id in told or turn.id in sources or turn.id in shown:
                    told.add(turn.id)
                near = traces.in_text(_all_words(turn), [turn.id], any_word=turn.id in told)
                after = without(turn, near, told=turn.id in told) if near else turn
                if after != turn:
                    # It tells it again, as an edited turn does, to whoever answers in this branch.
                    told.add(turn.id)
                    yield Redaction(before=turn, after=after)


def _retelling(memories: Sequence[Memory], forgotten: Sequence[Memory]) -> Iterator[Memory]:
    """Those of the memories that retell one of the forgotten ones."""
    traces, by_id = Traces(forgotten), {memory.id: memory for memory in forgotten}
    for memory in memories:
        near = traces.in_text(memory.text, {quote.turn_id for quote in memory.quotes})
        linked = [by_id[link.to] for link in memory.links if link.to in by_id]
        if any(retells(memory, other) for other in (*linked, *near)):
            yield memory


def _trimmed(memory: Memory, traces: Traces, sessions: Collection[SessionId], gone: Collection[MemoryId]) -> Memory:
    """A memory that stays, without the forgotten words, and without what leads to what goes."""
    left = _bare(memory, sessions, gone)
    said = "\n".join(quote.text for quote in left.quotes)
    near = traces.in_text(said, {quote.turn_id for quote in left.quotes})
    return without_words(left, near) if near else left


def _bare(memory: Memory, sessions: Collection[SessionId], gone: Collection[MemoryId]) -> Memory:
    """A memory without its quotes of the sessions that go, and without links to what goes: a reason may tell it."""
    quotes = tuple(quote for quote in memory.quotes if quote.session_id not in sessions)
    links = tuple(link for link in memory.links if link.to not in gone)
    return memory if (quotes, links) == (memory.quotes, memory.links) else replace(memory, quotes=quotes, links=links)


def _told_once(learned: Learned, traces: Traces) -> bool:
    """Whether a memory told it before it was edited: the journal holds what it said then."""
    return any(retells(version, other) for version in learned.former for other in traces.in_text(version.text))


def _all_words(turn: Turn) -> str:
    return "\n".join([turn.text, turn.error or "", turn.reasoning, *(one.name for one in turn.attachments)])
