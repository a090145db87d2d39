"""In what order, how far and how much at a time consolidation works."""

import json
import threading
from collections import Counter
from collections.abc import Sequence

import pytest

from chatmem.consolidation.gate import Gate
from chatmem.consolidation.lease import LEASE_S, Lease
from chatmem.consolidation.news import ConsolidationNews, ConsolidationStarted, ImportLearned, SessionConsolidated
from chatmem.consolidation.parts import TURNS_AT_ONCE
from chatmem.consolidation.thread import ConsolidationThread, Pace
from chatmem.domain.errors import ProviderError, RefusedError
from chatmem.domain.memory import Memory
from chatmem.domain.model import ChatRequest
from chatmem.domain.turn import SessionId
from chatmem.ports.embedder import Vector
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.memory_store import FakeMemoryStore
from tests.unit.consolidation_setup import Bench

NOTHING = json.dumps({"memories": []})


def imported(bench: Bench, *texts: str, first: int = 1) -> list[SessionId]:
    """Sessions of one import, with one text each."""
    ids = [bench.say(text, session=session) for session, text in enumerate(texts, first)]
    for session_id in ids:
        bench.queue.enqueue(session_id, batch="b")
    return ids


def test_fresh_talk_is_learned_from_before_imports() -> None:
    bench = Bench()
    imported(bench, "I live in Porto.", "I have a dog.")
    fresh = bench.say("My sister Eva is vegan.", session=9)
    bench.queue.enqueue(fresh)

    bench.consolidator.run_queue(bench.gate, bench.told.append, most=1)

    assert bench.texts() == ["My sister Eva is vegan."]
    assert bench.queue.pending() == 2


def test_imports_tell_their_progress_in_sessions() -> None:
    bench = Bench()
    imported(bench, "I live in Porto.", "I have a dog.")

    bench.consolidate()

    assert bench.told == [ImportLearned(done=1, sessions=2), ImportLearned(done=2, sessions=2)]


def test_imports_can_wait_while_talk_is_learned_from() -> None:
    bench = Bench()
    imported(bench, "I live in Porto.")
    bench.queue.enqueue(bench.say("I have a dog.", session=9))

    bench.consolidator.run_queue(bench.gate, bench.told.append, imports=False)
    waiting = bench.texts()
    bench.consolidate()

    assert waiting == ["I have a dog."]
    assert bench.texts() == ["I have a dog.", "I live in Porto."]


def test_what_is_said_during_a_long_import_is_learned_from_before_its_end() -> None:
    bench, heard = Bench(), threading.Event()
    imported(bench, *(f"I have {number} cats." for number in range(2, 42)), first=100)
    order: list[str] = []

    def tell(news: ConsolidationNews) -> None:
        if isinstance(news, ImportLearned) and news.done == 1:
            bench.say("My sister Eva is vegan.", session=9)
        if isinstance(news, ConsolidationStarted):
            order.append("talk")
        elif isinstance(news, ImportLearned):
            order.append("import")
            if news.done == news.sessions:
                heard.set()

    pace = Pace(idle_s=0.0, every_turns=1, look_s=0.02, exit_s=20.0)
    with ConsolidationThread(bench.consolidator, bench.indexer, gate=bench.gate, tell=tell, pace=pace):
        assert heard.wait(60)

    assert order.index("talk") <= 8


def test_upkeep_is_done_when_nothing_waits() -> None:
    bench, kept = Bench(), threading.Event()
    bench.say("I live in Porto.")
    seen: list[int] = []

    def upkeep() -> None:
        seen.append(bench.queue.pending())
        kept.set()

    pace = Pace(idle_s=0.0, every_turns=1, look_s=0.02)
    with ConsolidationThread(
        bench.consolidator, bench.indexer, gate=bench.gate, tell=bench.told.append, pace=pace, upkeep=upkeep
    ):
        assert kept.wait(20)

    assert seen[0] == 0
    assert bench.texts() == ["I live in Porto."]


def test_an_attempt_goes_on_where_the_one_before_failed_and_asks_for_no_part_twice() -> None:
    calls = 0

    def reply(_: ChatRequest) -> str:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise ProviderError("It is away.", retryable=True)
        return NOTHING

    bench = Bench(model=ScriptedChatModel(always=reply))
    bench.say(*(f"I have {number} cats. There is a boat." for number in range(TURNS_AT_ONCE)))
    bench.consolidate()
    bench.clock.advance(days=1)
    bench.consolidate()

    assert bench.model is not None
    asked = Counter(request.messages[-1].text for request in bench.model.requests)
    again = [talk for talk, times in asked.items() if times > 1]
    assert 1 <= len(again) <= TURNS_AT_ONCE // 10
    assert next(iter(asked)) not in again
    assert bench.queue.pending() == 0


