"""Whenever something is forgotten in the course of an answer, none of its words is in the log when that has ended."""

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from chatmem.conversation import ReplyGrew
from chatmem.domain.errors import PromptTooLongError, ProviderError
from chatmem.domain.turn import Role, SessionId
from tests.fakes.builders import a_choice, a_fact, a_quote, a_turn
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.fakes.world import World
from tests.unit.conversing import ended

ALLERGY = a_fact("The user is allergic to peanuts.", quotes=(a_quote("I'm allergic to peanuts"),))
PIECES = st.lists(st.sampled_from(["No peanuts. ", "Olives! ", "Are peanuts fine? ", "Well, "]), min_size=1, max_size=6)
FAILURES = st.sampled_from([None, ProviderError("Peanuts, it says."), PromptTooLongError("too long")])
WAYS = st.sampled_from(["send", "regenerate", "resend", "go_on"])


@settings(max_examples=60, deadline=None)
@given(thought=PIECES, pieces=PIECES, failure=FAILURES, way=WAYS, at=st.integers(0, 14), stop=st.booleans())
def test_no_forgotten_word_comes_back(
    thought: list[str], pieces: list[str], failure: Exception | None, way: str, at: int, stop: bool
) -> None:
    script = Script(text="".join(pieces), reasoning="".join(thought), error=failure)

    left, asked = asyncio.run(_forgotten_at(at, script, way, stop=stop))

    # What a model says of itself, after nobody has told it, is nothing that was forgotten.
    assert "peanut" not in left or "peanut" not in asked


async def _forgotten_at(at: int, script: Script, way: str, *, stop: bool) -> tuple[str, str]:
    """What the log says after the allergy was forgotten at the n-th event of an answer, and what was asked last."""
    first = Script(text="No peanut butter then", reason="length")
    world = World(ScriptedChatModel.of(first, script))
    world.said(a_turn(1, "I'm allergic to peanuts."), a_turn(2, "Noted.", role=Role.ASSISTANT))
    world.remembers(ALLERGY)
    conversation = world.conversation(session=world.log.session(SessionId("s1")))
    end = await ended(conversation.send("Which snack?"))
    conversation.choice = a_choice(fallback=a_choice("second"))
    match way:
        case "send":
            arriving = conversation.send("And a drink?")
        case "resend":
            arriving = conversation.resend(end.turn.parent_id or end.turn.id, "Which drink?")
        case "go_on":
            arriving = conversation.go_on()
        case _:
            arriving = conversation.regenerate()
    number = 0
    async for event in arriving:
        if number == at:
            await asyncio.to_thread(world.forgetting.forget, [ALLERGY.id])
            if stop and isinstance(event, ReplyGrew):
                conversation.stop()
        number += 1
    if number <= at:
        world.forgetting.forget([ALLERGY.id])
    turns = world.log.turns(SessionId("s1"), every_branch=True)
    left = [(turn.text, turn.reasoning, turn.error) for turn in turns]
    return repr(left).casefold(), repr(world.chat_model.requests[-1].messages).casefold()
