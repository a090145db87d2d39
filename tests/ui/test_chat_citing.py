"""Tracing an answer to what it rested on, as a person does it."""

import pytest
from textual.widgets import OptionList, Static

from chatmem.domain.turn import SessionId, TurnId
from chatmem.ui.screens.context import ContextScreen
from chatmem.ui.screens.one_memory import OneMemoryScreen
from chatmem.ui.screens.why import WhyScreen
from chatmem.ui.widgets.citations import Citations
from chatmem.ui.widgets.transcript import Transcript
from tests.fakes.builders import a_fact, a_quote, a_session, a_turn
from tests.fakes.chat_model import ScriptedChatModel
from tests.ui.chatting import chat, chatting, converse, press, recalled_text, selected, status
from tests.ui.driving import AppPilot, notices, settled, until
from tests.ui.memory_hands import Hands
from tests.ui.services import FakeServices

ALLERGY = a_fact("The user is allergic to peanuts.", quotes=(a_quote("I'm allergic to peanuts"),))
S1 = SessionId("s1")
SIZES = pytest.mark.parametrize("size", [(80, 24), (150, 45)])


def knowing(*answers: str) -> FakeServices:
    services = FakeServices(chat_model=ScriptedChatModel.of(*(answers or ("No peanuts for the allergic.",))))
    services.log.open_session(a_session(title="Health"))
    services.log.append(a_turn(1, "I'm allergic to peanuts."))
    services.remembers(ALLERGY)
    return services


def why_text(pilot: AppPilot) -> str:
    """All that the explanation says."""
    screen = pilot.app.screen
    assert isinstance(screen, WhyScreen)
    options = screen.query_one(Citations)
    listed = [str(options.get_option_at_index(number).prompt) for number in range(options.option_count)]
    return "\n".join([str(screen.query_one("#why-answer", Static).render()), *listed])


def context_text(pilot: AppPilot) -> str:
    """All that is told of what was sent."""
    screen = pilot.app.screen
    assert isinstance(screen, ContextScreen)
    options = screen.query_one(OptionList)
    listed = [str(options.get_option_at_index(number).prompt) for number in range(options.option_count)]
    told = [str(screen.query_one(f"#sent-{part}", Static).render()) for part in ("title", "sums", "words")]
    return "\n".join([*told, *listed])


async def ask_why(pilot: AppPilot, question: str = "May I eat peanuts?") -> None:
    await converse(pilot, question)
    await press(pilot, *"/why", "enter")


@SIZES
async def test_why_tells_the_model_the_tier_and_the_parts_of_each_score(size: tuple[int, int]) -> None:
    services = knowing()
    services.remembers(a_fact("The user eats cake on Sundays."))
    async with chatting(services, size=size) as pilot:
        await ask_why(pilot)

        told = why_text(pilot)
        assert "You asked: May I eat peanuts?" in told
        assert "Answered by: fake on " in told
        assert "The best lay among the memories." in told
        assert "✓ Used by the answer: 1" in told
        assert "The user is allergic to peanuts." in told
        assert "words in common +" in told
        assert "the answer has its words: allergic" in told
        citations = pilot.app.screen.query_one(Citations)
        assert citations.has_focus
        assert citations.size.height >= 4


async def test_why_says_so_where_nothing_was_recalled() -> None:
    async with chatting(FakeServices(chat_model=ScriptedChatModel.of("Hello."))) as pilot:
        await ask_why(pilot, "Hello there")

        assert "Nothing was recalled for it" in why_text(pilot)


async def test_without_an_answer_there_is_nothing_to_explain() -> None:
    async with chatting(FakeServices()) as pilot:
        await press(pilot, *"/why", "enter")

        assert notices(pilot) == ["There is no answer to explain yet."]


async def test_the_selected_answer_is_explained_by_a_key() -> None:
    async with chatting(knowing("No peanuts.", "It is sunny.")) as pilot:
        await converse(pilot, "May I eat peanuts?", "Sunny today?")
        await press(pilot, "ctrl+up", "ctrl+up", "ctrl+up", "w")

        assert "You asked: May I eat peanuts?" in why_text(pilot)