def test_a_stop_between_parts_leaves_the_rest_for_later() -> None:
    gate = Gate()
    bench = Bench(gate=gate)
    session = bench.say(*(f"I have {number} cats." for number in range(TURNS_AT_ONCE)))
    bench.queue.enqueue(session)
    first = bench.queue.claim(bench.clock.now(), lease_s=1)
    assert first is not None
    bench.queue.note_done(first, TURNS_AT_ONCE)
    bench.queue.postpone(first, bench.clock.now(), "stopped")

    bench.consolidate()

    assert len(bench.texts()) == TURNS_AT_ONCE // 2


def test_a_turn_is_known_at_once_and_its_job_adds_nothing() -> None:
    bench = Bench()
    session = bench.say("I live in Porto and I have a dog.")
    turn = bench.log.turns(session)[0]

    bench.consolidator.learn_now(turn)
    at_once = bench.memories()
    again = bench.consolidator.learn_now(turn)
    later = bench.consolidate()

    assert sorted(memory.text for memory in at_once) == ["I have a dog.", "I live in Porto."]
    assert (again.added, again.strengthened) == (0, 0)
    assert (later.jobs, later.added, later.strengthened) == (1, 0, 0)
    assert bench.memories() == at_once


def test_a_lease_ends_the_work_when_it_is_stopped_or_lost() -> None:
    bench = Bench()
    bench.queue.enqueue(bench.say("I live in Porto."))
    job = bench.queue.claim(bench.clock.now(), lease_s=LEASE_S)
    assert job is not None
    with Lease(bench.queue, bench.clock, job, bench.gate) as lease:
        lease.renew()
        lease.check()
        bench.clock.advance(LEASE_S + 1)
        bench.queue.claim(bench.clock.now(), lease_s=LEASE_S)
        bench.gate.stop.set()

        with pytest.raises(RefusedError):
            lease.renew()
        with pytest.raises(RefusedError):
            lease.check()


class InterruptedStore(FakeMemoryStore):
    """The person presses Ctrl+C while it writes."""

    def put(self, memories: Sequence[Memory], vectors: Sequence[Vector | None]) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_gives_the_job_back_at_once() -> None:
    bench = Bench(store=InterruptedStore())
    bench.say("I live in Porto.")
    with pytest.raises(KeyboardInterrupt):
        bench.consolidate()

    assert bench.queue.claim(bench.clock.now(), lease_s=1) is not None


def test_a_failure_that_nobody_expected_postpones_its_job_and_the_others_go_on() -> None:
    def broken(_: ChatRequest) -> str:
        raise ZeroDivisionError

    bench = Bench(model=ScriptedChatModel(always=broken))
    bench.say("I live in Porto. There is a boat.", session=1)
    with pytest.raises(ZeroDivisionError):
        bench.consolidate()
    bench.say("I have a dog.", session=2)
    bench.consolidator.enqueue_all()
    bench.consolidator.by_rules().run_queue(bench.gate, bench.told.append)

    (waiting,) = bench.queue.postponed(bench.clock.now())
    assert (waiting.session_id, waiting.error) == ("s1", "ZeroDivisionError")
    assert bench.texts() == ["I have a dog.", "I live in Porto."]


@pytest.mark.parametrize("paste", ["I have a dog and a cat. " * 45_000, "x" * 1_048_576], ids=["prose", "noise"])
def test_of_a_turn_of_a_megabyte_the_beginning_is_learned_from(paste: str) -> None:
    bench = Bench()
    bench.say(f"I live in Porto. {paste}", "My sister Eva is vegan.")

    bench.consolidate()

    assert {"I live in Porto.", "My sister Eva is vegan."} <= set(bench.texts())
    assert bench.queue.pending() == 0


def test_talk_of_a_session_is_told_as_before() -> None:
    bench = Bench()
    session = bench.say("I live in Porto.")

    bench.consolidate()

    assert [type(news) for news in bench.told] == [ConsolidationStarted, SessionConsolidated]
    assert bench.told[0] == ConsolidationStarted(session_id=session)
