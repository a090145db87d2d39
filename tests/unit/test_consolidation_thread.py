import threading
from collections.abc import Callable

from chatmem.consolidation.gate import Gate
from chatmem.consolidation.news import ConsolidationFailed, ConsolidationNews, SessionConsolidated
from chatmem.consolidation.thread import ConsolidationThread, Pace
from chatmem.domain.errors import StoreError
from chatmem.domain.turn import Turn
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.session_log import FakeSessionLog
from tests.unit.consolidation_setup import Bench

PACE = Pace(idle_s=0.0, every_turns=1, look_s=0.02, exit_s=20.0)


class Ear:
    """Hears news, and lets a test wait for the kind it wants."""

    def __init__(self, wanted: type[ConsolidationNews]) -> None:
        self.heard: list[ConsolidationNews] = []
        self.came = threading.Event()
        self._wanted = wanted

    def __call__(self, news: ConsolidationNews) -> None:
        self.heard.append(news)
        if isinstance(news, self._wanted):
            self.came.set()


def a_thread(bench: Bench, tell: Callable[[ConsolidationNews], None], pace: Pace = PACE) -> ConsolidationThread:
    return ConsolidationThread(bench.consolidator, bench.indexer, gate=bench.gate, tell=tell, pace=pace)


def test_it_indexes_and_consolidates_while_it_runs() -> None:
    bench, ear = Bench(), Ear(SessionConsolidated)
    bench.say("I live in Porto.")

    with a_thread(bench, ear):
        assert ear.came.wait(20)

    assert bench.texts() == ["I live in Porto."]
    assert bench.log.unindexed(limit=9) == []


def test_leaving_consolidates_what_was_just_said() -> None:
    bench = Bench()
    patient = Pace(idle_s=9999, every_turns=9999, look_s=9999, exit_s=20)

    with a_thread(bench, bench.told.append, patient):
        bench.say("I live in Porto.")

    assert bench.texts() == ["I live in Porto."]


def test_leaving_does_not_wait_for_a_model_that_may_not_be_called_but_lets_the_rules_finish() -> None:
    bench = Bench(model=ScriptedChatModel(), gate=Gate(may_call_model=lambda: False))
    bench.say("I live in Porto.")

    with a_thread(bench, bench.told.append, Pace(look_s=0.02, exit_s=0.1)):
        pass

    assert bench.texts() == ["I live in Porto."]
    assert bench.queue.pending() == 0


def test_a_call_begins_only_once_the_answer_has_ended() -> None:
    answering, asked = threading.Event(), threading.Event()
    answering.set()

    def may_call() -> bool:
        asked.set()
        return not answering.is_set()

    model = ScriptedChatModel(always='{"memories": []}')
    bench, ear = Bench(model=model, gate=Gate(may_call)), Ear(SessionConsolidated)
    bench.say("I live in Porto. There is a boat.")

    with a_thread(bench, ear):
        assert asked.wait(20)
        before = len(model.requests)
        answering.clear()
        assert ear.came.wait(20)

    assert (before, len(model.requests)) == (0, 1)


class BrokenLog(FakeSessionLog):
    """A session log that can't be read until it is mended."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error: Exception | None = error

    def unindexed(self, *, limit: int) -> list[Turn]:
        if self.error is not None:
            raise self.error
        return super().unindexed(limit=limit)


def fails_and_goes_on(error: Exception) -> list[ConsolidationNews]:
    log = BrokenLog(error)
    bench, failed, done = Bench(log=log), Ear(ConsolidationFailed), Ear(SessionConsolidated)

    def tell(news: ConsolidationNews) -> None:
        failed(news)
        done(news)

    bench.say("I live in Porto.")
    with a_thread(bench, tell):
        assert failed.came.wait(20)
        log.error = None
        assert done.came.wait(20)
    return failed.heard


def test_an_expected_failure_is_told_once_and_the_thread_goes_on() -> None:
    heard = fails_and_goes_on(StoreError("The disk is full."))

    assert [news for news in heard if isinstance(news, ConsolidationFailed)] == [
        ConsolidationFailed(reason="The disk is full.")
    ]


def test_an_unexpected_failure_does_not_end_the_thread() -> None:
    heard = fails_and_goes_on(ZeroDivisionError())

    assert any(isinstance(news, SessionConsolidated) for news in heard)


def test_a_thread_that_was_never_started_can_be_stopped() -> None:
    bench = Bench()

    a_thread(bench, bench.told.append).stop(0.1)
