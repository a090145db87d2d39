"""Forgetting whole sessions, and everything."""

from dataclasses import replace
from pathlib import Path

import pytest

from chatmem.conversation.importing import Exported, Importer
from chatmem.conversation.screening import Screening
from chatmem.domain.errors import NotFoundError
from chatmem.domain.turn import Role, SessionId, Turn, TurnId
from chatmem.forgetting.known import KnownSessions
from tests.fakes.builders import a_fact, a_quote, a_session, a_turn
from tests.fakes.job_queue import FakeJobQueue
from tests.fakes.secret_detector import FakeSecretDetector
from tests.fakes.world import World

S1, S2 = SessionId("s1"), SessionId("s2")


def said_in(session: SessionId, *texts: str) -> list[Turn]:
    roles = (Role.USER, Role.ASSISTANT)
    return [
        a_turn(at, text, id=TurnId(f"{session}t{at}"), session_id=session, role=roles[(at - 1) % 2])
        for at, text in enumerate(texts, 1)
    ]


def two_sessions() -> World:
    """Of the allergy was told in the first session alone, of the home in both."""
    world = World()
    world.said(*said_in(S1, "I live in Porto. I'm allergic to peanuts.", "No peanuts, then."), session=a_session(1))
    world.said(*said_in(S2, "As you know I live in Porto.", "A lovely town."), session=a_session(2))
    from_first = a_quote("I live in Porto.", "s1t1")
    from_second = replace(a_quote("I live in Porto.", "s2t1"), session_id=S2)
    world.remembers(
        a_fact("The user is allergic to peanuts.", quotes=(a_quote("I'm allergic to peanuts."),)),
        a_fact("The user lives in Porto.", quotes=(from_first, from_second)),
    )
    return world


def test_a_session_goes_with_the_memories_that_rest_on_it_alone() -> None:
    world = two_sessions()

    proof = world.forgetting.forget([], [S1])

    assert (proof.erased, proof.turns_redacted, proof.residue) == (1, 2, 0)
    assert [session.id for session in world.log.sessions()] == [S2]
    assert [memory.text for memory in world.journal.latest()] == ["The user lives in Porto."]
    assert world.turns.indexed([TurnId("s1t1"), TurnId("s2t1")]) == {"s2t1"}


def test_a_memory_that_rests_on_another_session_too_stays_without_the_quotes() -> None:
    world = two_sessions()

    world.forgetting.forget([], [S1])

    (left,) = world.memories.get([a_fact("The user lives in Porto.").id])
    assert [quote.session_id for quote in left.quotes] == [S2]


def test_words_of_another_session_are_left_as_they_were() -> None:
    world = two_sessions()

    world.forgetting.forget([], [S1])

    assert [turn.text for turn in world.log.turns(S2)] == ["As you know I live in Porto.", "A lovely town."]


def test_the_preview_of_a_session_tells_what_goes_and_changes_nothing() -> None:
    world = two_sessions()
    world.log.save_draft(S1, "And another thing")

    preview = world.forgetting.preview([], [S1])

    (going,) = preview.sessions
    assert (going.session.id, len(going.turns), going.draft) == (S1, 2, "And another thing")
    assert [memory.text for memory in preview.memories] == ["The user is allergic to peanuts."]
    assert [memory.text for memory in preview.trimmed] == ["The user lives in Porto."]
    assert preview.change_sets == 1
    assert len(world.log.sessions()) == 2


def test_an_unknown_session_changes_nothing() -> None:
    world = two_sessions()

    with pytest.raises(NotFoundError, match="no session s9"):
        world.forgetting.forget([], [S1, SessionId("s9")])

    assert len(world.log.sessions()) == 2


def test_everything_goes_and_only_what_keeps_it_from_coming_back_stays() -> None:
    world = two_sessions()
    world.log.save_draft(None, "I live in Porto, by the way")

    proof = world.forgetting.forget_everything()

    assert (proof.erased, proof.turns_redacted, proof.residue) == (2, 4, 0)
    assert world.log.sessions() == []
    assert world.log.draft(None) == ""
    assert world.journal.latest() == []
    assert world.journal.change_sets() == []
    assert len(world.journal.tombstones()) == 2


def test_a_crash_while_a_session_goes_is_made_good() -> None:
    world = two_sessions()
    world.eraser.begin([S1], [], world.clock.now())

    assert world.forgetting.resume()

    assert [session.id for session in world.log.sessions()] == [S2]
    assert [memory.text for memory in world.journal.latest()] == ["The user lives in Porto."]
    assert not world.forgetting.resume()


@pytest.mark.parametrize("as_id", ["s1", "the same under another id"])
def test_an_import_does_not_bring_a_forgotten_session_back(as_id: str) -> None:
    world = two_sessions()
    turns = tuple(world.log.turns(S1))
    exported = Exported(session=a_session(1, id=SessionId(as_id)), turns=turns)
    fresh = Exported(session=a_session(3), turns=tuple(said_in(SessionId("s3"), "Hello.")))
    world.forgetting.forget([], [S1])
    importer = Importer(
        world.log,
        FakeJobQueue(world.log),
        Screening(FakeSecretDetector(), world.meter),
        lambda _: [exported, fresh],
        forgotten=KnownSessions(world.eraser, world.journal).forgotten,
    )

    imported = importer.run(Path("export.json"))

    assert (imported.sessions, imported.forgotten) == (1, 1)
    assert {session.id for session in world.log.sessions()} == {"s2", "s3"}
