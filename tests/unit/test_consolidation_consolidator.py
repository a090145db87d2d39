import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from chatmem.consolidation.news import ConsolidationPostponed, ConsolidationStarted, SessionConsolidated
from chatmem.consolidation.reconcile import change_set
from chatmem.consolidation.undoing import Undo
from chatmem.domain.change import Cause
from chatmem.domain.errors import ProviderError, StoreError
from chatmem.domain.forgetting import Tombstone, TombstoneId, sign_code, text_hash
from chatmem.domain.memory import Extractor, Memory
from chatmem.domain.turn import TurnId
from chatmem.ports.embedder import Vector
from tests.fakes.builders import NOON
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.memory_store import FakeMemoryStore
from tests.unit.consolidation_setup import Bench

HELLO = "Hi, I'm Ana. I live in Porto and I'm allergic to peanuts. There is a boat in it."
LEARNED = ["I live in Porto.", "I'm Ana.", "I'm allergic to peanuts."]
CATS = "I'm Ana. There are three cats at home."
BEYOND_RULES = json.dumps(
    {
        "memories": [
            {
                "turn": 1,
                "quote": "There are three cats at home",
                "kind": "fact",
                "subject": "user",
                "slot": "pet",
                "text": "The user has three cats at home.",
            }
        ]
    }
)
BY_MODEL = json.dumps(
    {
        "memories": [
            {
                "turn": 1,
                "quote": "I live in Porto",
                "kind": "fact",
                "subject": "user",
                "slot": "home",
                "text": "The user lives in Porto.",
            }
        ]
    }
)


def test_rules_learn_three_facts_from_a_greeting() -> None:
    bench = Bench()
    bench.say(HELLO)

    tally = bench.consolidate()

    assert bench.texts() == LEARNED
    assert (tally.jobs, tally.added) == (1, 3)
    assert bench.queue.pending() == 0
    assert bench.told == [
        ConsolidationStarted(session_id=bench.log.sessions()[0].id),
        SessionConsolidated(session_id=bench.log.sessions()[0].id, added=3, strengthened=0, extractor=Extractor.RULES),
    ]


def test_a_memory_holds_since_it_was_said_and_was_made_now() -> None:
    bench = Bench()
    bench.say("I live in Porto.")
    bench.clock.set(NOON + timedelta(days=2))

    bench.consolidate()

    [memory] = bench.memories()
    assert (memory.valid_from, memory.created_at) == (NOON + timedelta(minutes=1), NOON + timedelta(days=2))
    assert memory.quotes[0].text in bench.log.turn(TurnId("s1t1")).text


def test_what_is_told_again_in_another_session_is_stored_once_with_both_quotes() -> None:
    bench = Bench()
    bench.say("I live in Porto.")
    bench.consolidate()
    bench.say("As I said, I live in Porto.", session=2)

    tally = bench.consolidate()

    [memory] = bench.memories()
    assert tally.strengthened == 1
    assert [quote.session_id for quote in memory.quotes] == ["s1", "s2"]


def test_consolidating_nothing_records_nothing() -> None:
    bench = Bench()
    bench.say("What is the capital of Peru?")

    bench.consolidate()

    assert bench.journal.change_sets() == []
    assert bench.queue.pending() == 0


def test_the_model_adds_what_the_rules_passed_over() -> None:
    bench = Bench(model=ScriptedChatModel.of(BEYOND_RULES))
    bench.say(CATS)

    bench.consolidate()

    assert bench.texts() == ["I'm Ana.", "The user has three cats at home."]
    assert {memory.extractor for memory in bench.memories()} == {Extractor.MODEL, Extractor.RULES}


def test_the_model_does_not_tell_again_what_the_rules_found() -> None:
    bench = Bench(model=ScriptedChatModel.of(BY_MODEL))
    bench.say(HELLO)

    bench.consolidate()

    assert bench.texts() == LEARNED


def test_a_model_that_answers_nonsense_leaves_the_rules_to_do_it() -> None:
    bench = Bench(model=ScriptedChatModel(always="Sure! Here you go."))
    bench.say(HELLO)

    bench.consolidate()

    assert bench.texts() == LEARNED