async def test_an_answer_from_before_still_tells_how_its_scores_came_about() -> None:
    services = knowing()
    async with chatting(services) as pilot:
        await converse(pilot, "May I eat peanuts?")
        session_id = next(session.id for session in services.log.sessions() if session.id != S1)
    async with chatting(services, session_id=session_id) as pilot:
        await press(pilot, *"/why", "enter")

        assert "about the one asked about" in why_text(pilot)
        assert "How the scores came about was not noted" not in why_text(pilot)


async def test_enter_on_a_memory_opens_it_and_escape_comes_back_to_the_explanation() -> None:
    async with chatting(knowing()) as pilot:
        await ask_why(pilot)
        await pilot.press("enter")
        await Hands(pilot).settle()
        opened = pilot.app.screen
        await pilot.press("escape")
        await settled(pilot)

        assert isinstance(opened, OneMemoryScreen)
        assert isinstance(pilot.app.screen, WhyScreen)


async def test_from_an_explanation_over_the_memory_to_the_very_turn() -> None:
    async with chatting(knowing()) as pilot:
        await ask_why(pilot)
        await pilot.press("enter")
        await Hands(pilot).settle()
        await pilot.press("s")
        await until(pilot, lambda: selected(pilot) == "I'm allergic to peanuts.")

        assert pilot.app.screen is chat(pilot)


async def test_the_source_of_a_memory_is_the_very_turn() -> None:
    async with chatting(knowing()) as pilot:
        await ask_why(pilot)
        await press(pilot, "s")
        await until(pilot, lambda: selected(pilot) == "I'm allergic to peanuts.")

        assert chat(pilot).query_one(Transcript).selected is not None


async def test_enter_on_an_earlier_turn_jumps_to_it() -> None:
    services = FakeServices(chat_model=ScriptedChatModel.of("The gutter."))
    session = a_session(2)
    services.said(a_turn(1, "The gutter leaks.", id=TurnId("old"), session_id=session.id), session=session)
    async with chatting(services) as pilot:
        await ask_why(pilot, "What leaks?")
        await press(pilot, "enter")
        await until(pilot, lambda: selected(pilot) == "The gutter leaks.")

        assert pilot.app.screen is chat(pilot)


async def test_what_is_forgotten_from_the_explanation_leaves_it() -> None:
    async with chatting(knowing()) as pilot:
        await ask_why(pilot)
        hands = Hands(pilot)
        for key in ("f", "y", "escape"):
            await hands.press(key)
        await until(pilot, lambda: "Nothing was recalled" in why_text(pilot))

        assert "peanuts" not in "\n".join(why_text(pilot).splitlines()[1:])


async def test_earlier_words_are_not_forgotten_by_a_slip() -> None:
    services = FakeServices(chat_model=ScriptedChatModel.of("The gutter."))
    session = a_session(2)
    services.said(a_turn(1, "The gutter leaks.", id=TurnId("old"), session_id=session.id), session=session)
    async with chatting(services) as pilot:
        await ask_why(pilot, "What leaks?")
        await press(pilot, "f")

        assert "Only memories can be forgotten here." in notices(pilot)[-1]
        assert isinstance(pilot.app.screen.query_one(OptionList), Citations)


@SIZES
async def test_context_shows_what_was_sent_with_its_tokens(size: tuple[int, int]) -> None:
    async with chatting(knowing(), size=size) as pilot:
        await converse(pilot, "May I eat peanuts?")
        await press(pilot, *"/context", "enter", "up")

        told = context_text(pilot)
        assert "Sent for this answer" in told
        assert "tokens" in told
        assert "Recalled memories" in told
        assert "The user is allergic to peanuts." in told
        assert pilot.app.screen.query_one("#sent-text").size.height >= 3


async def test_context_turns_over_to_what_comes_next_and_back() -> None:
    async with chatting(knowing()) as pilot:
        await converse(pilot, "May I eat peanuts?")
        await press(pilot, *"/context", "enter", "n")
        coming = context_text(pilot)
        await press(pilot, "n")

        assert "Would be sent with your next turn" in coming
        assert "Sent for this answer" in context_text(pilot)


