"""What every `ChatModel` does: the scripted one, and the one for providers by each protocol."""

import asyncio

import pytest

from chatmem.domain.errors import NonsenseError, PromptTooLongError
from chatmem.domain.model import EndPart, TextPart
from tests.contract.chat_model.rigs import (
    SCHEMA,
    Rig,
    asked,
    everything,
    failure,
    retries,
    text_of,
    thoughts_of,
)
from tests.fakes.builders import a_choice


async def test_a_reply_arrives_in_pieces_and_ends_once(rig: Rig) -> None:
    rig.will_say("Hello there,\n my  friend 🙂.")

    parts = await everything(rig.model, asked(rig.choice))

    assert text_of(parts) == "Hello there,\n my  friend 🙂."
    assert len(parts) > 3
    assert isinstance(parts[-1], EndPart)
    assert parts[-1].reason == "stop"
    assert not any(isinstance(part, EndPart) for part in parts[:-1])


async def test_the_end_says_what_was_consumed(rig: Rig) -> None:
    rig.will_say("one two three")

    end = (await everything(rig.model, asked(rig.choice)))[-1]

    assert isinstance(end, EndPart)
    assert end.usage.prompt_tokens > 0
    assert end.usage.completion_tokens == 3
    assert end.usage.cost_usd is None


async def test_what_is_thought_comes_before_what_is_said(rig: Rig) -> None:
    rig.will_say("Yes, it is.", thinking="Let me see.")

    parts = await everything(rig.model, asked(rig.choice))

    assert (thoughts_of(parts), text_of(parts)) == ("Let me see.", "Yes, it is.")
    kinds = [type(part).__name__ for part in parts]
    assert kinds == sorted(kinds, key=["ReasoningPart", "TextPart", "EndPart"].index)


async def test_thoughts_are_no_part_of_a_whole_reply(rig: Rig) -> None:
    rig.will_say("Yes.", thinking="Let me see.")

    assert (await rig.model.complete(asked(rig.choice))).text == "Yes."


async def test_a_retry_is_announced_and_a_reply_follows(rig: Rig) -> None:
    rig.will_fail_once()
    rig.will_say("Here I am.")

    parts = await everything(rig.model, asked(rig.choice))

    assert text_of(parts) == "Here I am."
    [retry] = retries(parts)
    assert parts[0] is retry
    assert retry.attempt == 2 <= retry.attempts
    assert "had an error" in retry.error


async def test_a_prompt_that_is_too_long_is_an_error_of_its_own(rig: Rig) -> None:
    rig.will_find_it_too_long()

    assert isinstance(await failure(rig.model, asked(rig.choice)), PromptTooLongError)


async def test_a_whole_reply_is_the_text_of_its_pieces(rig: Rig) -> None:
    rig.will_say("one two three")

    completion = await rig.model.complete(asked(rig.choice))

    assert completion.text == "one two three"
    assert completion.usage.completion_tokens == 3


async def test_a_failure_is_a_provider_error(rig: Rig) -> None:
    rig.will_fail()

    error = await failure(rig.model, asked(rig.choice))

    assert error.retryable


async def test_an_empty_answer_is_a_provider_error(rig: Rig) -> None:
    rig.will_say("")

    error = await failure(rig.model, asked(rig.choice))

    assert "answered nothing" in str(error)


async def test_a_reply_to_a_schema_is_json(rig: Rig) -> None:
    rig.will_say('{"name": "Ana"}')

    assert (await rig.model.complete(asked(rig.choice, schema=SCHEMA))).text == '{"name": "Ana"}'


async def test_a_reply_to_a_schema_that_is_no_json_is_nonsense(rig: Rig) -> None:
    rig.will_say("Her name is Ana.")

    with pytest.raises(NonsenseError, match=rig.choice.name):
        await rig.model.complete(asked(rig.choice, schema=SCHEMA))


async def test_closing_the_stream_cancels_the_call(rig: Rig) -> None:
    rig.will_say_and_hang("one two three")
    parts = rig.model.stream(asked(rig.choice))

    async for _ in parts:
        break
    await parts.aclose()

    assert await rig.was_cancelled()


async def test_cancelling_the_task_cancels_the_call(rig: Rig) -> None:
    rig.will_say_and_hang("one two three")
    third = asyncio.Event()

    async def read() -> None:
        async for part in rig.model.stream(asked(rig.choice)):
            if part == TextPart(" three"):
                third.set()

    task = asyncio.create_task(read())
    await third.wait()
    task.cancel()
    await asyncio.wait([task])

    assert task.cancelled()
    assert await rig.was_cancelled()


async def test_the_context_is_what_the_person_set(rig: Rig) -> None:
    assert rig.model.context_tokens(a_choice(context_tokens=1234)) == 1234


async def test_an_unknown_context_is_guessed_cautiously(rig: Rig) -> None:
    assert rig.model.context_tokens(rig.choice) == 8192


async def test_nothing_is_made_up_about_an_unknown_model(rig: Rig) -> None:
    facts = rig.model.facts(rig.choice)

    assert (facts.prompt_usd, facts.vision, facts.context_tokens) == (None, None, None)


def test_it_may_be_called_from_any_event_loop(rig: Rig) -> None:
    rig.will_say("one")
    rig.will_say("two")

    first = asyncio.run(rig.model.complete(asked(rig.choice)))
    second = asyncio.run(rig.model.complete(asked(rig.choice)))

    assert (first.text, second.text) == ("one", "two")
