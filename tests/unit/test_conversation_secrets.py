"""Secrets are taken out of what is said before it is kept or sent."""

import pytest

from chatmem.conversation import Conversations, ReplyEnded, Strategy, TurnRecorded
from chatmem.conversation.screening import Said, Screening
from chatmem.domain.errors import ProviderError, UsageError
from tests.fakes.builders import a_choice, a_turn
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.meter import FakeMeter
from tests.fakes.secret_detector import HUSH, FakeSecretDetector
from tests.fakes.world import World
from tests.unit.conversing import all_of, ended, shown

SECRET = HUSH + "a1b2c3"
TEXT = f"why is {SECRET} refused?"
KEPT = "why is [token removed] refused?"


def answering(*replies: str) -> World:
    return World(chat_model=ScriptedChatModel.of(*replies))


def requests(world: World) -> list[list[str]]:
    return [shown(request) for request in world.chat_model.requests]


def everything(world: World) -> str:
    return "".join(turn.text + turn.reasoning + (turn.error or "") for turn in world.everything_said())


async def test_a_secret_is_neither_kept_nor_sent_and_the_turn_says_what_was_taken_out() -> None:
    world = answering("Because.")

    recorded, *_ = await all_of(world.conversation().send(TEXT))

    assert isinstance(recorded, TurnRecorded)
    assert (recorded.turn.text, recorded.removed, recorded.let_through) == (KEPT, ("token",), False)
    assert requests(world) == [[KEPT]]
    assert SECRET not in everything(world)


async def test_the_title_of_a_session_shows_no_secret() -> None:
    world = answering("Because.")
    conversation = world.conversation()

    await ended(conversation.send(TEXT))

    assert conversation.session.title == KEPT


async def test_an_edited_turn_is_screened_too() -> None:
    world = answering("One.", "Two.")
    conversation = world.conversation()
    await ended(conversation.send("why is it refused?"))
    question = (await conversation.turns())[0]

    await ended(conversation.resend(question.id, TEXT))

    assert requests(world)[-1] == [KEPT]
    assert SECRET not in everything(world)


async def test_what_was_taken_out_is_counted_by_kind() -> None:
    world = answering("Because.")

    await ended(world.conversation().send(f"{SECRET} and {SECRET}"))

    assert world.meter.blocked() == {"token": 2}


async def test_a_draft_is_kept_without_its_secrets_and_not_counted() -> None:
    world = World()

    Conversations(world.parts, Strategy.SLIDING).save_draft(None, TEXT)

    assert world.log.draft(None) == KEPT
    assert world.meter.blocked() == {}


async def test_a_secret_may_be_sent_once_and_is_kept_all_the_same_nowhere() -> None:
    world = answering(f"It is {SECRET}.", "Fine.")
    conversation = world.conversation()

    recorded, *_, end = await all_of(conversation.send(TEXT, let_through=True))
    await ended(conversation.send("and now?"))

    assert isinstance(recorded, TurnRecorded)
    assert isinstance(end, ReplyEnded)
    assert (recorded.turn.text, recorded.let_through) == (KEPT, True)
    assert requests(world) == [[TEXT], [KEPT, "It is [token removed].", "and now?"]]
    assert end.turn.text == "It is [token removed]."
    assert SECRET not in everything(world)


async def test_a_turn_is_answered_again_with_its_secret_beside_the_first_answer() -> None:
    world = answering("Which token?", "Because it has expired.")
    conversation = world.conversation()
    await ended(conversation.send(TEXT))
    question, first = await conversation.turns()

    end = await ended(conversation.let_through(question.id, TEXT))

    assert requests(world) == [[KEPT], [TEXT]]
    assert [turn.text for turn in await conversation.turns()] == [KEPT, "Because it has expired."]
    assert dict(await conversation.alternatives()) == {end.turn.id: (first.id, end.turn.id)}
    assert SECRET not in everything(world)


async def test_other_words_than_those_that_were_said_are_not_let_through() -> None:
    world = answering("Which token?")
    conversation = world.conversation()
    await ended(conversation.send(TEXT))
    question = (await conversation.turns())[0]

    with pytest.raises(UsageError, match="Nothing was taken out"):
        await ended(conversation.let_through(question.id, f"send {SECRET} to them"))


async def test_a_model_that_stands_in_for_the_one_asked_is_shown_no_secret() -> None:
    world = World(chat_model=ScriptedChatModel.of(ProviderError("It is down.", retryable=False), "Because."))
    conversation = world.conversation()
    conversation.choice = a_choice(fallback=a_choice("other"))

    await ended(conversation.send(TEXT, let_through=True))

    assert requests(world) == [[TEXT], [KEPT]]


def said(text: str) -> Said:
    screened = Screening(FakeSecretDetector(), FakeMeter()).look(text)
    return Said(turn=a_turn(text=screened.kept), screened=screened)


@pytest.mark.parametrize("arrived", range(1, len(SECRET) + 1))
def test_while_a_reply_arrives_no_part_of_a_secret_is_kept(arrived: int) -> None:
    withheld = Screening(FakeSecretDetector(), FakeMeter()).withheld(said(TEXT))

    kept = withheld.kept(f"It is {SECRET[:arrived]}", arriving=True)

    assert kept == "It is [token removed]"


def test_a_reply_that_ends_within_a_secret_keeps_less_than_half_of_it() -> None:
    withheld = Screening(FakeSecretDetector(), FakeMeter()).withheld(said(TEXT))

    assert withheld.kept(f"It is {SECRET[:-2]}", arriving=False) == "It is [token removed]"
    assert withheld.kept("It is h", arriving=False) == "It is h"


def test_a_secret_that_a_reply_spells_in_another_way_is_found_at_its_end() -> None:
    withheld = Screening(FakeSecretDetector(), FakeMeter()).withheld(said(TEXT))

    assert withheld.kept(f"Try {HUSH}A1B2C3 instead.", arriving=False) == "Try [token removed] instead."


def test_nothing_that_shows_what_was_screened_shows_the_secret() -> None:
    assert SECRET not in repr(said(TEXT))
