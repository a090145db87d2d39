"""Whatever a model answers, only what the user said and meant is learned, and a failing model costs few calls."""

import json
import re

import pytest

from chatmem.domain.errors import ProviderError
from chatmem.domain.memory import Extractor
from chatmem.prompts import prompt
from tests.fakes.chat_model import ScriptedChatModel
from tests.unit.consolidation_setup import Bench

SAID = "We keep a small goat behind the shed. There is a second one at the farm."
ITEM = {
    "turn": 1,
    "quote": "There is a second one at the farm",
    "kind": "fact",
    "subject": "user",
    "slot": "pet",
    "text": "There is a second goat at the farm.",
}


def answer(*items: dict[str, object]) -> str:
    return json.dumps({"memories": list(items)})


def by_model(bench: Bench) -> list[str]:
    return [memory.text for memory in bench.memories() if memory.extractor is Extractor.MODEL]


def test_one_broken_item_does_not_spoil_the_others() -> None:
    bench = Bench(model=ScriptedChatModel(always=answer({"turn": 1}, ITEM)))
    bench.say(SAID)

    bench.consolidate()

    assert by_model(bench) == ["There is a second goat at the farm."]
    assert bench.meter.calls()[0].calls == 1


@pytest.mark.parametrize("reply", ["I'd love to help!", '{"memories": [{"turn', "", "[1, 2", "null", "\u0000"])
def test_an_answer_beyond_repair_is_asked_for_once_more_and_then_left(reply: str) -> None:
    bench = Bench(model=ScriptedChatModel(always=reply))
    bench.say(SAID)

    bench.consolidate()

    assert by_model(bench) == []
    assert bench.meter.calls()[0].calls <= 3
    assert bench.memories()


@pytest.mark.parametrize(
    "changes",
    [
        {"quote": "I keep three horses", "text": "The user keeps three horses."},
        {"text": "Auf dem Hof lebt noch eine zweite Ziege."},
        {"text": "There is a second goat at the farm with 14 kids."},
        {"text": ""},
        {"turn": 99, "quote": "nothing of the kind"},
    ],
    ids=["an invented quote", "another language", "an invented number", "no text", "a turn that is not there"],
)
def test_an_item_that_the_users_words_do_not_bear_out_is_dropped(changes: dict[str, object]) -> None:
    bench = Bench(model=ScriptedChatModel(always=answer(ITEM | changes)))
    bench.say(SAID)

    bench.consolidate()

    assert by_model(bench) == []


def test_of_five_hundred_items_each_memory_is_kept_once() -> None:
    bench = Bench(model=ScriptedChatModel(always=answer(*[ITEM] * 500)))
    bench.say(SAID)

    bench.consolidate()

    assert by_model(bench) == ["There is a second goat at the farm."]


def test_the_examples_of_the_prompt_never_come_back_as_memories() -> None:
    examples = re.findall(r'\{"turn": .*?\}', prompt("extract").text)
    bench = Bench(model=ScriptedChatModel(always=answer(*map(json.loads, examples))))
    bench.say(SAID, "Mara is fine, thanks. There is a boat at the pier.")

    bench.consolidate()

    assert len(examples) >= 3
    assert by_model(bench) == []


def test_a_server_that_fails_each_time_is_asked_no_more_than_thrice_an_attempt_and_nothing_is_lost() -> None:
    bench = Bench(model=ScriptedChatModel(always=ProviderError("HTTP 500", retryable=True)))
    bench.say(SAID)

    bench.consolidate()

    assert len(bench.model.requests) <= 3  # type: ignore[union-attr]  # there is one
    assert bench.queue.pending() == 1
    assert bench.memories()


def test_talk_that_the_rules_have_told_in_full_costs_no_call() -> None:
    bench = Bench(model=ScriptedChatModel(always=answer()))
    bench.say("I live in Porto.", "Thanks, what is a quince?")

    bench.consolidate()

    assert bench.model.requests == []  # type: ignore[union-attr]  # there is one


def test_what_a_model_found_without_a_pattern_to_bear_it_out_waits_for_the_person() -> None:
    bench = Bench(model=ScriptedChatModel(always=answer(ITEM | {"slot": ""})))
    bench.say(SAID)

    bench.consolidate()

    [memory] = [memory for memory in bench.memories() if memory.extractor is Extractor.MODEL]
    assert memory.confidence < 0.8
