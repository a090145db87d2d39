"""What was typed but not sent."""

from chatmem.domain.errors import RefusedError, StoreError
from chatmem.domain.model import Image
from chatmem.domain.turn import SessionId
from chatmem.ui.widgets.prompt import PromptBox
from tests.fakes.session_log import FakeSessionLog
from tests.ui.chatting import chatting, converse, press, prompt, with_sessions, words
from tests.ui.driving import notices, settled, until
from tests.ui.services import FakeServices

S1 = SessionId("s1")


async def test_what_is_typed_is_saved_once_the_person_pauses() -> None:
    services = FakeServices()
    async with chatting(services) as pilot:
        await press(pilot, *"half a thought")
        await until(pilot, lambda: services.log.draft(None) == "half a thought")


async def test_what_was_typed_last_is_saved_when_the_app_is_left() -> None:
    services = FakeServices()
    async with chatting(services) as pilot:
        await pilot.press(*"half a thought", "ctrl+q")

    assert services.log.draft(None) == "half a thought"


async def test_the_draft_of_a_session_is_there_when_it_is_opened() -> None:
    services = with_sessions(2)
    services.log.save_draft(S1, "for the first")
    async with chatting(services) as pilot:
        await press(pilot, *"for a new one", "f3", "end", "enter")
        first = prompt(pilot).text
        await press(pilot, "ctrl+n")

        assert (first, prompt(pilot).text) == ("for the first", "for a new one")


async def test_a_draft_is_dropped_when_it_is_sent() -> None:
    services = FakeServices()
    async with chatting(services) as pilot:
        await press(pilot, *"a thought")
        await until(pilot, lambda: services.log.draft(None) == "a thought")
        await press(pilot, "enter", *"next")
        session = services.log.sessions()[0].id
        await until(pilot, lambda: services.log.draft(session) == "next")

        assert services.log.draft(None) == ""


async def test_what_was_typed_before_the_draft_was_there_follows_it() -> None:
    services = FakeServices()
    services.log.save_draft(None, "kept")
    async with chatting(services) as pilot:
        assert prompt(pilot).text == "kept"


async def test_a_draft_that_could_not_be_kept_is_told_and_stays_in_the_prompt() -> None:
    class Full(FakeSessionLog):
        def save_draft(self, session_id: SessionId | None, text: str) -> None:
            raise StoreError("The disk is full.")

    services = FakeServices()
    services.log = Full(services.clock)
    async with chatting(services) as pilot:
        await press(pilot, *"precious")
        await until(pilot, lambda: "The disk is full." in notices(pilot))

        assert prompt(pilot).text == "precious"


async def test_what_was_refused_is_put_back_with_its_images() -> None:
    class Refusing(FakeSessionLog):
        def open_session(self, session: object) -> None:
            raise RefusedError("Today's budget is used up.")

    services = FakeServices()
    services.log = Refusing(services.clock)
    boat = Image(name="boat.png", media_type="image/png", content=b"x")
    sent: list[PromptBox.Submitted] = []
    async with chatting(services) as pilot:
        prompt(pilot).post_message(PromptBox.Submitted("Look", (boat,)))
        await settled(pilot)
        assert "Today's budget is used up." in notices(pilot)
        assert prompt(pilot).text.startswith("Look")

        services.log = FakeSessionLog(services.clock)
        sent.clear()
        assert words(pilot) == []


async def test_an_answered_turn_leaves_an_empty_prompt() -> None:
    async with chatting(FakeServices()) as pilot:
        await converse(pilot, "hello")

        assert prompt(pilot).text == ""
