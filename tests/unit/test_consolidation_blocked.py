"""What is kept out of memory is counted by rule, and nothing of it is kept."""

import pytest

from chatmem.consolidation.admission import ASKED_NOT_TO, BY_POLICY, FORGOTTEN, Admission
from chatmem.consolidation.consolidator import Consolidator
from chatmem.domain.forgetting import Tombstone, TombstoneId, text_hash
from chatmem.domain.memory import Sensitivity
from chatmem.domain.policy import Policy
from tests.fakes.builders import NOON
from tests.unit.consolidation_setup import Bench


def consolidator(bench: Bench, counted: list[str], **treatments: str) -> Consolidator:
    admission = Admission(Policy.of(treatments))
    return Consolidator(
        log=bench.log, queue=bench.queue, writer=bench.writer, admission=admission, blocked=counted.append
    )


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("I have type 1 diabetes.", BY_POLICY[Sensitivity.MEDICAL]),
        ("I live in Porto. Please don't remember that.", ASKED_NOT_TO),
    ],
)
def test_what_the_policy_or_the_person_keeps_out_is_counted_by_rule(said: str, rule: str) -> None:
    bench, counted = Bench(), list[str]()
    bench.say(said)
    bench.queue.enqueue_all()

    consolidator(bench, counted, medical="never").run_queue(bench.gate, bench.told.append)

    assert counted == [rule]
    assert bench.memories() == []


def test_what_was_forgotten_is_counted_when_it_is_said_again() -> None:
    bench, counted = Bench(), list[str]()
    text_forgotten = text_hash("I live in Porto.", bench.journal.tombstone_key())
    bench.journal.bury([Tombstone(id=TombstoneId("t1"), made_at=NOON, turn_ids=(), hashes=(text_forgotten,))])
    bench.say("I live in Porto.")
    bench.queue.enqueue_all()

    consolidator(bench, counted).run_queue(bench.gate, bench.told.append)

    assert counted == [FORGOTTEN]


def test_a_dry_run_counts_nothing() -> None:
    bench, counted = Bench(), list[str]()
    session = bench.say("I have type 1 diabetes.")

    consolidator(bench, counted, medical="never").dry_run(session)

    assert counted == []
