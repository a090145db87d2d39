"""What is learned of a conversation in which things were said anew, thought, and answered."""

import json

from chatmem.consolidation.news import ConsolidationNews, SessionConsolidated
from chatmem.domain.turn import Role, TurnId
from tests.fakes.builders import a_session, a_turn
from tests.fakes.chat_model import ScriptedChatModel
from tests.unit.consolidation_setup import Bench


def quoting(quote: str) -> str:
    item = {"turn": 1, "quote": quote, "kind": "fact", "subject": "user", "slot": "home", "text": f"The user: {quote}"}
    return json.dumps({"memories": [item]})


def notes(news: list[ConsolidationNews]) -> list[str]:
    return [one.note for one in news if isinstance(one, SessionConsolidated)]


def edited(bench: Bench) -> None:
    """A session whose first turn was said anew."""
    bench.say("I live in Porto.")
    bench.log.append_beside(a_turn(1, "I live in Graz.", id=TurnId("anew")), TurnId("s1t1"))


def test_a_turn_that_was_edited_away_is_not_learned() -> None:
    bench = Bench()
    edited(bench)

    bench.consolidate()

    assert bench.texts() == ["I live in Graz."]


def test_nor_is_a_model_shown_it() -> None:
    bench = Bench(model=ScriptedChatModel(always='{"memories": []}'))
    edited(bench)

    bench.consolidate()

    assert not any("Porto" in message.text for request in bench.model.requests for message in request.messages)  # type: ignore[union-attr]  # it has one


def test_a_turn_that_is_edited_while_the_model_thinks_is_not_learned() -> None:
    def meanwhile(_: object) -> str:
        bench.log.append_beside(a_turn(1, "Never mind.", id=TurnId("anew")), TurnId("s1t1"))
        return quoting("There are three cats at home")

    bench = Bench(model=ScriptedChatModel(always=meanwhile))
    bench.say("There are three cats at home.")

    bench.consolidate()

    assert bench.texts() == []


def test_a_dry_run_tells_of_the_current_branch_alone() -> None:
    bench = Bench()
    edited(bench)

    changes = bench.consolidator.dry_run(bench.log.sessions()[0].id).changes

    assert [change.memory.text for change in changes] == ["I live in Graz."]


def test_what_an_answer_says_or_a_model_thinks_is_not_learned() -> None:
    bench = Bench(model=ScriptedChatModel.of(quoting("I live in Porto"), quoting("I am from Graz")))
    bench.log.open_session(a_session())
    bench.log.append(a_turn(1, "What is up?"))
    bench.log.append(a_turn(2, "I live in Porto.", role=Role.ASSISTANT, reasoning="I am from Graz."))
    bench.log.append(a_turn(3, "There is a boat in it."))

    bench.consolidate()

    assert bench.texts() == []
    asked = [message.text for request in bench.model.requests for message in request.messages]  # type: ignore[union-attr]
    assert asked
    assert not any("from Graz" in text for text in asked)


def test_rules_that_stand_in_for_a_model_say_why() -> None:
    bench = Bench(model=ScriptedChatModel(always='{"memories": []}'), spent="$0.50")
    bench.say("I live in Porto.")

    bench.consolidate()

    assert bench.texts() == ["I live in Porto."]
    assert notes(bench.told) == ["by rules: today's budget of $0.50 is used up"]
    assert bench.model is not None
    assert bench.model.requests == []


def test_a_budget_that_runs_out_in_the_middle_of_a_job_is_said_too() -> None:
    def spends(_: object) -> str:
        bench.spent = "50,000 tokens"
        return '{"memories": []}'

    bench = Bench(model=ScriptedChatModel(always=spends))
    bench.say(*(f"My friend Pal{number} has {number} dogs. There is a boat." for number in range(30)))

    bench.consolidate()

    assert notes(bench.told) == ["by rules: today's budget of 50,000 tokens is used up"]


def test_rules_that_were_wanted_need_no_reason() -> None:
    bench = Bench()
    bench.say("I live in Porto.")

    bench.consolidate()

    assert notes(bench.told) == [""]


def test_a_branch_that_is_followed_again_after_its_job_is_learned_once() -> None:
    bench = Bench()
    edited(bench)
    bench.consolidate()

    bench.log.follow(TurnId("s1t1"))
    bench.consolidate()
    bench.log.follow(TurnId("anew"))
    bench.consolidate()

    assert bench.texts() == ["I live in Graz.", "I live in Porto."]
    learned = [one for one in bench.told if isinstance(one, SessionConsolidated)]
    assert len(learned) == 2
