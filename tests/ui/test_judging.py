"""The person says what an answer was worth, and what was of use that was recalled for it."""

from chatmem.domain.memory import Kind, Memory, MemoryId, Practice, Status
from chatmem.ui.widgets.recalled_pane import RecalledPane
from tests.fakes.builders import a_fact
from tests.fakes.chat_model import ScriptedChatModel
from tests.ui.chatting import chat, chatting, converse, keys, press, prompt, recalled_text, say
from tests.ui.driving import AppPilot, settled
from tests.ui.services import FakeServices


def answering(*memories: Memory) -> FakeServices:
    services = FakeServices(chat_model=ScriptedChatModel.of("You live in Porto.", "Yes."))
    services.remembers(*memories)
    return services


def instruction(
    text: str = "Always answer in one sentence.", trigger: str = "", liked: int = 0, not_liked: int = 0
) -> Memory:
    practice = Practice(trigger=trigger, successes=liked, failures=not_liked)
    return a_fact(text, id=MemoryId(text.split(maxsplit=1)[0]), kind=Kind.PROCEDURE, practice=practice)


def toasts(pilot: AppPilot) -> list[str]:
    return [one.message for one in pilot.app._notifications]


def record(services: FakeServices, memory: Memory) -> tuple[int, int]:
    practice = services.memories.get([memory.id])[0].practice
    assert practice is not None
    return practice.successes, practice.failures


async def test_plus_and_minus_on_an_answer_count_for_the_instructions_it_followed() -> None:
    rule = instruction()
    services = answering(rule)
    async with chatting(services, size=(80, 24)) as pilot:
        await converse(pilot, "Where do I live?")
        await press(pilot, "ctrl+up", "-")
        disliked = record(services, rule)
        await press(pilot, "+")

        assert "+- rate" in keys(pilot)
        assert (disliked, record(services, rule)) == ((0, 1), (1, 0))
        assert toasts(pilot)[-1] == "1 of 1 answers liked: Always answer in one sentence."


async def test_good_and_bad_can_be_typed_of_the_newest_answer() -> None:
    rule = instruction()
    services = answering(rule)
    async with chatting(services) as pilot:
        await converse(pilot, "Where do I live?", "Really?")
        await say(pilot, "/bad")
        await settled(pilot)

        assert record(services, rule) == (0, 1)


async def test_an_answer_that_followed_no_instruction_says_so() -> None:
    async with chatting(answering(a_fact())) as pilot:
        await converse(pilot, "Where do I live?")
        await press(pilot, "ctrl+up", "+")

        assert toasts(pilot)[-1] == "This answer followed no standing instruction, so there is nothing to count it for."


async def test_the_instruction_that_does_worse_is_retired_and_that_is_told() -> None:
    bullets = instruction("Bullets in code reviews.", "in code reviews", liked=2)
    prose = instruction("Prose in code reviews.", "in code reviews", not_liked=1)
    services = answering(bullets, prose)
    async with chatting(services) as pilot:
        await converse(pilot, "Where are the code reviews?")
        await press(pilot, "ctrl+up", "-")

        assert services.memories.get([prose.id])[0].status is Status.RETIRED
        assert toasts(pilot)[-1].splitlines() == [
            "2 of 3 answers liked: Bullets in code reviews.",
            "“Prose in code reviews.” is retired, as “Bullets in code reviews.” does better; /changes takes it back",
        ]


async def test_what_was_recalled_is_marked_as_of_use_or_of_none() -> None:
    home = a_fact()
    services = answering(home)
    async with chatting(services, size=(80, 24)) as pilot:
        await converse(pilot, "Where do I live?")
        await press(pilot, "f4", "tab")
        focused = chat(pilot).query_one(RecalledPane).has_focus
        await press(pilot, "-")
        useless = services.journal.uses()
        await press(pilot, "+")
        useful = recalled_text(pilot)
        await press(pilot, "escape")

        assert focused
        assert useless == {}
        assert services.journal.uses()[home.id][0] == 1
        assert "✓ fact" in useful
        assert prompt(pilot).has_focus