def test_a_model_that_is_away_is_tried_again_later_and_what_the_rules_found_is_known_meanwhile() -> None:
    bench = Bench(model=ScriptedChatModel(always=ProviderError("It is away.", retryable=True)))
    bench.say(HELLO)

    bench.consolidate()
    after_one = (bench.texts(), bench.queue.pending(), bench.told[-1])
    at_once = bench.consolidate()
    bench.clock.advance(days=1)
    bench.consolidate()
    bench.clock.advance(days=1)
    bench.consolidate()

    assert after_one == (
        LEARNED,
        1,
        ConsolidationPostponed(reason="It is away.", again_at=NOON + timedelta(minutes=1)),
    )
    assert at_once.jobs == 0
    assert bench.texts() == LEARNED


def test_a_model_that_can_never_answer_leaves_the_rules_to_do_it_at_once() -> None:
    bench = Bench(model=ScriptedChatModel(always=ProviderError("Wrong key.")))
    bench.say(HELLO)

    bench.consolidate()

    assert bench.texts() == LEARNED


def test_a_dry_run_writes_nothing() -> None:
    bench = Bench()
    session_id = bench.say(HELLO)

    changes = bench.consolidator.dry_run(session_id)

    assert len(changes.changes) == 3
    assert bench.memories() == []
    assert bench.journal.change_sets() == []


def test_a_stopped_run_leaves_the_job_to_be_claimed_at_once() -> None:
    bench = Bench(model=ScriptedChatModel(always=BY_MODEL))
    bench.say(HELLO)
    bench.gate.stop.set()

    stopped = bench.consolidate()
    bench.gate.stop.clear()
    resumed = bench.consolidate()

    assert (stopped.jobs, resumed.jobs) == (0, 1)


def test_a_job_whose_lease_was_lost_while_the_model_thought_writes_no_more() -> None:
    def takes_too_long(_: object) -> str:
        bench.clock.advance(days=1)
        other = bench.queue.claim(bench.clock.now(), lease_s=60)
        assert other is not None
        return BEYOND_RULES

    bench = Bench(model=ScriptedChatModel(always=takes_too_long))
    bench.say(CATS)

    bench.consolidate()

    assert bench.texts() == ["I'm Ana."]


def test_talk_that_was_forgotten_is_not_learned_again_in_the_same_words_nor_in_others() -> None:
    bench = Bench()
    key = bench.journal.tombstone_key()
    text = "I'm allergic to peanuts."
    bench.journal.bury(
        [
            Tombstone(
                id=TombstoneId("t1"),
                made_at=NOON,
                turn_ids=(TurnId("s1t1"),),
                hashes=(text_hash(text, key),),
                code=sign_code(bench.embedder.embed([text])[0]),
                model=bench.embedder.model,
            )
        ]
    )
    bench.say("i'm allergic to peanuts", "I live in Porto.", "Also, I'm really allergic to peanuts")

    bench.consolidate()

    assert bench.texts() == ["I live in Porto."]


def test_words_forgotten_while_the_model_thought_are_not_learned() -> None:
    def meanwhile(_: object) -> str:
        bench.log.redact(TurnId("s1t1"), "I'm Ana. [forgotten]")
        return BEYOND_RULES

    bench = Bench(model=ScriptedChatModel(always=meanwhile))
    bench.say(CATS)

    bench.consolidate()

    assert bench.texts() == ["I'm Ana."]


def test_without_an_embedder_memories_are_stored_and_get_their_vectors_later() -> None:
    bench = Bench()
    bench.embedder.is_ready = False
    bench.say(HELLO)
    bench.indexer.index_waiting()
    bench.consolidate()
    bare = (len(bench.store.without_vector(limit=9)), len(bench.index.without_vector(limit=9)))

    bench.embedder.is_ready = True
    done = bench.indexer.embed_missing()

    assert (bare, done) == ((3, 2), 5)
    assert bench.store.without_vector(limit=9) == []
    assert bench.index.without_vector(limit=9) == []


