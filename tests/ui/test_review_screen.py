"""What waits for the person's word, on the review screen and in the chat's status line."""

import pytest

from chatmem.domain.memory import Link, Memory, MemoryId, Quote, Relation, Sensitivity, Status, Wait
from chatmem.domain.turn import Role, SessionId, TurnId
from chatmem.ui.screens.review import ReviewScreen
from tests.fakes.builders import a_fact, a_session, a_turn
from tests.ui.chatting import chat, chatting, status, words
from tests.ui.driving import notices, settled
from tests.ui.memory_services import MemoryServices, Saying
from tests.ui.services import FakeServices
from tests.ui.upkeep_hands import SIZES, UpkeepHost, at, press, shown

SAID = "I moved to Lisbon. My sister Rita has diabetes. I may buy a boat."


def of_ana() -> MemoryServices:
    services = MemoryServices()
    turn = services.say(SAID)
    old = services.learn("Ana lives in Porto.", Saying(turn, "I moved"), day=1)
    waiting: dict[str, dict[str, object]] = {
        "Ana lives in Lisbon.": {"waits_for": Wait.CONFLICT, "links": (_against(old),)},
        "Rita has diabetes.": {"waits_for": Wait.CONSENT, "sensitivity": Sensitivity.MEDICAL},
        "Ana will buy a boat.": {"waits_for": Wait.CONFIDENCE},
        "Ana will sail.": {"waits_for": Wait.CONFIDENCE},
    }
    for day, (text, changes) in enumerate(waiting.items(), start=2):
        services.learn(text, Saying(turn, SAID[:18]), day=day, status=Status.PENDING, **changes)
    return services


def _against(old: Memory) -> Link:
    return Link(to=old.id, relation=Relation.CONTRADICTS)


def statuses(services: MemoryServices) -> dict[str, str]:
    ids = [memory.id for memory in services.curator.waiting()]
    texts = {"Ana lives in Porto.", "Ana lives in Lisbon.", "Rita has diabetes.", "Ana will buy a boat."}
    everything = services.memories.get([*ids, *(a_fact(text).id for text in texts)])
    return {memory.text: memory.status.value for memory in everything}


@pytest.mark.parametrize("size", SIZES)
async def test_what_waits_stands_in_groups_by_why_it_waits(size: tuple[int, int]) -> None:
    async with at(ReviewScreen(of_ana()), size) as pilot:
        screen = shown(pilot)

        order = ["Contradicts something (1)", "Kept only if you agree (1)", "Rita has diabetes.", "Not sure (2)"]
        assert sorted(order, key=screen.index) == order
        assert screen.startswith(" 4 memories to review")


@pytest.mark.parametrize("size", SIZES)
async def test_both_sides_of_a_contradiction_are_shown_with_dates_and_sources(size: tuple[int, int]) -> None:
    async with at(ReviewScreen(of_ana()), size) as pilot:
        screen = shown(pilot)

        for words_shown in ("told 6 March 2026", "since 5 March 2026", "Moving to Porto · 4 March 2026", SAID):
            assert words_shown in screen
        assert "n Keep new  o Keep old  b Keep both" in screen
        assert "Accept" not in screen


async def test_what_waits_for_consent_shows_its_kind_and_the_words_it_rests_on() -> None:
    async with at(ReviewScreen(of_ana())) as pilot:
        await press(pilot, "down")

        assert "asked about first (medical)." in shown(pilot)
        assert SAID in shown(pilot)
        assert "a Accept  r Reject  A Accept group  R Reject group" in shown(pilot)


async def test_a_accepts_and_r_rejects_the_highlighted_memory() -> None:
    services = of_ana()
    async with at(ReviewScreen(services)) as pilot:
        await press(pilot, "down", "a", "r")

        after = statuses(services)
        assert (after["Rita has diabetes."], shown(pilot)[:22]) == ("active", " 2 memories to review\n")
        assert notices(pilot)[0] == "Accepted 1 memory. F9 in the chat can take it back."


@pytest.mark.parametrize(("key", "became"), [("A", "active"), ("R", "retired")])
async def test_a_whole_group_is_accepted_or_rejected_at_once(key: str, became: str) -> None:
    services = of_ana()
    async with at(ReviewScreen(services)) as pilot:
        await press(pilot, "down", "down", key)

        assert statuses(services)["Ana will buy a boat."] == became
        assert {memory.text for memory in services.curator.waiting()} == {"Ana lives in Lisbon.", "Rita has diabetes."}


