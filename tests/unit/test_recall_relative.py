from datetime import UTC, datetime, timedelta

import pytest

from chatmem.recall.period import Period, period_in

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
"""A Wednesday."""


def day(number: int, month: int = 3, year: int = 2026) -> Period:
    since = datetime(year, month, number, tzinfo=UTC)
    return Period(since=since, before=since + timedelta(days=1))


def days(since: tuple[int, int, int], before: tuple[int, int, int]) -> Period:
    return Period(since=datetime(*since, tzinfo=UTC), before=datetime(*before, tzinfo=UTC))


TUESDAY = day(3)
TUESDAY_OF_LAST_WEEK = day(24, month=2)
LAST_WEEK = days((2026, 2, 23), (2026, 3, 2))
TWO_WEEKS_AGO = days((2026, 2, 16), (2026, 2, 23))
LAST_WEEKEND = days((2026, 2, 28), (2026, 3, 2))
LAST_MONTH = days((2026, 2, 1), (2026, 3, 1))
LAST_YEAR = days((2025, 1, 1), (2026, 1, 1))
LAST_SUMMER = days((2025, 6, 1), (2025, 9, 1))
TWO_DAYS_AGO, THREE_DAYS_AGO = day(2), day(1)
MAY, THIRD_OF_FEBRUARY = Period(month=5), Period(month=2, day=3)


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("What did I say last Tuesday?", TUESDAY),
        ("What did I say on Tuesday?", TUESDAY),
        ("What did I say on Tuesday last week?", TUESDAY_OF_LAST_WEEK),
        ("Where was I two weeks ago?", TWO_WEEKS_AGO),
        ("What happened a couple of weeks ago?", TWO_WEEKS_AGO),
        ("What did I eat the day before yesterday?", TWO_DAYS_AGO),
        ("What did I buy last weekend?", LAST_WEEKEND),
        ("Where did we go last summer?", LAST_SUMMER),
        ("What did we cook in May?", MAY),
        ("Who visited on the 3rd of February?", THIRD_OF_FEBRUARY),
    ],
)
def test_english(question: str, period: Period) -> None:
    assert period_in(question, NOW) == period


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("Was habe ich letzten Dienstag gesagt?", TUESDAY),
        ("Was habe ich am Dienstag gesagt?", TUESDAY),
        ("Was habe ich vergangenen Dienstag gemacht?", TUESDAY),
        ("Was war vor drei Tagen?", THREE_DAYS_AGO),
        ("Was war vor zwei Wochen?", TWO_WEEKS_AGO),
        ("Was habe ich vorgestern gegessen?", TWO_DAYS_AGO),
        ("Was war vorige Woche?", LAST_WEEK),
        ("Wo war ich letztes Wochenende?", LAST_WEEKEND),
        ("Wo waren wir letzten Sommer?", LAST_SUMMER),
        ("Was habe ich im Mai gekocht?", MAY),
        ("Wohin bin ich am 3. Februar gefahren?", THIRD_OF_FEBRUARY),
    ],
)
def test_german(question: str, period: Period) -> None:
    assert period_in(question, NOW) == period


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("¿Qué dije el martes pasado?", TUESDAY),
        ("¿Qué dije el pasado martes?", TUESDAY),
        ("¿Qué dije el martes de la semana pasada?", TUESDAY_OF_LAST_WEEK),
        ("¿Qué pasó hace tres días?", THREE_DAYS_AGO),
        ("¿Qué compré hace dos semanas?", TWO_WEEKS_AGO),
        ("¿Qué hice anteayer?", TWO_DAYS_AGO),
        ("¿Qué cené anoche?", TUESDAY),
        ("¿Adónde fui el fin de semana pasado?", LAST_WEEKEND),
        ("¿Adónde fuimos el verano pasado?", LAST_SUMMER),
        ("¿Qué leí el mes pasado?", LAST_MONTH),
        ("¿Qué cociné en mayo?", MAY),
        ("¿Quién vino el 3 de febrero?", THIRD_OF_FEBRUARY),
    ],
)
def test_spanish(question: str, period: Period) -> None:
    assert period_in(question, NOW) == period


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("Qu'est-ce que j'ai dit mardi dernier ?", TUESDAY),
        ("Qu'ai-je dit mardi ?", TUESDAY),
        ("Qu'est-ce que j'ai mangé hier ?", TUESDAY),
        ("Qu'ai-je mangé avant-hier ?", TWO_DAYS_AGO),
        ("Où étais-je il y a deux semaines ?", TWO_WEEKS_AGO),
        ("Qu'ai-je fait la semaine dernière ?", LAST_WEEK),
        ("Qu'ai-je fait le week-end dernier ?", LAST_WEEKEND),
        ("Où étions-nous l'été dernier ?", LAST_SUMMER),
        ("Qu'ai-je lu l'année dernière ?", LAST_YEAR),
        ("Qu'ai-je cuisiné en mai ?", MAY),
        ("Où suis-je allé le 3 février ?", THIRD_OF_FEBRUARY),
    ],
)
def test_french(question: str, period: Period) -> None:
    assert period_in(question, NOW) == period


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("지난 화요일에 뭐라고 했지?", TUESDAY),
        ("화요일에 뭐라고 했지?", TUESDAY),
        ("지난주 화요일에 뭐라고 했지?", TUESDAY_OF_LAST_WEEK),
        ("지난주에 어디 갔지?", LAST_WEEK),
        ("두 주 전에 뭐 샀지?", TWO_WEEKS_AGO),
        ("3일 전에 뭐 했지?", THREE_DAYS_AGO),
        ("그저께 뭐 먹었지?", TWO_DAYS_AGO),
        ("지난 주말에 뭐 했지?", LAST_WEEKEND),
        ("작년 여름에 어디 갔지?", LAST_SUMMER),
        ("지난달에 뭐 읽었지?", LAST_MONTH),
        ("오월에 뭘 요리했지?", MAY),
        ("2월 3일에 누가 왔지?", THIRD_OF_FEBRUARY),
    ],
)
def test_korean(question: str, period: Period) -> None:
    assert period_in(question, NOW) == period


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("先週の火曜日に何と言いましたか", TUESDAY_OF_LAST_WEEK),
        ("火曜日に何と言いましたか", TUESDAY),
        ("先週どこへ行きましたか", LAST_WEEK),
        ("二週間前に何を買いましたか", TWO_WEEKS_AGO),
        ("三日前に何をしましたか", THREE_DAYS_AGO),
        ("おととい何を食べましたか", TWO_DAYS_AGO),
        ("先週末に何をしましたか", LAST_WEEKEND),
        ("去年の夏はどこへ行きましたか", LAST_SUMMER),
        ("先月何を読みましたか", LAST_MONTH),
        ("五月に何を料理しましたか", MAY),
        ("2月3日に誰が来ましたか", THIRD_OF_FEBRUARY),
    ],
)
def test_japanese(question: str, period: Period) -> None:
    assert period_in(question, NOW) == period


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("上周二我说了什么", TUESDAY_OF_LAST_WEEK),
        ("周二我说了什么", TUESDAY),
        ("上周我去了哪里", LAST_WEEK),
        ("两周前我买了什么", TWO_WEEKS_AGO),
        ("三天前我做了什么", THREE_DAYS_AGO),
        ("前天我吃了什么", TWO_DAYS_AGO),
        ("上个月我读了什么", LAST_MONTH),
        ("去年夏天我们去了哪里", LAST_SUMMER),
        ("五月我做了什么菜", MAY),
    ],
)
def test_chinese(question: str, period: Period) -> None:
    assert period_in(question, NOW) == period


@pytest.mark.parametrize(
    "question",
    [
        "What do I do on Tuesday?",
        "Was mache ich am Dienstag?",
        "Wohne ich hier?",
        "Qu'est-ce que je fais le mardi ?",
        "화요일에 뭐 해?",
        "When is my birthday?",
        "What should I cook today?",
        "Was habe ich diese Woche vor?",
    ],
)
def test_a_habit_and_the_present_are_no_time_that_was(question: str) -> None:
    assert period_in(question, NOW) is None


@pytest.mark.parametrize("question", ["999 years ago", "999 months ago", "999년 전", "999日前", "1999年前"])
def test_times_long_ago_are_no_error(question: str) -> None:
    period_in(question, NOW)
