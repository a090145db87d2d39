from dataclasses import replace
from datetime import timedelta

import pytest

from chatmem.consolidation.superseding import restated, supersedes
from chatmem.domain.memory import Kind, Memory
from chatmem.domain.turn import SessionId
from tests.fakes.builders import NOON, a_fact, a_quote

LATER = NOON + timedelta(days=30)


def later(text: str, **changes: object) -> Memory:
    quote = replace(a_quote(text, "s2t1"), session_id=SessionId("s2"), said_at=LATER)
    return a_fact(text, **({"valid_from": LATER, "quotes": (quote,)} | changes))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I live in Ghent near the canal.", "I moved to Antwerp last week."),
        ("I've been living in Ghent for six years.", "I live in a small flat in Antwerp."),
        ("The user lives in Ghent.", "The user lives in Antwerp."),
        ("The user works at Tessella.", "The user works at Brightwell."),
        ("I work as a nurse.", "I work as a teacher at a primary school."),
        ("I'm 34 years old.", "I turned 35."),
        ("My boss is Marta.", "My boss is Teo."),
        ("My favourite colour is green.", "My favourite colour is a dark red."),
        ("Our rent is 900 euros.", "Our rent is 950 euros."),
        ("I'm vegetarian.", "I eat fish twice a week."),
        ("I'm engaged to Lea.", "We got married."),
        ("I'm vegan.", "I'm not vegan anymore."),
        ("I play the trombone in a brass band.", "I no longer play the trombone."),
        ("I drive an old Volvo to work.", "I sold the Volvo."),
        ("I use Vim for everything.", "I switched from Vim to Helix."),
        ("My laptop runs Fedora.", "Fedora is gone, I put something else on it."),
        ("I work at a bakery on Saturdays.", "Quit the bakery for good yesterday."),
        ("The standup is on Mondays at nine.", "The standup is now on Wednesdays."),
        ("I train for judo on Mondays and Fridays.", "Plans changed, judo is on Tuesdays."),
        ("My exam is on the 3rd of May.", "My exam was moved to the 10th of May."),
        ("I drink coffee.", "I don't drink coffee."),
        ("I run five kilometres every morning.", "I stopped running."),
        ("I work at Tessella.", "I started my new job at Brightwell."),
        ("I work as a nurse at Tessella.", "I work as a nurse at Brightwell."),
        ("My check-up is at 2pm on Monday.", "The check-up moved to 4pm."),
        ("I fly to Oslo on the 10th.", "Change of plans: I fly to Oslo on the 12th, not the 10th."),
        ("I'm vegetarian.", "I started eating meat again."),
        ("I want to row the regatta on the 7th of May.", "They moved the thing by a week, it's the 14th of May now."),
        ("I have a gym membership.", "I cancelled my gym membership."),
        ("Been living in Ghent for ages.", "I'm writing from the new flat in Antwerp, on the second floor."),
    ],
)
def test_what_is_told_anew_takes_the_place_of_what_held_before(before: str, after: str) -> None:
    assert supersedes(later(after), a_fact(before))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I have a cat called Tilly.", "I have a cat called Bruno."),
        ("I speak Dutch.", "I'm learning Finnish."),
        ("I translate from Danish.", "I translate from Dutch as well now."),
        ("I'm allergic to walnuts.", "I'm allergic to pollen."),
        ("My son is called Nils.", "My daughter is called Freya."),
        ("I live in Ghent.", "I live with my brother."),
        ("I live in Ghent.", "My parents live in Lille."),
        ("I live in Ghent.", "I used to live in Lyon."),
        ("I live in Ghent.", "I want to live in Rome some day."),
        ("I live in Ghent.", "My company is based in Berlin."),
        ("I live in Ghent.", "We moved the meeting to Friday."),
        ("I live in Porto.", "I live in Porto, near the river."),
        ("I live in Ghent.", "My flat is in Korenmarkt street."),
        ("My name is Ana.", "My name is Ana Sousa."),
        ("I work as a nurse.", "I also work as a translator."),
        ("I play chess.", "I take lessons in go."),
        ("I'm vegetarian.", "I never eat meat."),
        ("I go swimming on Mondays.", "My choir meets on Tuesdays now."),
        ("I like tea.", "I like coffee."),
        ("I eat chicken on Sundays.", "I eat fish on Fridays."),
        ("The lease ends on the 7th of May.", "They moved the thing by a week, it's the 17th of May now."),
        ("I play chess on Mondays.", "I'm stopping by the shop now."),
        ("I own a shop.", "I stopped at the shop."),
        ("I take two sugars in my tea.", "My tea is gone cold."),
        ("I have a brother called Nils.", "I have a brother called Jens."),
        ("My meeting with Ida is at 2pm.", "My meeting with Teo was moved to 4pm."),
        ("I take vitamin D in winter.", "I take iron since March."),
        ("I have two cats.", "I have one dog."),
        ("I don't eat meat.", "I no longer eat meat."),
        ("The lease of the shop ends on 3 May.", "The concert was moved to 10 May."),
        ("My laptop is a ThinkPad.", "My phone is a Pixel."),
        ("I own a blue bike.", "My sister sold her bike."),
        ("In the garden I grow beans and leeks.", "I planted a plum tree."),
    ],
)
def test_what_is_true_beside_the_other_stays(before: str, after: str) -> None:
    about = {"subject": "sister"} if "sister" in after else {}

    assert not supersedes(later(after, **about), a_fact(before))