@pytest.mark.parametrize(
    ("key", "new", "old"),
    [("n", "active", "superseded"), ("o", "retired", "active"), ("b", "active", "active")],
)
async def test_a_contradiction_is_settled_by_keeping_new_old_or_both(key: str, new: str, old: str) -> None:
    services = of_ana()
    async with at(ReviewScreen(services)) as pilot:
        await press(pilot, key)

        after = statuses(services)
        assert (after["Ana lives in Lisbon."], after["Ana lives in Porto."]) == (new, old)
        assert "Contradicts something" not in shown(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_when_nothing_waits_it_says_what_would_come_here(size: tuple[int, int]) -> None:
    async with at(ReviewScreen(MemoryServices()), size) as pilot:
        assert "Nothing waits for your word." in shown(pilot)
        assert "F9 in the chat shows" in shown(pilot)
        assert "Accept" not in shown(pilot)


async def test_enter_goes_to_the_turn_it_rests_on() -> None:
    async with at(ReviewScreen(of_ana())) as pilot:
        await press(pilot, "enter")

        assert isinstance(pilot.app, UpkeepHost)
        quote = pilot.app.results[0]
        assert isinstance(quote, Quote)
        assert quote.turn_id == "s1t1"


async def test_what_was_written_by_hand_has_no_turn_to_go_to() -> None:
    services = MemoryServices()
    services.learn("Ana has an allergy.", status=Status.PENDING, waits_for=Wait.CONSENT)
    async with at(ReviewScreen(services)) as pilot:
        await press(pilot, "enter")

        assert notices(pilot) == ["It was written by hand: no turn stands behind it."]


async def test_of_what_was_taken_over_the_file_is_told() -> None:
    services = MemoryServices()
    services.learn("Ana rows.", status=Status.PENDING, waits_for=Wait.CONSENT, imported_from="claude.json")
    async with at(ReviewScreen(services)) as pilot:
        await press(pilot, "enter")

        assert notices(pilot) == ["It was taken over from claude.json: no turn stands behind it."]


async def test_a_memory_that_another_window_settled_is_told_in_a_sentence_and_leaves_the_list() -> None:
    services = of_ana()
    async with at(ReviewScreen(services)) as pilot:
        services.curator.reject([memory.id for memory in services.curator.waiting() if "Rita" in memory.text])
        await press(pilot, "down", "a")

        assert "only pending memories are accepted" in notices(pilot)[0]
        assert "● Rita" not in shown(pilot)


async def test_a_store_that_cannot_be_read_is_told_and_read_again_with_f5() -> None:
    services = of_ana()
    services.memories.broken = "The memory store is damaged."
    async with at(ReviewScreen(services)) as pilot:
        told = (notices(pilot), shown(pilot).split("\n")[0])
        services.memories.broken = ""
        await press(pilot, "f5")

        assert told == (["The memory store is damaged."], " Not read; F5 tries again")
        assert "4 memories to review" in shown(pilot)


async def test_brackets_in_a_memory_are_shown_as_they_are() -> None:
    services = MemoryServices()
    services.learn("Ana writes [red]brackets[/red] [.", status=Status.PENDING, waits_for=Wait.REVIEW)
    async with at(ReviewScreen(services)) as pilot:
        assert shown(pilot).count("Ana writes [red]brackets[/red] [.") == 2


def talking_of_lisbon() -> FakeServices:
    services = FakeServices()
    services.said(a_turn(1, SAID), a_turn(2, "Noted.", role=Role.ASSISTANT), session=a_session())
    quote = Quote(session_id=SessionId("s1"), turn_id=TurnId("s1t1"), text=SAID, said_at=a_turn().said_at)
    for number in (1, 2):
        text = f"Ana may buy {number} boats."
        waits = {"status": Status.PENDING, "waits_for": Wait.CONFIDENCE}
        services.remembers(a_fact(text, id=MemoryId(f"m{number}"), quotes=(quote,), **waits))
    return services


@pytest.mark.parametrize("size", SIZES)
async def test_the_status_line_counts_what_waits_once_memories_are_loaded(size: tuple[int, int]) -> None:
    services = talking_of_lisbon()
    async with chatting(services, size=size) as pilot:
        before = status(pilot)
        services.status("")
        await settled(pilot)

        assert "to review" not in before
        assert "2 to review · F7" in status(pilot)


async def test_what_was_settled_is_no_longer_counted() -> None:
    services = talking_of_lisbon()
    async with chatting(services) as pilot:
        services.status("")
        await press(pilot, "f7", "A", "escape")

        assert "to review" not in status(pilot)


async def test_enter_shows_the_turn_in_its_conversation() -> None:
    async with chatting(talking_of_lisbon()) as pilot:
        await press(pilot, "f7", "enter")

        assert pilot.app.screen is chat(pilot)
        assert words(pilot) == [SAID, "Noted."]
