"""What consolidation consumes is counted, and stays within the budget; what it can't reach waits."""

import asyncio
import json
from collections.abc import Callable
from datetime import timedelta

from chatmem.consolidation.gate import Gate
from chatmem.consolidation.news import ConsolidationNews, ConsolidationPostponed, SessionConsolidated
from chatmem.domain.errors import NotFoundError, ProviderError
from chatmem.domain.model import ChatRequest
from chatmem.domain.turn import Session, SessionId
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.fakes.session_log import FakeSessionLog
from tests.unit.consolidation_setup import Bench


def quoting(quote: str) -> str:
    item = {"turn": 1, "quote": quote, "kind": "fact", "subject": "user", "slot": "x", "text": f"The user: {quote}"}
    return json.dumps({"memories": [item]})


def spending(bench: Callable[[], Bench], answer: str) -> Callable[[ChatRequest], str]:
    """A reply that uses today's budget up."""

    def reply(_: ChatRequest) -> str:
        bench().spent = "50,000 tokens"
        return answer

    return reply


def test_a_budget_that_runs_out_ends_the_calls_within_one_part_of_a_job() -> None:
    bench = Bench(model=ScriptedChatModel(always=spending(lambda: bench, quoting("There are 0 cats at home"))))
    bench.say(*(f"There are {number} cats at home." for number in range(15)))

    bench.consolidate()

    assert bench.model is not None
    assert len(bench.model.requests) == 1
    assert "The user: There are 0 cats at home" in bench.texts()
    [told] = [news for news in bench.told if isinstance(news, SessionConsolidated)]
    assert told.note == "by rules: today's budget of 50,000 tokens is used up"


def test_nor_is_a_model_asked_once_more_for_what_it_answered_in_another_form() -> None:
    bench = Bench(model=ScriptedChatModel(always=spending(lambda: bench, '"nonsense"')))
    bench.say("There are three cats at home.")

    bench.consolidate()

    assert bench.model is not None
    assert len(bench.model.requests) == 1


class Stopping(asyncio.Event):
    """Never set; stops consolidation when it is waited for."""

    def __init__(self, gate: Gate) -> None:
        super().__init__()
        self._gate = gate

    async def wait(self) -> bool:  # type: ignore[override]  # it never returns
        self._gate.stop.set()
        return await super().wait()


def test_a_call_that_is_ended_in_the_middle_is_counted() -> None:
    gate = Gate()
    bench = Bench(model=ScriptedChatModel.of(Script(text="{", hold=Stopping(gate))), gate=gate)
    bench.say("There are three cats at home.")

    bench.consolidate()

    assert bench.model is not None
    words = sum(len(message.text.split()) for message in bench.model.requests[0].messages)
    assert [(count.calls, count.prompt_tokens) for count in bench.meter.calls()] == [(1, words)]


def test_a_call_that_nobody_answered_consumed_nothing() -> None:
    bench = Bench(model=ScriptedChatModel.of(ProviderError("refused")))
    bench.say("There are three cats at home.")

    bench.consolidate()

    assert [count.prompt_tokens for count in bench.meter.calls()] == [0]


def test_a_model_that_is_not_there_postpones_the_job_and_that_is_told() -> None:
    bench = Bench(model=ScriptedChatModel.of(NotFoundError("There is no built-in model nemo.")))
    bench.say("There are three cats at home.")

    tally = bench.consolidate()

    assert (tally.postponed, bench.queue.pending()) == (1, 1)
    assert (
        ConsolidationPostponed(
            reason="There is no built-in model nemo.", again_at=bench.clock.now() + timedelta(minutes=1)
        )
        in bench.told
    )


class Vanishing(FakeSessionLog):
    """A log whose session is gone once its job runs."""

    gone = False

    def session(self, session_id: SessionId) -> Session:
        if self.gone:
            raise NotFoundError(f"There is no session {session_id}.")
        return super().session(session_id)


def test_a_job_whose_session_is_gone_is_done_without_a_word() -> None:
    log = Vanishing()
    bench = Bench(log=log)
    bench.say("I live in Porto.")
    bench.consolidator.enqueue_all()

    def vanishing(news: ConsolidationNews) -> None:
        log.gone = True
        bench.told.append(news)

    tally = bench.consolidator.run_queue(bench.gate, vanishing)
    log.gone = False

    assert (tally.jobs, tally.postponed, bench.queue.pending()) == (0, 0, 0)
    assert not any(isinstance(news, ConsolidationPostponed) for news in bench.told)