def test_a_value_of_someone_else_is_another_matter() -> None:
    assert not supersedes(later("She lives in Lyon.", subject="sister Ana"), a_fact("I live in Ghent."))
    assert supersedes(
        later("She lives in Lyon.", subject="sister Ana"), a_fact("Ana lives in Ghent.", subject="sister Ana")
    )


def test_two_homes_of_different_kinds_are_told_apart_when_one_is_said_to_be_now() -> None:
    shared = a_fact("Sharing a flat with Kaja near the depot.", slot="home")

    assert supersedes(later("I'm in a studio of my own now.", slot="home"), shared)
    assert not supersedes(later("I'd call it a house of horrors.", slot="home"), shared)


def test_another_work_takes_the_place_where_it_is_said_to_be_so_now() -> None:
    buyer = a_fact("I started as a junior buyer at a hat company.", slot="occupation")

    assert supersedes(later("Now I'm doing logistics at a paper mill.", slot="occupation"), buyer)
    assert supersedes(later("I'm doing logistics at a paper mill."), buyer, said="I left in May.")
    assert not supersedes(later("I'm doing logistics for the school fair too now.", slot="occupation"), buyer)


def test_what_happened_once_stays_true() -> None:
    ran = a_fact("I ran ten kilometres on Monday with Eva.", kind=Kind.EPISODE)

    assert not supersedes(later("I run on Tuesdays now."), ran)
    assert not supersedes(later("I sold the car."), a_fact("I crashed the car last May.", kind=Kind.EPISODE))


def test_a_date_is_corrected_in_the_same_breath() -> None:
    told = a_fact("My viva is on the 21st of November.", kind=Kind.EPISODE)
    meant = "No wait, I meant the 12th, 12 November."
    correction = a_fact(meant, quotes=(replace(a_quote(meant, "s1t3"), said_at=NOON + timedelta(minutes=2)),))

    assert supersedes(correction, told)
    assert not supersedes(later(meant), a_fact("The rent is due on the 1st of December."))


@pytest.mark.parametrize(
    ("before", "after", "gives_way"),
    [
        ("Please stop using emojis.", "I take it back, emojis are fine in drafts.", True),
        ("Always answer in English.", "Never answer in English.", True),
        ("Answer in three sentences.", "Never use tables.", False),
        (
            "Every Monday make a summary, no jargon.",
            "From May on the summary comes on Fridays instead of Mondays.",
            True,
        ),
        ("The internal report has bullets and a Risks heading.", "The client version has no risks, please.", False),
    ],
)
def test_an_instruction_gives_way_to_one_that_takes_it_back(before: str, after: str, gives_way: bool) -> None:
    old, new = a_fact(before, kind=Kind.PROCEDURE), later(after, kind=Kind.PROCEDURE)

    assert bool(supersedes(new, old)) is gives_way


def test_a_day_that_was_moved_is_told_with_its_matter() -> None:
    regatta = a_fact("I want to row the regatta on the 7th of May.", slot="goal")
    moved = later("They moved the race by two weeks, it's the 21st of May now.", kind=Kind.EPISODE)

    told = restated(moved, regatta, supersedes(moved, regatta))

    assert (told.text, told.slot, told.quotes) == (
        "I want to row the regatta on the 21st of May.",
        "goal",
        moved.quotes,
    )
    assert restated(moved, regatta, "") == moved


def test_an_instruction_of_which_one_part_is_changed_keeps_the_rest() -> None:
    report = a_fact(
        "Every Monday turn my notes into a report: three headings, bullets underneath, no adjectives, short sentences.",
        kind=Kind.PROCEDURE,
    )
    friday = later("From May on the report is due on Fridays instead of Mondays.", kind=Kind.PROCEDURE)

    told = restated(friday, report, supersedes(friday, report))

    assert told.text == f"{report.text} {friday.text}"
    assert told.quotes == (*friday.quotes, *report.quotes)


@pytest.mark.parametrize(
    ("said", "extends"),
    [
        ("One addition, put a fourth heading called risks at the end.", True),
        ("Please add another heading for costs.", True),
        ("I put a new lamp on my desk.", False),
        ("If I ask in German, add a heading in German.", False),
    ],
)
def test_one_more_thing_that_an_instruction_is_to_list_goes_with_it(said: str, extends: bool) -> None:
    report = a_fact("Turn my notes into a report with three headings, done, next, blocked.", kind=Kind.PROCEDURE)
    addition = later(said)

    told = restated(addition, report, supersedes(addition, report))

    assert (told.text == f"{report.text} {said}") is extends
    assert (told.kind is Kind.PROCEDURE) is extends
