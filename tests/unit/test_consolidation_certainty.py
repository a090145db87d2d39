"""What is not sure waits, until the person says so, or says it again."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from chatmem.consolidation.admission import decide
from chatmem.consolidation.certainty import ENOUGH, LIKELY, UNSURE
from chatmem.consolidation.curator import Curator
from chatmem.consolidation.reconcile import Neighbour, reconcile
from chatmem.consolidation.rules import extract_by_rules
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.change import Change
from chatmem.domain.memory import Memory, Sensitivity, Status, Wait
from chatmem.domain.policy import Policy
from tests.fakes.builders import NOON, a_fact, a_quote, a_turn
from tests.unit.consolidation_setup import Bench

LATER = NOON + timedelta(days=1)
VAGUE = "I've a bottom bracket too many now."


def waiting(text: str = "I live in Porto.", wait: Wait = Wait.CONFIDENCE, **changes: object) -> Memory:
    return a_fact(text, **({"status": Status.PENDING, "waits_for": wait, "confidence": UNSURE} | changes))


def told(known: Memory, turn: str, **changes: object) -> Memory:
    """The same as is known, as it was told in a turn."""
    quotes = (replace(a_quote(known.text, turn), said_at=LATER),)
    return replace(known, quotes=quotes, valid_from=LATER, **changes)  # type: ignore[arg-type]  # any field


def after(known: Memory, new: Memory, *others: Memory) -> list[Memory]:
    return [change.memory for change in changes(known, new, *others)]


def changes(known: Memory, new: Memory, *others: Memory) -> Sequence[Change]:
    return reconcile(new, [Neighbour(memory=one) for one in (known, *others)], LATER, "newest")


@pytest.mark.parametrize(
    ("confidence", "status", "wait"),
    [(0.99, Status.ACTIVE, None), (ENOUGH, Status.ACTIVE, None), (0.79, Status.PENDING, Wait.CONFIDENCE)],
)
def test_what_is_not_sure_enough_waits(confidence: float, status: Status, wait: Wait | None) -> None:
    turn = a_turn(1, VAGUE)

    kept = decide(a_fact(VAGUE, confidence=confidence, quotes=(a_quote(VAGUE),)), [turn], Policy())

    assert kept is not None
    assert (kept.status, kept.waits_for) == (status, wait)


def test_what_the_person_asked_to_be_remembered_is_sure() -> None:
    turn = a_turn(1, f"Please remember this: {VAGUE}")

    kept = decide(a_fact(VAGUE, confidence=UNSURE, quotes=(a_quote(VAGUE),)), [turn], Policy())

    assert kept is not None
    assert kept.status is Status.ACTIVE


def test_what_is_both_sensitive_and_unsure_waits_for_consent() -> None:
    text = "my blood pressure was 150 over 95"

    kept = decide(a_fact(text, confidence=UNSURE, quotes=(a_quote(text),)), [a_turn(1, text)], Policy())

    assert kept is not None
    assert kept.waits_for is Wait.CONSENT


def test_what_waits_as_unsure_is_taken_up_once_it_is_told_in_another_turn() -> None:
    known = waiting()

    (memory,) = after(known, told(known, "s2t1"))

    assert (memory.status, memory.waits_for, memory.confidence) == (Status.ACTIVE, None, ENOUGH)
    assert len(memory.quotes) == 2


def test_the_same_turn_makes_nothing_surer() -> None:
    known = waiting(quotes=(a_quote("I live in Porto"),))
    more = (a_quote("So, I live in Porto, as I said."),)

    (memory,) = after(known, replace(known, quotes=more))

    assert (memory.status, memory.confidence) == (Status.PENDING, UNSURE)


def test_what_was_unsure_is_taken_up_where_it_is_found_for_sure() -> None:
    known = waiting()

    (memory,) = after(known, replace(known, status=Status.ACTIVE, waits_for=None, confidence=LIKELY))

    assert (memory.status, memory.confidence) == (Status.ACTIVE, LIKELY)


def test_what_becomes_sure_takes_the_place_of_what_it_contradicts() -> None:
    known, old = waiting("I live in Porto.", valid_from=LATER), a_fact("I live in Ghent.")

    taken_up, closed = changes(known, told(known, "s2t1"), old)

    assert (taken_up.before, taken_up.memory.status) == (known, Status.ACTIVE)
    assert (closed.before, closed.memory.superseded_by) == (old, known.id)


def test_being_told_again_is_no_consent() -> None:
    known = waiting(wait=Wait.CONSENT, sensitivity=Sensitivity.MEDICAL, confidence=LIKELY)

    memories = [*after(known, told(known, "s2t1")), *after(known, told(known, "s3t1", sensitivity=None))]

    assert [memory.waits_for for memory in memories] == [Wait.CONSENT, Wait.CONSENT]


@pytest.mark.parametrize("turn", ["s1t1", "s2t1"])
def test_consent_that_is_given_later_lets_in_what_waited_for_it(turn: str) -> None:
    known = waiting(wait=Wait.CONSENT, sensitivity=Sensitivity.MEDICAL, confidence=LIKELY)

    (memory,) = after(known, told(known, turn, status=Status.ACTIVE, waits_for=None))

    assert (memory.status, memory.waits_for, memory.sensitivity) == (Status.ACTIVE, None, Sensitivity.MEDICAL)


@pytest.mark.parametrize("wait", [Wait.CONFLICT, Wait.REVIEW])
def test_what_the_person_is_to_see_waits_for_them_however_often_it_is_told(wait: Wait) -> None:
    known = waiting(wait=wait)

    (memory,) = after(known, told(known, "s2t1", status=Status.ACTIVE, waits_for=None, confidence=0.9))

    assert memory.waits_for is wait


def test_an_unsure_memory_that_turns_out_to_be_sensitive_waits_for_consent() -> None:
    known = waiting()

    (memory,) = after(known, told(known, "s2t1", waits_for=Wait.CONSENT, sensitivity=Sensitivity.MEDICAL))

    assert (memory.status, memory.waits_for) == (Status.PENDING, Wait.CONSENT)


def test_talk_that_is_unsure_reaches_the_inbox_and_is_kept_once_it_is_said_again() -> None:
    bench = Bench()
    bench.say(VAGUE, session=1)
    bench.consolidate()
    (before,) = Curator(bench.writer).waiting()

    bench.say(VAGUE, session=2)
    bench.consolidate()

    assert before.waits_for is Wait.CONFIDENCE
    assert [(one.id, one.status) for one in bench.memories()] == [(before.id, Status.ACTIVE)]


def test_in_review_first_mode_what_is_unsure_waits_to_be_seen_too() -> None:
    bench = Bench()
    writer = MemoryWriter(
        journal=bench.journal, store=bench.store, embedder=bench.embedder, clock=bench.clock, review=True
    )

    (change,) = writer.plan([waiting()])

    assert change.memory.waits_for is Wait.REVIEW


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("I've a bottom bracket too many now.", UNSURE),
        ("Ich hab seit dieser Saison einen Schrebergarten, Parzelle 17.", LIKELY),
        ("水曜の夜に教室へ通っています。", LIKELY),
        ("We fill the bird feeders on sundays, all four.", LIKELY),
    ],
)
def test_what_says_since_when_or_how_often_it_is_so_is_likely_to_last(text: str, confidence: float) -> None:
    (found,) = extract_by_rules([a_turn(1, text)])

    assert found.confidence == confidence