def test_a_command_that_is_for_something_else_gives_vectors_to_some_only() -> None:
    bench = Bench()
    bench.embedder.is_ready = False
    bench.say(HELLO)
    bench.indexer.index_waiting()
    bench.consolidate()

    bench.embedder.is_ready = True

    assert bench.indexer.embed_missing(most=1) == 3
    assert len(bench.index.without_vector(limit=9)) == 2


def test_an_embedder_that_fails_costs_nothing_but_the_vectors() -> None:
    bench = Bench()
    bench.embedder.error = "It broke."
    bench.say(HELLO)

    bench.consolidate()
    bench.indexer.index_waiting()

    assert bench.texts() == LEARNED
    assert bench.indexer.embed_missing() == 0


class FailingStore(FakeMemoryStore):
    """A store whose disk is full at first."""

    full = True

    def put(self, memories: Sequence[Memory], vectors: Sequence[Vector | None]) -> None:
        if self.full:
            raise StoreError("The disk is full. Make room.")
        super().put(memories, vectors)


def test_a_full_disk_postpones_the_job_and_nothing_is_lost_or_doubled() -> None:
    store = FailingStore()
    bench = Bench(store=store)
    bench.say(HELLO)
    bench.consolidate()
    told = bench.told[-1]

    store.full = False
    bench.clock.advance(days=1)
    bench.consolidate()

    assert told == ConsolidationPostponed(reason="The disk is full. Make room.", again_at=NOON + timedelta(minutes=1))
    assert bench.texts() == LEARNED
    assert len(bench.journal.change_sets()) == 1
    assert bench.journal.unapplied() == []
    assert bench.queue.pending() == 0


def test_what_was_recorded_before_a_crash_is_brought_in_as_it_was_changed_since() -> None:
    bench = Bench()
    session_id = bench.say("I live in Porto.")
    changes = bench.consolidator.dry_run(session_id)
    bench.journal.record(changes)
    newer = replace(changes.changes[0].memory, pinned=True)
    edit = replace(changes.changes[0], after=newer)
    bench.journal.record(change_set(Cause.EDIT, [edit], NOON, "edit"))

    finished = bench.writer.finish_interrupted()

    assert finished == 2
    assert bench.memories() == [newer]
    assert bench.journal.unapplied() == []


def test_a_long_session_is_consolidated_in_parts() -> None:
    bench = Bench()
    bench.say(*(f"My friend Pal{number} has {number} dogs." for number in range(60)))

    tally = bench.consolidate()

    assert tally.added == 60
    (changes,) = bench.journal.change_sets()
    assert changes.job_id is not None
    assert len(bench.journal.parts(changes.job_id)) >= 3


def test_a_job_that_was_done_in_parts_is_taken_back_as_a_whole() -> None:
    bench = Bench()
    bench.say(*(f"My friend Pal{number} has {number} dogs." for number in range(60)))
    bench.consolidate()
    learned = bench.memories()

    undone = Undo(bench.writer).run(bench.journal.change_sets()[0].id)

    assert bench.memories() == []
    Undo(bench.writer).run(undone.id)
    assert bench.memories() == learned


def test_quiet_sessions_and_long_ones_are_queued() -> None:
    bench = Bench()
    bench.say("I live in Porto.", session=1)
    bench.clock.set(NOON + timedelta(seconds=80))
    bench.consolidator.enqueue_due(idle_s=90, every_turns=20)
    too_early = bench.queue.pending()
    bench.say(*["I like rain."] * 11, session=2)
    bench.consolidator.enqueue_due(idle_s=90, every_turns=20)
    by_count = bench.queue.pending()
    bench.clock.set(NOON + timedelta(hours=1))
    bench.consolidator.enqueue_due(idle_s=90, every_turns=20)

    assert (too_early, by_count, bench.queue.pending()) == (0, 1, 2)


@pytest.mark.parametrize("size", [1_000_000])
def test_a_turn_of_a_megabyte_is_no_trouble(size: int) -> None:
    bench = Bench()
    bench.say("I live in Porto. " + "x" * size)

    bench.consolidate()

    assert bench.texts() == ["I live in Porto."]
