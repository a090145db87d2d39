"""What was typed but not sent."""

import threading
from collections.abc import Sequence

from chatmem.domain.errors import RefusedError, StoreError
from chatmem.domain.model import Image
from chatmem.domain.turn import SessionId, Turn
from chatmem.ui.app import ChatMemApp
from chatmem.ui.widgets.prompt import PromptBox
from tests.fakes.builders import a_choice
from tests.fakes.session_log import FakeSessionLog
from tests.ui.chatting import chatting, converse, press, prompt, users_words, with_sessions, words
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


async def test_what_was_refused_stays_in_the_prompt_with_its_images() -> None:
    class Refusing(FakeSessionLog):
        def open_session(self, session: object) -> None:
            raise RefusedError("Today's budget is used up.")

    services = FakeServices()
    services.log = Refusing(services.clock)
    boat = Image(name="boat.png", media_type="image/png", content=b"x")
    async with chatting(services) as pilot:
        prompt(pilot).restore("Look", (boat,))
        await pilot.press("enter")
        await settled(pilot)

        assert "Today's budget is used up." in notices(pilot)
        assert (prompt(pilot).text, prompt(pilot).images) == ("Look", (boat,))
        assert words(pilot) == []


class SlowLog(FakeSessionLog):
    """Takes a turn only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.let = threading.Event()

    def append(self, turn: Turn, contents: Sequence[bytes] = ()) -> Turn:
        """Wait, as for a slow disk."""
        self.let.wait(10)
        return super().append(turn, contents)


async def test_words_stay_in_the_prompt_until_they_are_kept_and_what_is_typed_meanwhile_stays() -> None:
    services = FakeServices()
    services.log = log = SlowLog()
    async with chatting(services) as pilot:
        prompt(pilot).restore("hello")
        await pilot.press("enter")
        await pilot.press(*" you")
        waiting = prompt(pilot).text
        log.let.set()
        await settled(pilot)

        assert waiting == "hello you"
        assert prompt(pilot).text == " you"
        assert words(pilot)[0] == "hello"


async def test_an_answered_turn_leaves_an_empty_prompt() -> None:
    async with chatting(FakeServices()) as pilot:
        await converse(pilot, "hello")

        assert prompt(pilot).text == ""


class SlowToOpen(FakeSessionLog):
    """Gives a draft only when it is let, so that the conversation opens late."""

    def __init__(self) -> None:
        super().__init__()
        self.let = threading.Event()

    def draft(self, session_id: SessionId | None) -> str:
        self.let.wait(10)
        return super().draft(session_id)


async def test_what_is_typed_before_the_conversation_is_open_is_kept_beside_the_draft() -> None:
    services = FakeServices()
    services.log = log = SlowToOpen()
    log.save_draft(None, "kept")
    app = ChatMemApp(services, a_choice())
    async with app.run_test(size=(150, 45)) as pilot:
        await until(pilot, lambda: bool(app.screen.query(PromptBox)))
        await pilot.press(*"typed")
        log.let.set()
        await until(pilot, lambda: "kept" in prompt(pilot).text)
        await settled(pilot)

        assert "typed" in prompt(pilot).text
        await until(pilot, lambda: "typed" in log.draft(None))

    assert "kept" in log.draft(None)


async def test_what_is_typed_before_the_conversation_is_open_is_kept_when_the_app_is_left() -> None:
    services = FakeServices()
    services.log = log = SlowToOpen()
    log.save_draft(None, "kept")
    app = ChatMemApp(services, a_choice())
    async with app.run_test(size=(150, 45)) as pilot:
        await until(pilot, lambda: bool(app.screen.query(PromptBox)))
        await pilot.press(*"typed", "ctrl+q")
        log.let.set()

    assert {"kept", "typed"} <= set(log.draft(None).split())


async def test_what_is_typed_right_after_enter_is_not_lost() -> None:
    services = FakeServices()
    async with chatting(services) as pilot:
        await pilot.press(*"hello")
        box = prompt(pilot)
        box.post_message(PromptBox.Submitted(box.words))
        box.insert(" and more")
        await settled(pilot)

        assert users_words(pilot) == ["hello"]
        assert box.words == " and more"
