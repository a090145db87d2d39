from chatmem.conversation.working_memory import CUT_NOTE, PER_TURN_TOKENS, extract_summary, fit
from chatmem.domain.turn import Role
from tests.fakes.builders import a_turn
from tests.fakes.token_counter import WordCounter


def test_all_turns_are_kept_while_they_fit() -> None:
    turns = [a_turn(1, "one two"), a_turn(2, "three", role=Role.ASSISTANT), a_turn(3, "four")]

    window = fit(turns, WordCounter(), budget_tokens=100)

    assert window.kept == tuple(turns)
    assert window.evicted == ()
    assert window.tokens == 4 + 3 * PER_TURN_TOKENS


def test_the_oldest_turns_are_evicted_first() -> None:
    turns = [a_turn(1, "one two three"), a_turn(2, "four", role=Role.ASSISTANT), a_turn(3, "five")]

    window = fit(turns, WordCounter(), budget_tokens=1 + PER_TURN_TOKENS)

    assert window.kept == (turns[2],)
    assert window.evicted == (turns[0], turns[1])


def test_a_window_never_begins_with_a_reply() -> None:
    turns = [a_turn(1, "a question that is long"), a_turn(2, "reply", role=Role.ASSISTANT), a_turn(3, "more")]

    window = fit(turns, WordCounter(), budget_tokens=2 + 2 * PER_TURN_TOKENS)

    assert window.kept == (turns[2],)
    assert window.tokens == 1 + PER_TURN_TOKENS


def test_a_single_oversized_turn_is_cut_with_a_note() -> None:
    window = fit([a_turn(1, "word " * 1000)], WordCounter(), budget_tokens=100)

    assert window.kept[0].text.endswith(CUT_NOTE)
    assert window.cut_tokens > 900
    assert window.tokens <= 100


def test_without_a_model_the_summary_keeps_what_the_user_said_first() -> None:
    turns = [a_turn(1, "I moved to Porto. It rains."), a_turn(2, "Oh!", role=Role.ASSISTANT)]

    summary = extract_summary("", turns, WordCounter(), budget_tokens=100)

    assert summary == "- 2026-03-04: the user said: I moved to Porto."


def test_the_oldest_lines_of_a_summary_go_when_it_outgrows_its_budget() -> None:
    summary = extract_summary("- old line", [a_turn(1, "I moved to Porto.")], WordCounter(), budget_tokens=12)

    assert summary == "- 2026-03-04: the user said: I moved to Porto."
