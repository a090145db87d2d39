"""Which turns of a session are on the screen."""

from chatmem.domain.turn import Turn, TurnId
from chatmem.ui.widgets.excerpt import LEAD, TAIL, Excerpt
from tests.fakes.builders import a_turn


def turns(count: int) -> list[Turn]:
    return [a_turn(seq, id=TurnId(f"t{seq}")) for seq in range(1, count + 1)]


def shown(excerpt: Excerpt) -> tuple[int, int]:
    return excerpt.turns[0].seq, excerpt.turns[-1].seq


def test_the_newest_turns_are_shown_first() -> None:
    excerpt = Excerpt(turns(80))

    assert (shown(excerpt), excerpt.earlier, excerpt.later) == ((51, 80), 50, 0)


def test_a_turn_far_up_is_shown_with_those_around_it() -> None:
    excerpt = Excerpt(turns(200), TurnId("t100"))

    assert (shown(excerpt), excerpt.earlier, excerpt.later) == ((100 - LEAD, 99 - LEAD + TAIL), 93, 77)


def test_a_turn_among_the_newest_or_unknown_changes_nothing() -> None:
    assert shown(Excerpt(turns(80), TurnId("t79"))) == shown(Excerpt(turns(80), TurnId("x"))) == (51, 80)


def test_it_grows_at_both_ends_up_to_the_whole_session() -> None:
    excerpt = Excerpt(turns(50), TurnId("t2"))

    assert [turn.seq for turn in excerpt.extend_on()] == list(range(31, 51))
    assert excerpt.extend_back() == []
    assert (shown(excerpt), excerpt.earlier, excerpt.later) == ((1, 50), 0, 0)


def test_leaving_out_a_turn_leaves_out_all_after_it() -> None:
    excerpt = Excerpt(turns(80))
    excerpt.drop_from(TurnId("t60"))
    excerpt.append(a_turn(61, id=TurnId("new")))

    assert [turn.seq for turn in excerpt.turns] == [*range(51, 60), 61]
    assert TurnId("t60") not in excerpt
    assert TurnId("t1") in excerpt


def test_leaving_out_a_turn_before_those_shown_leaves_none() -> None:
    excerpt = Excerpt(turns(80))
    excerpt.drop_from(TurnId("t3"))

    assert (excerpt.turns, excerpt.earlier, excerpt.later) == ([], 2, 0)


def test_a_turn_is_taken_as_it_is_now() -> None:
    excerpt = Excerpt(turns(2))
    excerpt.replace(a_turn(2, "other", id=TurnId("t2")))

    assert [turn.text for turn in excerpt.turns][1] == "other"
