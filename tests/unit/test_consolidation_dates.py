"""The day a statement speaks of; everything is said on Monday, 29 September 2025."""

from datetime import UTC, datetime

import pytest

from chatmem.consolidation.dates import Timeline, event_date

SAID_AT = datetime(2025, 9, 29, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I resigned yesterday.", "2025-09-28"),
        ("We signed the lease the day before yesterday.", "2025-09-27"),
        ("Today I ran my first ten miles.", "2025-09-29"),
        ("Ich bin vorgestern umgezogen.", "2025-09-27"),
        ("Ayer adopté una gata.", "2025-09-28"),
        ("Demain je commence mon stage.", "2025-09-30"),
        ("어제 이사했어.", "2025-09-28"),
        ("明後日、引っ越します。", "2025-10-01"),
    ],
)
def test_a_day_is_reckoned_from_the_day_on_which_it_was_said(text: str, day: str) -> None:
    assert event_date(text, SAID_AT) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I started the course on Friday.", "2025-09-26"),
        ("The exam is on Friday.", "2025-10-03"),
        ("We sold the caravan last Saturday.", "2025-09-27"),
        ("The wedding is next Saturday.", "2025-10-04"),
        ("I've a slot on Thursday next week.", "2025-10-09"),
        ("Letzten Dienstag war ich beim Zahnarzt.", "2025-09-23"),
        ("Am Freitag habe ich ein Vorstellungsgespräch.", "2025-10-03"),
        ("El lunes pasado empecé a nadar.", "2025-09-22"),
        ("Mardi dernier j'ai vendu ma voiture.", "2025-09-23"),
        ("다음 주 화요일에 면접이 있어.", "2025-10-07"),
        ("来週の水曜日に試験があります。", "2025-10-08"),
    ],
)
def test_whether_a_weekday_is_past_or_ahead_is_told_by_the_clause(text: str, day: str) -> None:
    assert event_date(text, SAID_AT) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The visa runs out in exactly eight weeks.", "2025-11-24"),
        ("Three weeks ago I fell off the ladder.", "2025-09-08"),
        ("I lost it a couple of days ago.", "2025-09-27"),
        ("We moved two months ago.", "2025-07"),
        ("I gave up smoking four years ago.", "2021"),
        ("Vor zwei Wochen habe ich gekündigt.", "2025-09-15"),
        ("Hace dos semanas me mudé.", "2025-09-15"),
        ("Il y a trois jours on a adopté un chat.", "2025-09-26"),
        ("2주 전에 시작했어.", "2025-09-15"),
        ("三日前に買いました。", "2025-09-26"),
    ],
)
def test_a_count_of_days_weeks_months_or_years_is_as_precise_as_its_unit(text: str, day: str) -> None:
    assert event_date(text, SAID_AT) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("My cousin comes next week.", "2025-10-06"),
        ("Last weekend I oiled the deck.", "2025-09-27"),
        ("Next month I get my own bees.", "2025-10"),
        ("La semana pasada adopté un perro.", "2025-09-22"),
        ("J'ai déménagé la semaine dernière.", "2025-09-22"),
        ("先週から囲碁を始めました。", "2025-09-22"),
    ],
)
def test_a_week_is_its_monday_and_a_weekend_its_saturday(text: str, day: str) -> None:
    assert event_date(text, SAID_AT) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The baby is due in February.", "2026-02"),
        ("I moved here in March.", "2025-03"),
        ("Since April I teach evening classes.", "2025-04"),
        ("The operation is booked for the 9th of May.", "2026-05-09"),
        ("We married on 3 May 2019.", "2019-05-03"),
        ("It has to be done by the end of October.", "2025-10"),
        ("We gave up the car in 2021.", "2021"),
        ("Die Prüfung ist am 14. November.", "2025-11-14"),
        ("El 9 de mayo me operan.", "2026-05-09"),
        ("I'm away from the 24th.", "2025-10-24"),
        ("9월 20일에 시험 봤어.", "2025-09-20"),
    ],
)
def test_a_date_without_a_year_is_the_last_one_or_the_next(text: str, day: str) -> None:
    assert event_date(text, SAID_AT) == day


@pytest.mark.parametrize(
    "text",
    [
        "I row every Monday.",
        "We meet on Mondays.",
        "I may join them.",
        "The march was long.",
        "My office is on the 3rd floor.",
        "My dog is two years old.",
        "I work from 9 to 5.",
        "Le mardi je nage.",
        "水曜の夜に教室へ通っています。",
    ],
)
def test_what_happens_again_and_again_or_names_no_time_has_no_date(text: str) -> None:
    assert event_date(text, SAID_AT) is None


def test_a_date_is_reckoned_from_another_one_that_was_told_before() -> None:
    timeline = Timeline()
    timeline.read("My driving test is on the 21st of November.", SAID_AT)
    timeline.read("No wait, I meant the 12th.", SAID_AT)

    assert timeline.read("I want to book two lessons one week before the test.", SAID_AT) == "2025-11-05"


def test_then_is_the_time_that_was_told_last() -> None:
    timeline = Timeline()
    timeline.read("The parcel comes in ten days.", SAID_AT)

    assert timeline.read("If it isn't here by then I want to complain.", SAID_AT) == "2025-10-09"


def test_a_day_without_a_month_is_of_the_month_that_was_told_last() -> None:
    timeline = Timeline()
    timeline.read("We are planning a week away in March.", SAID_AT)

    assert timeline.read("It has to begin on the 6th.", SAID_AT) == "2026-03-06"
