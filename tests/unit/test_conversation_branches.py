import asyncio

import pytest

from chatmem.conversation import ReplyBegun, ReplyGrew, Strategy, TurnRecorded
from chatmem.domain.errors import NotFoundError, ProviderError, RefusedError, UsageError
from chatmem.domain.model import Usage
from chatmem.domain.turn import Role, TurnId, TurnStatus
from tests.fakes.builders import a_choice, a_session, a_turn
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.fakes.world import World
from tests.unit.conversing import all_of, ended, kinds, say, shown


async def test_an_answer_that_is_given_again_stands_beside_the_first() -> None:
    world = World(ScriptedChatModel.of("One.", "Another."))
    conversation = world.conversation()
    [first] = await say(conversation, "first question")

    events = await all_of(conversation.regenerate())

    second = events[-1].turn  # type: ignore[union-attr]  # the last event is the end
    assert kinds(events) == ["MemoriesRecalled", "ReplyBegun", "ReplyGrew", "ReplyEnded"]
    assert [turn.text for turn in await conversation.turns()] == ["first question", "Another."]
    assert await conversation.alternatives() == {second.id: (first.turn.id, second.id)}
    assert shown(world.chat_model.requests[1]) == ["first question"]


async def test_another_model_may_answer_again_while_the_conversation_keeps_its_own() -> None:
    world = World(ScriptedChatModel.of("One.", "Another."))
    conversation = world.conversation()
    await say(conversation, "first question")

    again = await ended(conversation.regenerate(choice=a_choice("other", model="openai/other")))

    assert world.chat_model.requests[1].choice.name == again.turn.model == "other"
    assert conversation.choice.name == "fake"
    assert conversation.session.model == "fake"


async def test_an_earlier_answer_given_again_leaves_what_followed_it() -> None:
    world = World(ScriptedChatModel.of("One.", "Two.", "Another one."))
    conversation = world.conversation()
    first, _ = await say(conversation, "first question", "second question")

    await all_of(conversation.regenerate(first.turn.id))

    assert [turn.text for turn in await conversation.turns()] == ["first question", "Another one."]
    assert shown(world.chat_model.requests[2]) == ["first question"]


async def test_what_was_left_is_not_recalled_into_the_new_branch() -> None:
    world = World(ScriptedChatModel.of("Porto is nice.", "Fine."))
    conversation = world.conversation()
    await say(conversation, "Tell me of Porto")
    turns = await conversation.turns()
    world.turns.put(turns, world.embedder.embed([turn.text for turn in turns]))
    world.log.mark_indexed(turns)

    await all_of(conversation.regenerate())

    assert shown(world.chat_model.requests[1]) == ["Tell me of Porto"]


async def test_an_edited_turn_is_answered_beside_the_old_one_and_the_model_sees_only_the_new() -> None:
    world = World(ScriptedChatModel.of("One.", "Two.", "New two."))
    conversation = world.conversation()
    await say(conversation, "first question", "second question")
    old = (await conversation.turns())[2]

    events = await all_of(conversation.resend(old.id, "edited question"))

    recorded = events[0]
    assert isinstance(recorded, TurnRecorded)
    assert kinds(events) == ["TurnRecorded", "MemoriesRecalled", "ReplyBegun", "ReplyGrew", "ReplyEnded"]
    assert shown(world.chat_model.requests[2]) == ["first question", "One.", "edited question"]
    assert [turn.text for turn in await conversation.turns()][2:] == ["edited question", "New two."]
    assert await conversation.alternatives() == {recorded.turn.id: (old.id, recorded.turn.id)}


async def test_the_first_turn_can_be_edited_and_names_the_session_anew() -> None:
    world = World(ScriptedChatModel.of("One.", "New one."))
    conversation = world.conversation()
    await say(conversation, "first question")
    first = (await conversation.turns())[0]

    await all_of(conversation.resend(first.id, "edited question"))

    assert shown(world.chat_model.requests[1]) == ["edited question"]
    assert conversation.session.title == "edited question"


