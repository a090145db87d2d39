import asyncio
import json
import threading

import pytest

from chatmem.consolidation.extract import ModelExtractor, schema
from chatmem.consolidation.gate import Gate
from chatmem.consolidation.rules import extract_by_rules
from chatmem.domain.errors import NonsenseError, ProviderError, RefusedError
from chatmem.domain.memory import Extractor, Kind
from chatmem.domain.turn import Role
from chatmem.prompts import prompt
from tests.fakes.builders import a_choice, a_turn
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.fakes.meter import FakeMeter
from tests.fakes.token_counter import WordCounter

NOTHING = '{"memories": []}'


def item(**changes: object) -> dict[str, object]:
    return {
        "turn": 1,
        "quote": "I live in Porto",
        "kind": "fact",
        "subject": "user",
        "slot": "home",
        "text": "The user lives in Porto.",
    } | changes


def reply(*items: dict[str, object]) -> str:
    return json.dumps({"memories": list(items)})


def extractor(model: ScriptedChatModel, meter: FakeMeter | None = None, timeout_s: float = 60.0) -> ModelExtractor:
    return ModelExtractor(
        chat_model=model, choice=a_choice, counter=WordCounter(), meter=meter or FakeMeter(), timeout_s=timeout_s
    )


def no_wait() -> None:
    """There is nothing to wait for."""


def test_an_item_becomes_a_candidate_with_its_provenance() -> None:
    model = ScriptedChatModel.of(reply(item()))

    [candidate] = extractor(model).extract([a_turn()], before_call=no_wait, gate=Gate())

    assert (candidate.kind, candidate.text, candidate.slot) == (Kind.FACT, "The user lives in Porto.", "home")
    assert (candidate.quote.turn_id, candidate.quote.text) == ("s1t1", "I live in Porto")
    assert (candidate.extractor, candidate.model) == (Extractor.MODEL, "openai/fake")
    assert candidate.prompt_version == prompt("extract").version


def test_ten_turns_take_one_call() -> None:
    model, meter = ScriptedChatModel(always=NOTHING), FakeMeter()
    turns = [a_turn(seq, f"I live in house {seq}.") for seq in range(1, 26)]

    extractor(model, meter).extract(turns, before_call=no_wait, gate=Gate())

    assert meter.calls()[0].calls == 2
    assert [request.schema for request in model.requests] == [schema(13, 24), schema(12, 24)]


def test_only_the_users_turns_bear_numbers() -> None:
    model = ScriptedChatModel.of(reply(item(turn=2, quote="I row", text="The user rows.")))
    turns = [a_turn(1, "hello there"), a_turn(2, "Hi!", role=Role.ASSISTANT), a_turn(3, "I row")]

    [candidate] = extractor(model).extract(turns, before_call=no_wait, gate=Gate())

    assert candidate.quote.turn_id == "s1t3"


def test_a_model_is_asked_about_no_more_than_the_rules_passed_over() -> None:
    model = ScriptedChatModel.of(reply(item(turn=1, quote="Rain makes me sad", text="Rain makes the user sad.")))
    turns = [a_turn(1, "I live in Porto."), a_turn(2, "Nice!", role=Role.ASSISTANT), a_turn(3, "Rain makes me sad.")]
    known = extract_by_rules(turns[:1])

    [candidate] = extractor(model).extract(turns, before_call=no_wait, gate=Gate(), known=known)

    shown = model.requests[0].messages[-1].text.splitlines()[1:]
    assert shown == ["(user: I live in Porto.)", "(answer: Nice!)", "[1] Rain makes me sad."]
    assert model.requests[0].schema == schema(1, 1)
    assert candidate.quote.turn_id == "s1t3"


def test_the_prompt_stays_within_a_small_context() -> None:
    model = ScriptedChatModel(always=NOTHING, context=2000)
    turns = [a_turn(seq, "word " * 5000) for seq in range(1, 4)]

    extractor(model).extract(turns, before_call=no_wait, gate=Gate())

    counter = WordCounter()
    sizes = [sum(counter.count(message.text) for message in request.messages) for request in model.requests]
    assert max(sizes) + model.requests[0].max_reply_tokens <= 2000


def test_the_prompt_itself_is_short() -> None:
    assert WordCounter().count(prompt("extract").text) < 600


def test_talk_of_the_assistant_alone_or_of_code_alone_costs_no_call() -> None:
    model = ScriptedChatModel()
    turns = [a_turn(1, "```\nx = 1\n```"), a_turn(2, "A fine x.", role=Role.ASSISTANT)]

    assert extractor(model).extract(turns, before_call=no_wait, gate=Gate()) == []
    assert model.requests == []


@pytest.mark.parametrize("nonsense", ["I'd be glad to help!", '{"memories": 3}', '{"memories": [{"turn": "x"}]}'])
def test_nonsense_is_asked_again_once(nonsense: str) -> None:
    model = ScriptedChatModel.of(nonsense, reply(item()))

    candidates = extractor(model).extract([a_turn()], before_call=no_wait, gate=Gate())

    assert len(candidates) == 1


def test_nonsense_twice_is_an_error() -> None:
    model, meter = ScriptedChatModel(always="no"), FakeMeter()

    with pytest.raises(NonsenseError):
        extractor(model, meter).extract([a_turn()], before_call=no_wait, gate=Gate())

    assert meter.calls()[0].calls == 2


def test_a_list_of_five_hundred_is_cut() -> None:
    model = ScriptedChatModel.of(reply(*[item(text=f"The user lives in Porto {n}.") for n in range(500)]))

    candidates = extractor(model).extract([a_turn()], before_call=no_wait, gate=Gate())

    assert len(candidates) < 30


def test_an_item_of_a_turn_that_is_not_there_is_left_out() -> None:
    model = ScriptedChatModel.of(reply(item(turn=7)))

    assert extractor(model).extract([a_turn()], before_call=no_wait, gate=Gate()) == []


def test_a_reply_that_does_not_come_in_time_can_be_tried_again() -> None:
    model = ScriptedChatModel.of(Script(hold=asyncio.Event()))

    with pytest.raises(ProviderError) as caught:
        extractor(model, timeout_s=0.05).extract([a_turn()], before_call=no_wait, gate=Gate())

    assert caught.value.retryable
    assert len(model.cancelled) == 1


def test_stopping_cancels_a_running_call() -> None:
    model, gate = ScriptedChatModel.of(Script(hold=asyncio.Event())), Gate()
    threading.Timer(0.05, gate.stop.set).start()

    with pytest.raises(RefusedError):
        extractor(model).extract([a_turn()], before_call=no_wait, gate=gate)

    assert len(model.cancelled) == 1


def test_a_running_call_gives_way_to_an_answer_and_is_made_again() -> None:
    model = ScriptedChatModel.of(Script(hold=asyncio.Event()), reply(item()))
    answering = threading.Event()
    threading.Timer(0.05, answering.set).start()

    candidates = extractor(model).extract(
        [a_turn()], before_call=answering.clear, gate=Gate(lambda: not answering.is_set())
    )

    assert [candidate.text for candidate in candidates] == ["The user lives in Porto."]
    assert len(model.cancelled) == 1


def test_without_a_choice_there_is_no_model_to_ask() -> None:
    nobody = ModelExtractor(
        chat_model=ScriptedChatModel(), choice=lambda: None, counter=WordCounter(), meter=FakeMeter()
    )

    assert not nobody.available()
    with pytest.raises(ProviderError):
        nobody.extract([a_turn()], before_call=no_wait, gate=Gate())
