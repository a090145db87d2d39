import pytest

from chatmem.domain.memory import Kind
from chatmem.domain.recall import Source
from chatmem.domain.turn import Role, SessionId, TurnId
from tests.fakes.builders import a_fact, a_quote, a_session, a_turn
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.world import World


def test_a_fact_that_shares_words_with_the_question_is_injected() -> None:
    world = World()
    world.remembers(a_fact("The user is allergic to peanuts."), a_fact("The user lives in Porto."))

    recalled = world.recall.find("is there anything with peanuts?", budget_tokens=200)

    assert recalled[0].text == "The user is allergic to peanuts."
    assert recalled[0].injected


def test_a_question_about_nothing_known_recalls_nothing() -> None:
    world = World()
    world.remembers(a_fact("The user is allergic to peanuts."))

    assert world.recall.find("qqq zzz?", budget_tokens=200) == []


def test_words_alone_serve_while_the_embedder_is_not_ready() -> None:
    world = World(embedder=FakeEmbedder(ready=False))
    world.memories.put([a_fact("The user is allergic to peanuts.")], [None])

    recalled = world.recall.find("peanuts?", budget_tokens=200)

    assert [item.text for item in recalled] == ["The user is allergic to peanuts."]


def test_a_question_waits_for_an_embedder_on_its_way() -> None:
    world = World(embedder=FakeEmbedder(ready=False))
    world.embedder.loading = True

    world.recall.find("Which snack?", budget_tokens=200)

    assert world.embedder.embedded == ["Which snack?"]


def test_the_same_question_asked_before_is_not_recalled() -> None:
    world = World()
    world.said(a_turn(1, "Which snack should I avoid?"))

    assert world.recall.find("which snack should I avoid?", budget_tokens=200) == []


def test_turns_in_the_window_and_memories_resting_on_them_are_left_out() -> None:
    world = World()
    world.said(a_turn(1, "I live in Porto."))
    world.remembers(a_fact("The user lives in Porto.", quotes=(a_quote(),)))

    assert world.recall.find("Porto?", exclude={TurnId("s1t1")}, budget_tokens=200) == []


def test_an_earlier_turn_is_recalled_with_its_session_and_speaker() -> None:
    world = World()
    world.said(a_turn(1, "My sister plays the cello."))

    recalled = world.recall.find("who plays the cello?", budget_tokens=200)

    assert recalled[0].source is Source.TURN
    assert (recalled[0].session_id, recalled[0].speaker) == (SessionId("s1"), "the user")


def test_a_fact_and_the_turn_that_says_the_same_are_not_both_shown() -> None:
    world = World()
    world.said(a_turn(1, "I live in Porto"))
    world.remembers(a_fact("I live in Porto."))

    recalled = world.recall.find("Porto", budget_tokens=200)

    assert len(recalled) == 1


def test_a_fact_stands_for_the_turn_it_came_from_in_other_words() -> None:
    world = World()
    world.said(a_turn(1, "we live in Porto, you know"))
    world.remembers(a_fact("Porto is the user's home.", quotes=(a_quote("we live in Porto"),)))

    recalled = world.recall.find("Porto", budget_tokens=200)

    assert [item.text for item in recalled] == ["Porto is the user's home."]


def test_a_turn_that_tells_more_than_its_fact_has_its_own_place() -> None:
    world = World()
    world.said(a_turn(1, "We live in Porto, two streets from the harbour, where the tram turns."))
    world.remembers(a_fact("The user lives in Porto.", quotes=(a_quote("We live in Porto"),)))

    recalled = world.recall.find("Porto", budget_tokens=200)

    assert {item.source for item in recalled} == {Source.FACT, Source.TURN}


def test_what_does_not_fit_the_budget_is_recalled_but_not_injected() -> None:
    world = World()
    world.remembers(a_fact("The user likes peanuts " + "very " * 50), a_fact("Peanuts are cheap in Porto."))

    recalled = world.recall.find("peanuts", budget_tokens=30)

    assert {item.text.split()[0]: item.injected for item in recalled} == {"The": False, "Peanuts": True}


def test_standing_instructions_always_take_part() -> None:
    world = World()
    world.remembers(a_fact("Always answer in French.", kind=Kind.PROCEDURE))

    recalled = world.recall.find("qqq?", budget_tokens=200)

    assert [(item.source, item.injected) for item in recalled] == [(Source.PROCEDURE, True)]


def test_a_search_shows_the_parts_of_each_score() -> None:
    world = World()
    world.remembers(a_fact("The user is allergic to peanuts."))

    found = world.recall.search("peanuts", limit=5)

    assert [name for name, _ in found[0].parts][:2] == ["words", "meaning"]
    assert found[0].score == pytest.approx(sum(value for _, value in found[0].parts))


def test_a_session_of_another_speaker_keeps_the_name() -> None:
    world = World()
    world.said(a_turn(1, "I repaired the boat.", speaker="Caroline"), session=a_session())

    recalled = world.recall.find("who repaired the boat?", budget_tokens=200)

    assert recalled[0].speaker == "Caroline"


def test_what_the_assistant_said_is_shown_only_to_a_question_about_it() -> None:
    world = World()
    world.said(a_turn(1, "Bring olives to the party.", role=Role.ASSISTANT))

    about_food = world.recall.find("What food for the party?", budget_tokens=200)
    about_advice = world.recall.find("What did you say about the party?", budget_tokens=200)

    assert [item.injected for item in about_food] == [False]
    assert [item.injected for item in about_advice] == [True]