async def test_a_title_that_the_person_gave_stays() -> None:
    world = World(ScriptedChatModel.of("One.", "New one."))
    conversation = world.conversation()
    await say(conversation, "first question")
    world.log.rename(conversation.session.id, "About Porto")

    conversation.session = world.log.session(conversation.session.id)
    await all_of(conversation.resend((await conversation.turns())[0].id, "edited question"))

    assert conversation.session.title == "About Porto"


async def test_a_branch_can_be_followed_back_and_gone_on_with() -> None:
    world = World(ScriptedChatModel.of("One.", "Another.", "Two."))
    conversation = world.conversation()
    [first] = await say(conversation, "first question")
    await all_of(conversation.regenerate())

    await conversation.follow(first.turn.id)
    await say(conversation, "second question")

    assert shown(world.chat_model.requests[2]) == ["first question", "One.", "second question"]


async def test_an_answer_of_a_branch_that_was_left_can_be_given_again() -> None:
    world = World(ScriptedChatModel.of("One.", "New one.", "Another one."))
    conversation = world.conversation()
    [first] = await say(conversation, "first question")
    await all_of(conversation.resend((await conversation.turns())[0].id, "edited question"))

    await all_of(conversation.regenerate(first.turn.id))

    assert [turn.text for turn in await conversation.turns()] == ["first question", "Another one."]
    assert shown(world.chat_model.requests[2]) == ["first question"]


async def test_a_question_that_was_never_answered_is_answered() -> None:
    world = World(ScriptedChatModel.of("One."))
    world.said(a_turn(1, "first question"))
    conversation = world.conversation(session=world.log.session(a_session().id))

    await all_of(conversation.regenerate())

    assert [turn.text for turn in await conversation.turns()] == ["first question", "One."]
    assert await conversation.alternatives() == {}


async def test_an_answer_without_a_question_cannot_be_given_again() -> None:
    world = World()
    world.said(a_turn(1, "Welcome.", role=Role.ASSISTANT))
    conversation = world.conversation(session=world.log.session(a_session().id))

    with pytest.raises(UsageError, match="no question"):
        await all_of(conversation.regenerate())


async def test_a_summary_that_tells_of_what_was_left_is_not_shown() -> None:
    world = World(ScriptedChatModel.of("New one."))
    world.said(*(a_turn(seq, f"number {seq}", role=Role.USER if seq % 2 else Role.ASSISTANT) for seq in range(1, 5)))
    world.log.save_summary(a_session().id, "Four numbers were said.", 4)
    conversation = world.conversation(Strategy.SUMMARISING, world.log.session(a_session().id))

    await all_of(conversation.regenerate(TurnId("s1t2")))

    assert "Four numbers" not in world.chat_model.requests[0].messages[0].text
    assert shown(world.chat_model.requests[0]) == ["number 1"]
    assert conversation.session.summary == ""


async def test_a_summary_of_what_came_before_stays() -> None:
    world = World(ScriptedChatModel.of("New."))
    world.said(*(a_turn(seq, f"number {seq}", role=Role.USER if seq % 2 else Role.ASSISTANT) for seq in range(1, 5)))
    world.log.save_summary(a_session().id, "Two numbers were said.", 2)
    conversation = world.conversation(Strategy.SUMMARISING, world.log.session(a_session().id))

    await all_of(conversation.resend(TurnId("s1t3"), "number 33"))

    [asked] = shown(world.chat_model.requests[0])
    assert "Two numbers" in world.chat_model.requests[0].messages[0].text
    assert asked.endswith("number 33")
    assert "number 3\n" not in asked


