"""Looking through all words, whoever keeps them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.journal import SqliteJournal
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.adapters.sqlite.wordings import SqliteWordings
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId, JobId
from chatmem.domain.memory import MemoryId
from chatmem.domain.sought import Sought
from chatmem.domain.turn import Attachment, AttachmentId, SessionId, TurnId
from chatmem.ports.journal import Journal
from chatmem.ports.session_log import SessionLog
from chatmem.ports.wordings import Wordings
from tests.fakes.builders import NOON, a_fact, a_quote, a_session, a_turn
from tests.fakes.clock import FakeClock
from tests.fakes.journal import FakeJournal
from tests.fakes.session_log import FakeSessionLog
from tests.fakes.wordings import FakeWordings

IMAGE = Attachment(id=AttachmentId("i1"), name="rash.png", media_type="image/png", size=3)


@dataclass
class Kept:
    """What is looked through, and who looks."""

    log: SessionLog
    journal: Journal
    wordings: Wordings

    def changes(self, number: int, *changes: Change, job: str | None = None) -> None:
        self.journal.record(
            ChangeSet(
                id=ChangeSetId(f"c{number}"),
                made_at=NOON,
                cause=Cause.CONSOLIDATION,
                changes=changes,
                job_id=JobId(job) if job else None,
            )
        )


@pytest.fixture(params=["fake", "sqlite"])
def kept(request: pytest.FixtureRequest) -> Iterator[Kept]:
    if request.param == "fake":
        log = FakeSessionLog()
        journal = FakeJournal(log)
        yield Kept(log, journal, FakeWordings(log, journal))
        return
    with Database(None) as database:
        yield Kept(SqliteSessionLog(database, FakeClock()), SqliteJournal(database), SqliteWordings(database))


def test_every_turn_of_every_branch_is_said_with_all_its_words(kept: Kept) -> None:
    kept.log.open_session(a_session())
    kept.log.append(a_turn(1, "Look.", reasoning="Hm.", error="Cut.", attachments=(IMAGE,)), [b"png"])
    kept.log.append(a_turn(2, "An answer."))
    kept.log.append_beside(a_turn(3, "Another."), TurnId("s1t2"))

    said = [(one.session_id, one.turn_id, one.words.split()) for one in kept.wordings.said()]

    assert said == [
        (SessionId("s1"), "s1t1", ["Look.", "Cut.", "Hm.", "rash.png"]),
        (SessionId("s1"), "s1t2", ["An", "answer."]),
        (SessionId("s1"), "s1t3", ["Another."]),
    ]


def test_memories_are_found_by_their_words_and_by_the_turns_they_rest_on(kept: Kept) -> None:
    tea = a_fact("The user drinks tea.", quotes=(a_quote("tea, please", "s1t7"),))
    dog = a_fact("The user has a dog.")
    kept.changes(1, Change(before=None, after=tea), Change(before=None, after=dog))

    assert [one.memory for one in kept.wordings.learned(lambda words: "tea, please" in words)] == [tea]
    assert [one.memory for one in kept.wordings.learned(lambda words: "s1t7" in words)] == [tea]
    assert kept.wordings.learned(lambda words: "coffee" in words) == []


def test_a_memory_is_found_by_what_it_said_once(kept: Kept) -> None:
    once = a_fact("The user drinks tea.", id=MemoryId("m1"))
    now = replace(once, text="The user drinks coffee.")
    kept.changes(1, Change(before=None, after=once))
    kept.changes(2, Change(before=once, after=now))

    (found,) = kept.wordings.learned(lambda words: "tea" in words)

    assert (found.memory, found.former, found.taken_back) == (now, (once,), False)


def test_what_was_taken_back_is_found_as_it_was(kept: Kept) -> None:
    tea = a_fact("The user drinks tea.")
    kept.changes(1, Change(before=None, after=tea))
    kept.changes(2, Change(before=tea, after=None))

    (found,) = kept.wordings.learned(lambda words: "tea" in words)

    assert (found.memory, found.former, found.taken_back) == (tea, (), True)


@pytest.mark.parametrize("text", ['a "quoted" word', "two\nlines", "C:\\new folder", "tab\there", "日本"])
def test_words_are_looked_at_as_they_were_written(text: str) -> None:
    with Database(None) as database:
        kept = Kept(SqliteSessionLog(database, FakeClock()), SqliteJournal(database), SqliteWordings(database))
        kept.changes(1, Change(before=None, after=a_fact(text)))
        seen = list[str]()

        def look(words: str) -> bool:
            seen.append(words)
            return True

        kept.wordings.learned(look)
        everything = list(kept.wordings.everything())

    assert text in seen[0]
    assert any(Sought([text]).in_text(words) == [1] for words in everything)


def test_change_sets_are_counted_as_they_are_shown(kept: Kept) -> None:
    tea, dog = a_fact("The user drinks tea."), a_fact("The user has a dog.")
    kept.changes(1, Change(before=None, after=tea), job="j1")
    kept.changes(2, Change(before=None, after=dog), job="j1")
    kept.changes(3, Change(before=tea, after=replace(tea, pinned=True)))
    kept.changes(4, Change(before=dog, after=replace(dog, pinned=True)))

    assert kept.wordings.changed([tea.id]) == 2
    assert kept.wordings.changed([tea.id, dog.id]) == 3
    assert kept.wordings.changed([]) == 0


def test_everything_holds_titles_summaries_drafts_turns_and_memories(kept: Kept) -> None:
    kept.log.open_session(a_session(title="A title"))
    kept.log.append(a_turn(1, "A turn."))
    kept.log.save_summary(SessionId("s1"), "A summary.", 1)
    kept.log.save_draft(SessionId("s1"), "A draft.")
    kept.log.save_draft(None, "Another draft.")
    kept.changes(1, Change(before=None, after=a_fact("A memory.")))

    words = "\n".join(kept.wordings.everything())

    for text in ("A title", "A turn.", "A summary.", "A draft.", "Another draft.", "A memory."):
        assert text in words
