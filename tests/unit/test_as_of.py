from datetime import UTC, date, datetime

import pytest

from chatmem.conversation.as_of import asked_as_of, day_named
from chatmem.domain.errors import UsageError
from chatmem.domain.memory import MemoryId, Status
from tests.fakes.builders import a_fact
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.world import World
from tests.unit.conversing import say

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-02-28", date(2026, 2, 28)),
        (" 2026-02-28 ", date(2026, 2, 28)),
        ("2026-02-28T10:30", date(2026, 2, 28)),
        ("2025", date(2025, 1, 1)),
        ("yesterday", date(2026, 3, 3)),
    ],
)
def test_a_day_is_read_as_people_write_it(text: str, day: date) -> None:
    assert day_named(text, NOW) == day


@pytest.mark.parametrize("text", ["never", '"', "2026-02-31", "[bold]"])
def test_what_names_no_day_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="names no day"):
        day_named(text, NOW)


def test_a_question_that_names_a_day_itself_keeps_it() -> None:
    assert asked_as_of("as-of:2025-01-01 where?", date(2026, 1, 1)).endswith("as-of:2025-01-01 where?")


async def test_recall_answers_as_of_the_day_until_it_is_taken_back() -> None:
    moved = datetime(2026, 3, 1, tzinfo=UTC)
    told = datetime(2026, 1, 5, tzinfo=UTC)
    old = a_fact(
        "The user lives in Porto.",
        quotes=(),
        slot="home",
        status=Status.SUPERSEDED,
        valid_to=moved,
        superseded_by=MemoryId("new"),
        valid_from=told,
        created_at=told,
    )
    new = a_fact(
        "The user lives in Graz.", quotes=(), slot="home", id=MemoryId("new"), valid_from=moved, created_at=moved
    )
    world = World(chat_model=ScriptedChatModel.of("Then.", "Now."))
    world.remembers(old, new)
    conversation = world.conversation()
    conversation.as_of = date(2026, 2, 1)
    await say(conversation, "Where do I live?")
    conversation.as_of = None
    await say(conversation, "Where do I live now?")

    then, now = (request.messages[-1].text for request in world.chat_model.requests)
    assert "Porto" in then
    assert "Graz" not in then
    assert "Graz" in now
    assert "Porto" not in now