async def test_branching_off_while_the_talk_is_summarised_drops_that_summary() -> None:
    def branches_off(_: object) -> str:
        world.log.append_beside(a_turn(1, "Anew.", id=TurnId("anew")), TurnId("s1t1"))
        return "What was."

    world = World(ScriptedChatModel.of(branches_off))
    world.chat_model.context = 400
    world.said(*(a_turn(seq, "word " * 40, role=Role.USER if seq % 2 else Role.ASSISTANT) for seq in range(1, 10)))
    conversation = world.conversation(Strategy.SUMMARISING, world.log.session(a_session().id))

    folded = await conversation.compact()

    assert len(world.chat_model.requests) == 1
    assert (folded, conversation.session.summary) == (0, "")


async def test_a_cut_answer_is_continued_in_its_own_turn() -> None:
    world = World(ScriptedChatModel.of(Script(text="The quick brown", reason="length"), " fox jumps."))
    conversation = world.conversation()
    [cut] = await say(conversation, "Tell me")

    events = await all_of(conversation.go_on())

    begun, end = events[0], events[-1]
    assert isinstance(begun, ReplyBegun)
    assert (begun.turn.id, begun.turn.text, begun.turn.status) == (
        cut.turn.id,
        "The quick brown",
        TurnStatus.STREAMING,
    )
    assert end.turn == (await conversation.turns())[1]  # type: ignore[union-attr]  # the last event is the end
    assert end.turn.text == "The quick brown fox jumps."  # type: ignore[union-attr]
    assert end.turn.finish_reason == "stop"  # type: ignore[union-attr]


async def test_going_on_shows_the_model_what_it_said_and_asks_for_the_rest() -> None:
    world = World(ScriptedChatModel.of(Script(text="The quick brown", reason="length"), " fox."))
    conversation = world.conversation()
    await say(conversation, "Tell me")

    await all_of(conversation.go_on())

    *talk, instruction = shown(world.chat_model.requests[1])
    assert talk == ["Tell me", "The quick brown"]
    assert "exactly where it stopped" in instruction


async def test_what_going_on_took_is_added_to_what_the_beginning_took() -> None:
    world = World(ScriptedChatModel.of(Script(text="The quick brown", reason="length"), " fox."))
    conversation = world.conversation()
    [cut] = await say(conversation, "Tell me")

    end = await ended(conversation.go_on())

    assert end.usage.completion_tokens == 4
    assert end.usage.prompt_tokens > cut.usage.prompt_tokens
    assert await conversation.usage() == {end.turn.id: end.usage}
    assert sum(count.completion_tokens for count in world.meter.calls()) == 4


async def test_a_stopped_answer_can_be_continued_and_a_failing_continuation_keeps_it() -> None:
    world = World(ScriptedChatModel.of(Script(text="the beginning", hold=asyncio.Event()), ProviderError("Away.")))
    conversation = world.conversation()
    async for event in conversation.send("Tell me"):
        if isinstance(event, ReplyGrew):
            conversation.stop()
    arrived = (await conversation.turns())[1].text

    end = await ended(conversation.go_on())

    assert arrived
    assert (end.turn.text, end.turn.status, end.turn.error) == (arrived, TurnStatus.FAILED, "Away.")


async def test_an_answer_that_failed_before_its_first_word_is_asked_for_again_in_place() -> None:
    world = World(ScriptedChatModel.of(ProviderError("Away."), "Here."))
    conversation = world.conversation()
    await say(conversation, "Tell me")

    end = await ended(conversation.go_on())

    assert shown(world.chat_model.requests[1]) == ["Tell me"]
    assert (end.turn.text, end.turn.status, end.turn.error) == ("Here.", TurnStatus.COMPLETE, None)
    assert len(await conversation.turns()) == 2


async def test_of_a_long_answer_the_model_is_shown_the_end_and_the_question() -> None:
    beginning = " ".join(f"w{number}" for number in range(2000))
    world = World(ScriptedChatModel.of(Script(text=beginning, reason="length"), "and on."))
    world.chat_model.context = 600
    conversation = world.conversation()
    await say(conversation, "Count")

    end = await ended(conversation.go_on())

    question, partial, _ = shown(world.chat_model.requests[1])
    assert question == "Count"
    assert partial.endswith("w1999")
    assert "w0 " not in partial
    assert end.turn.text.startswith("w0 w1 ")