async def test_before_the_first_answer_context_shows_what_would_be_sent() -> None:
    async with chatting(FakeServices()) as pilot:
        await press(pilot, *"/context", "enter")

        assert "Would be sent with your next turn" in context_text(pilot)
        assert "System prompt" in context_text(pilot)


async def test_the_prompt_of_an_earlier_day_is_told_to_be_made_again() -> None:
    services = knowing()
    async with chatting(services) as pilot:
        await converse(pilot, "May I eat peanuts?")
        session_id = next(session.id for session in services.log.sessions() if session.id != S1)
    async with chatting(services, session_id=session_id) as pilot:
        await press(pilot, *"/context", "enter")

        assert "as far as it can be made again" in context_text(pilot)
        assert "memories in their wording of today" in context_text(pilot)


@SIZES
async def test_the_pane_tells_used_shown_and_found_apart_without_colour(size: tuple[int, int]) -> None:
    services = knowing("No peanuts for the allergic.")
    services.remembers(a_fact("The user eats cake on Sundays."))
    async with chatting(services, size=size) as pilot:
        await converse(pilot, "May I eat peanuts?")

        told = recalled_text(pilot)
        assert told.index("Used by the answer: 1") < told.index("✓ fact") < told.index("Shown to the model: 1")


async def test_enter_in_the_pane_opens_the_memory_and_s_goes_to_its_very_words() -> None:
    async with chatting(knowing()) as pilot:
        await converse(pilot, "May I eat peanuts?")
        await press(pilot, "tab")
        await pilot.press("enter")
        await Hands(pilot).settle()
        opened = pilot.app.screen
        await press(pilot, "escape")
        await press(pilot, "s")
        await until(pilot, lambda: selected(pilot) == "I'm allergic to peanuts.")

        assert isinstance(opened, OneMemoryScreen)


async def test_what_is_forgotten_from_the_pane_leaves_it() -> None:
    async with chatting(knowing()) as pilot:
        await converse(pilot, "May I eat peanuts?")
        hands = Hands(pilot)
        for key in ("tab", "f", "y", "escape"):
            await hands.press(key)
        await settled(pilot)

        assert "allergic" not in recalled_text(pilot)


async def test_what_is_forgotten_in_the_memory_screen_leaves_the_pane_too() -> None:
    async with chatting(knowing()) as pilot:
        await converse(pilot, "May I eat peanuts?")
        hands = Hands(pilot)
        for key in ("f2", "f", "y", "escape", "escape"):
            await hands.press(key)
        await settled(pilot)

        assert "allergic" not in recalled_text(pilot)


async def test_as_of_a_day_recall_knows_what_was_known_then_until_it_is_ended() -> None:
    async with chatting(knowing("Sure.", "No peanuts.")) as pilot:
        await press(pilot, *"/as-of 2026-03-01", "enter")
        told = status(pilot)
        await converse(pilot, "May I eat peanuts?")
        then = recalled_text(pilot)
        await press(pilot, *"/as-of", "enter")
        await converse(pilot, "May I eat peanuts now?")

        assert "as of 1 Mar 2026" in told
        assert "Nothing that is remembered bears on this." in then
        assert "as of" not in status(pilot)
        assert "The user is allergic to peanuts." in recalled_text(pilot)


async def test_as_of_holds_for_the_next_conversation_too() -> None:
    async with chatting(knowing()) as pilot:
        await press(pilot, *"/as-of 2026-03-01", "enter")
        await press(pilot, "ctrl+n")
        await converse(pilot, "May I eat peanuts?")

        assert "Nothing that is remembered bears on this." in recalled_text(pilot)


async def test_what_names_no_day_is_told_and_changes_nothing() -> None:
    async with chatting(knowing()) as pilot:
        await press(pilot, *"/as-of never", "enter")

        assert notices(pilot)[-1].startswith("never names no day.")
        assert "as of" not in status(pilot)
