"""Which model answers, and what it costs."""

import asyncio
from time import perf_counter

from chatmem.conversation import Refitted, Spending
from chatmem.domain.model import Usage
from chatmem.domain.turn import SessionId
from chatmem.ui.widgets.conversation_pane import ConversationPane
from chatmem.ui.widgets.status_line import StatusLine, spent
from tests.fakes.builders import a_choice
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.ui.chatting import answers, chat, chatting, converse, press, say, status, with_sessions
from tests.ui.driving import notices, settled, until
from tests.ui.services import FakeServices

OTHER = a_choice("other", model="openai/other")


async def test_a_switch_is_shown_within_50_ms() -> None:
    async with chatting(FakeServices()) as pilot:
        await converse(pilot, "hello")
        began = perf_counter()
        chat(pilot).use(OTHER)
        shown = status(pilot)

        assert shown.startswith("other")
        assert perf_counter() - began < 0.05


async def test_a_switch_while_an_answer_arrives_holds_from_the_next_turn_and_says_so() -> None:
    hold = asyncio.Event()
    services = FakeServices(chat_model=ScriptedChatModel.of(Script(text="One", hold=hold), "Two"))
    async with chatting(services) as pilot:
        await say(pilot, "first")
        await until(pilot, lambda: answers(pilot) == ["One"])
        chat(pilot).use(OTHER)
        meanwhile = status(pilot)
        hold.set()
        await settled(pilot)
        afterwards = status(pilot)
        await converse(pilot, "second")

        assert meanwhile.startswith("fake · next: other")
        assert afterwards.startswith("other")
        assert "next:" not in afterwards
        assert [request.choice.name for request in services.chat_model.requests] == ["fake", "other"]


async def test_opening_a_session_switches_to_its_model() -> None:
    services = with_sessions(1, model="other")
    services.configured = {"other": OTHER}
    async with chatting(services) as pilot:
        await press(pilot, "f3", "end", "enter")
        shown = status(pilot)
        await converse(pilot, "hello")

        assert shown.startswith("other")
        assert services.chat_model.requests[-1].choice == OTHER
        assert services.saved == []


async def test_a_model_that_is_not_at_hand_any_more_is_told_and_the_present_one_answers() -> None:
    async with chatting(with_sessions(1, model="gone")) as pilot:
        await press(pilot, "f3", "end", "enter")

        assert status(pilot).startswith("fake")
        assert notices(pilot) == ["gone, which this conversation talked to, is not at hand any more: fake answers."]


async def test_the_session_given_at_the_start_talks_to_the_model_that_was_chosen_for_it() -> None:
    services = with_sessions(1, model="other")
    async with chatting(services, session_id=SessionId("s1")) as pilot:
        assert status(pilot).startswith("fake")


async def test_another_session_is_not_opened_while_an_answer_arrives() -> None:
    services = with_sessions(1)
    services.chat_model.replies.append(Script(text="One", hold=asyncio.Event()))
    async with chatting(services) as pilot:
        await say(pilot, "first")
        await until(pilot, lambda: answers(pilot) == ["One"])
        await pilot.press("f3", "end", "enter")
        await pilot.pause()

        assert answers(pilot) == ["One"]
        assert notices(pilot) == ["An answer is still arriving. Wait for it, or stop it with Esc."]


async def test_the_status_line_tells_what_was_folded_away_until_the_next_turn() -> None:
    async with chatting(FakeServices()) as pilot:
        pane = chat(pilot).query_one(ConversationPane)
        pane.post_message(ConversationPane.Happened(Refitted(left_out=6, summarised=True)))
        await pilot.pause()
        told = status(pilot)
        await converse(pilot, "hello")

        assert "6 turns folded away" in told
        assert "folded" not in status(pilot)


async def test_the_status_line_tells_what_was_spent_where_there_is_room() -> None:
    paid = Spending(session=Usage(cost_usd=0.04), today=Usage(cost_usd=0.31))
    async with chatting(FakeServices(), size=(130, 30)) as pilot:
        chat(pilot).query_one(StatusLine).spending = paid
        assert "$0.04 · today $0.31" in status(pilot)

        await pilot.resize_terminal(40, 24)
        await pilot.pause()
        assert "$" not in status(pilot)


def test_spending_is_told_in_tokens_where_it_was_free_and_not_at_all_where_there_was_none() -> None:
    free = Usage(prompt_tokens=1200, completion_tokens=300)

    assert spent(Spending(session=free, today=Usage(cost_usd=0.5))) == "1.5k tokens · today $0.50"
    assert spent(Spending(session=Usage(), today=Usage())) == ""
