"""What the transcript says around the words of a turn."""

import pytest

from chatmem.conversation import Retrying
from chatmem.domain.model import Usage
from chatmem.domain.turn import Role, Turn, TurnStatus
from chatmem.ui.widgets.turn_words import Place, asking_again, beginning, can_go_on, consumed, mark, reply_header
from chatmem.ui.wording import money
from tests.fakes.builders import a_turn

USAGES = {
    "tokens and cost": (
        Usage(prompt_tokens=1240, completion_tokens=310, cost_usd=0.0042),
        "1,240 + 310 tokens · $0.0042",
    ),
    "no price": (Usage(prompt_tokens=7, completion_tokens=1), "7 + 1 tokens"),
    "free": (Usage(prompt_tokens=7, completion_tokens=1, cost_usd=0.0), "7 + 1 tokens"),
    "nothing known": (Usage(), ""),
}

ENDS = {
    "whole": ({"finish_reason": "stop"}, "", False),
    "cut by its length": ({"finish_reason": "length"}, "Cut off: the answer reached the limit of its length.", True),
    "filtered": ({"finish_reason": "content_filter"}, "Ended by the provider's content filter.", False),
    "stopped": ({"status": TurnStatus.STOPPED}, "Stopped by you. What had arrived is kept.", True),
    "failed": ({"status": TurnStatus.FAILED, "error": "No."}, "Failed: No. What had arrived is kept.", True),
    "failed at once": ({"status": TurnStatus.FAILED, "text": ""}, "Failed: the provider gave no reason.", False),
    "interrupted": (
        {"status": TurnStatus.INTERRUPTED},
        "Interrupted: chatmem ended while this answer was arriving. What had arrived is kept.",
        True,
    ),
}


def a_reply(**changes: object) -> Turn:
    return a_turn(2, **({"text": "Well", "role": Role.ASSISTANT, "model": "fake"} | changes))  # type: ignore[arg-type]  # a builder takes any field


@pytest.mark.parametrize(("usage", "told"), USAGES.values(), ids=USAGES.keys())
def test_what_a_reply_took_is_told_as_far_as_it_is_known(usage: Usage, told: str) -> None:
    assert consumed(usage) == told


@pytest.mark.parametrize(("changes", "told", "more"), ENDS.values(), ids=ENDS.keys())
def test_a_reply_says_how_it_ended_and_whether_it_can_go_on(changes: dict[str, object], told: str, more: bool) -> None:
    turn = a_reply(**changes)

    assert mark(turn).startswith(told)
    assert ("n continues it" in mark(turn)) is can_go_on(turn) is more


def test_a_header_names_the_model_the_alternative_and_what_was_recalled() -> None:
    header = str(reply_header(a_reply(), Place(2, 3), 1, None))

    assert header.startswith("fake · ")
    assert header.endswith(" · ‹ 2/3 › · 1 memory recalled")  # noqa: RUF001 the marks point to both sides


def test_a_tool_and_an_answer_of_an_unknown_model_are_named_too() -> None:
    assert str(reply_header(a_reply(role=Role.TOOL), Place(), 0, None)).startswith("Tool · ")
    assert str(reply_header(a_reply(model=None), Place(), 0, None)).startswith("Assistant · ")


def test_a_retry_that_is_due_says_that_it_is_tried() -> None:
    event = Retrying(error="It is busy.", wait_s=2, attempt=2, attempts=3)

    assert asking_again(event, 2) == "It is busy… asking again in 2 s (2 of 3) · Esc stops"
    assert asking_again(event, 0) == "It is busy… asking again (2 of 3) · Esc stops"


def test_only_the_beginning_of_a_huge_turn_is_drawn() -> None:
    assert beginning("short") == "short"
    assert beginning("line\n" * 100).endswith("and 201 B more")
    assert len(beginning("x" * 1_000_000)) < 5_000


@pytest.mark.parametrize(
    ("usd", "told"), [(1234.5, "$1,234.50"), (0.31, "$0.31"), (0.0042, "$0.0042"), (0.00001, "under $0.0001")]
)
def test_money_keeps_what_counts(usd: float, told: str) -> None:
    assert money(usd) == told