@pytest.mark.parametrize("reason", ["stop", "content_filter"])
async def test_a_whole_answer_is_not_continued(reason: str) -> None:
    world = World(ScriptedChatModel.of(Script(text="All.", reason=reason)))
    conversation = world.conversation()
    await say(conversation, "Tell me")

    with pytest.raises(UsageError, match="whole"):
        await all_of(conversation.go_on())


async def test_only_the_last_answer_is_continued() -> None:
    world = World(ScriptedChatModel.of(Script(text="The quick", reason="length"), "Two."))
    conversation = world.conversation()
    first, _ = await say(conversation, "first question", "second question")

    with pytest.raises(UsageError, match="last answer"):
        await all_of(conversation.go_on(first.turn.id))


async def test_nothing_can_be_asked_of_what_is_not_there() -> None:
    world = World(ScriptedChatModel.of("One."))
    conversation = world.conversation()
    with pytest.raises(UsageError, match="no answer"):
        await all_of(conversation.regenerate())
    await say(conversation, "first question")
    question, reply = await conversation.turns()
    world.log.open_session(a_session(2))
    elsewhere = world.log.append(a_turn(1, id=TurnId("s2t1"), session_id=a_session(2).id))

    with pytest.raises(UsageError, match="no answer"):
        await all_of(conversation.regenerate(question.id))
    with pytest.raises(UsageError, match="you said"):
        await all_of(conversation.resend(reply.id, "other words"))
    with pytest.raises(NotFoundError):
        await all_of(conversation.resend(elsewhere.id, "other words"))
    with pytest.raises(NotFoundError):
        await conversation.follow(TurnId("nowhere"))
    with pytest.raises(UsageError, match="empty"):
        await all_of(conversation.resend(question.id, "  "))


async def test_nothing_is_changed_while_an_answer_is_on_its_way() -> None:
    world = World(ScriptedChatModel.of("One.", Script(text="the beginning", hold=asyncio.Event())))
    conversation = world.conversation()
    [first] = await say(conversation, "first question")
    running = conversation.send("second question")
    await anext(running)

    with pytest.raises(UsageError, match="still on its way"):
        await all_of(conversation.regenerate())
    with pytest.raises(UsageError, match="still on its way"):
        await conversation.follow(first.turn.id)

    await running.aclose()


async def test_a_budget_that_is_used_up_holds_for_every_way_to_ask() -> None:
    world = World(ScriptedChatModel.of(Script(text="One", reason="length")))
    conversation = world.conversation()
    await say(conversation, "first question")
    before = await conversation.turns()
    world.spent = "$0.50"

    for arriving in (
        conversation.send("more"),
        conversation.regenerate(),
        conversation.go_on(),
        conversation.resend(before[0].id, "more"),
    ):
        with pytest.raises(RefusedError, match=r"\$0\.50.*usd_per_day"):
            await all_of(arriving)
    assert await conversation.turns() == before


async def test_a_budget_in_tokens_names_its_own_key_and_a_free_model_goes_on() -> None:
    world = World(ScriptedChatModel.of("One."), spent="50,000 tokens")
    conversation = world.conversation()
    with pytest.raises(RefusedError, match="tokens_per_day"):
        await all_of(conversation.send("more"))

    conversation.choice = a_choice("builtin/small", model="builtin/small")
    end = await ended(conversation.send("more"))

    assert end.turn.text == "One."


async def test_what_a_conversation_and_the_day_took() -> None:
    world = World(ScriptedChatModel.of("One.", "Another one."))
    conversation = world.conversation()
    unspent = await conversation.spending()
    await say(conversation, "first question")
    await all_of(conversation.regenerate())
    world.meter.count_call("consolidation", "m", Usage(completion_tokens=7))

    spending = await conversation.spending()

    assert unspent.session == Usage()
    assert spending.session.completion_tokens == 3
    assert spending.today.completion_tokens == 10
