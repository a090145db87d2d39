import pytest

from chatmem.domain.errors import NotFoundError
from chatmem.domain.memory import Kind
from chatmem.domain.recall import Tier
from chatmem.domain.turn import Role, Turn
from chatmem.recall.use import repeats
from tests.fakes.builders import a_fact, a_session, a_turn
from tests.fakes.world import World

HOME = a_fact("The user lives in Porto.")
SNACK = a_fact("The user never eats peanuts where they live.")


def asked(world: World, text: str) -> Turn:
    world.log.open_session(a_session())
    return world.log.append(a_turn(1, text))


def answer(world: World, question: str, reply: str) -> Turn:
    turn = asked(world, question)
    found = world.recall.recollect(question, budget_tokens=200)
    world.log.save_recalled(turn.id, found.items, ms=1.0)
    world.recall.answered(turn, found, reply)
    return turn


def test_what_was_shown_and_not_used_is_not_counted() -> None:
    world = World()
    world.remembers(HOME, SNACK)

    turn = answer(world, "Where do I live?", "You live in Porto.")

    assert {id_: count for id_, (count, _) in world.journal.uses().items()} == {HOME.id: 1}
    assert world.feedback.used(turn.id) == {HOME.id: True, SNACK.id: False}


def test_a_standing_instruction_is_used_by_every_answer() -> None:
    world = World()
    rule = a_fact("Always answer in French.", kind=Kind.PROCEDURE)
    world.remembers(rule)

    answer(world, "Where do I live?", "Je ne sais pas.")

    assert world.journal.uses()[rule.id][0] == 1


def test_an_answer_without_words_used_nothing() -> None:
    world = World()
    world.remembers(HOME)

    answer(world, "Where do I live?", "")

    assert world.journal.uses() == {}


@pytest.mark.parametrize(
    ("text", "reply", "question", "used"),
    [
        ("The user lives in Porto.", "You live in Porto.", "where do I live?", True),
        ("The user lives in Porto.", "I do not know where you live.", "where do I live?", False),
        ("The user is allergic to peanuts.", "No peanuts for you!", "a snack?", True),
        ("The user likes tea.", "Yes, you like tea.", "do I like tea?", True),
        ("My sister plays the cello in Braga.", "Brothers play football.", "who plays football?", False),
    ],
)
def test_an_answer_used_what_it_repeats_beyond_the_question(text: str, reply: str, question: str, used: bool) -> None:
    assert repeats(text, reply.lower().strip("!.").split(), question.lower().strip("?").split()) is used


def test_the_mark_of_the_person_counts_in_place_of_the_words() -> None:
    world = World()
    world.remembers(HOME, SNACK)
    turn = answer(world, "Where do I live?", "You live in Porto.")

    world.recall.mark(turn.id, HOME.id, used=False)
    world.recall.mark(turn.id, SNACK.id, used=True)
    world.recall.mark(turn.id, SNACK.id, used=True)

    assert {id_: count for id_, (count, _) in world.journal.uses().items()} == {SNACK.id: 1}


def test_a_turn_can_be_marked_and_has_no_count() -> None:
    world = World()
    world.said(a_turn(2, "My sister plays the cello."))
    turn = answer(world, "Who plays the cello?", "I can't tell.")

    world.recall.mark(turn.id, "s1t2", used=True)

    assert world.feedback.used(turn.id) == {"s1t2": True}
    assert world.journal.uses() == {}


def test_what_was_not_recalled_can_not_be_marked() -> None:
    world = World()
    turn = asked(world, "Where do I live?")

    with pytest.raises(NotFoundError):
        world.recall.mark(turn.id, "m9", used=True)


def test_it_is_known_which_tier_answers() -> None:
    world = World()
    world.said(a_turn(2, "My sister plays the cello."), a_turn(3, "Cellos are brown.", role=Role.ASSISTANT))
    world.remembers(HOME)

    learned = world.recall.recollect("Tell me of Porto", budget_tokens=200).tier
    said = world.recall.recollect("sister cello", budget_tokens=200).tier
    seen = world.recall.recollect("sister cello", budget_tokens=200, exclude=[a_turn(2).id]).tier
    nothing = world.recall.recollect("qqq zzz?", budget_tokens=200).tier

    assert [learned, said, seen, nothing] == [Tier.LEARNED, Tier.SAID, Tier.WORKING, None]
