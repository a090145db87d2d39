from datetime import UTC, datetime, timedelta

import pytest

from chatmem.recall.period import Bounds, Period, bounds_in, period_in

NOW = datetime(2026, 3, 18, 12, 0, tzinfo=UTC)
"""A Wednesday."""


def day(year: int, month: int, number: int, days: int = 1) -> Period:
    since = datetime(year, month, number, tzinfo=UTC)
    return Period(since=since, before=since + timedelta(days=days))


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("what happened in May?", Period(month=5)),
        ("where was I on 7 May 2023?", Period(year=2023, month=5, day=7)),
        ("what did she paint on August 23, 2023?", Period(year=2023, month=8, day=23)),
        ("what did I buy in 2023?", Period(year=2023)),
        ("wo war ich im März 2024?", Period(year=2024, month=3)),
        ("¿qué hice en mayo de 2024?", Period(year=2024, month=5)),
        ("où étais-je en août ?", Period(month=8)),
        ("5월에 뭐 했지?", Period(month=5)),
        ("2023年5月7日に何をした？", Period(year=2023, month=5, day=7)),  # noqa: RUF001 as it is written
        ("since 2024-05", Period(year=2024, month=5)),
    ],
)
def test_a_written_date_is_as_precise_as_it_was_named(question: str, period: Period) -> None:
    assert period_in(question, NOW) == period


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("what did I do last Tuesday?", day(2026, 3, 17)),
        ("what did I eat yesterday?", day(2026, 3, 17)),
        ("what did we say last week?", day(2026, 3, 9, days=7)),
        ("what did I plan three days ago?", day(2026, 3, 15)),
        ("what did I read last month?", day(2026, 2, 1, days=28)),
        ("was war letzten Dienstag?", day(2026, 3, 17)),
        ("was war vor drei Tagen?", day(2026, 3, 15)),
        ("¿qué dije la semana pasada?", day(2026, 3, 9, days=7)),
        ("qu'ai-je dit mardi dernier ?", day(2026, 3, 17)),
        ("지난주에 뭐 했지?", day(2026, 3, 9, days=7)),
        ("先週は何をした？", day(2026, 3, 9, days=7)),  # noqa: RUF001 as it is written
        ("去年の旅行は？", day(2025, 1, 1, days=365)),  # noqa: RUF001 as it is written
    ],
)
def test_a_time_relative_to_today_is_found_in_six_languages(question: str, period: Period) -> None:
    assert period_in(question, NOW) == period


@pytest.mark.parametrize(
    "question", ["may I use it?", "who is Mark?", "what should I cook today?", "they march on", "room 2024b?", ""]
)
def test_what_only_looks_like_a_date_is_none(question: str) -> None:
    assert period_in(question, NOW) is None


def test_a_moment_matches_by_the_share_of_the_parts_that_agree() -> None:
    period = Period(year=2023, month=5, day=7)

    assert period.match(datetime(2023, 5, 7, tzinfo=UTC)) == 1.0
    assert period.match(datetime(2023, 5, 8, tzinfo=UTC)) == pytest.approx(2 / 3)
    assert period.match(datetime(2023, 6, 7, tzinfo=UTC)) == 0.0


def test_a_question_says_what_it_filters_by() -> None:
    text, bounds = bounds_in("food since:2024 before:2024-05 as-of:2024-06-01 please", NOW)

    assert text == "food please"
    assert bounds == Bounds(
        since=datetime(2024, 1, 1, tzinfo=UTC),
        before=datetime(2024, 5, 1, tzinfo=UTC),
        as_of=datetime(2024, 6, 2, tzinfo=UTC),
    )


def test_a_filter_may_be_a_phrase_in_quotes() -> None:
    assert bounds_in('food since:"three days ago"', NOW)[1].since == NOW - timedelta(days=3)


def test_a_filter_that_is_no_date_stays_in_the_question() -> None:
    assert bounds_in("before:lunch I ate", NOW) == ("before:lunch I ate", Bounds())


def test_bounds_let_pass_what_was_said_between_them() -> None:
    bounds = Bounds(since=NOW, before=NOW + timedelta(days=2), as_of=NOW + timedelta(days=1))

    held = [bounds.hold(NOW + timedelta(hours=hours)) for hours in (-1, 0, 23, 25, 49)]

    assert held == [False, True, True, False, False]


def test_a_colon_in_prose_is_no_filter() -> None:
    said = "I never told you this before: May is my favourite month"

    assert bounds_in(said, NOW) == (said, Bounds(since=None, before=None, as_of=None))


def test_the_last_day_there_is_can_be_named() -> None:
    assert bounds_in("as-of:9999-12-31 what?", NOW)[0] == "what?"
