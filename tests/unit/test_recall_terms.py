from datetime import timedelta

import pytest

from chatmem.domain.recall import Match, Said
from chatmem.domain.turn import Role, SessionId, TurnId
from chatmem.recall.answers import Wanted, gives, wanted_by
from chatmem.recall.contiguity import asks, neighbours, session_best
from chatmem.recall.fusion import weighed
from chatmem.recall.question import read_question
from chatmem.recall.turns import RankedTurn, ranked
from tests.fakes.builders import NOON


def said(seq: int, text: str, *, speaker: str | None = None, session: str = "s1", role: Role = Role.USER) -> Said:
    return Said(
        turn_id=TurnId(f"{session}t{seq}"),
        session_id=SessionId(session),
        seq=seq,
        role=role,
        speaker=speaker,
        text=text,
        said_at=NOON,
    )


def rank(question: str, *turns: Said, words: dict[str, float] | None = None) -> list[RankedTurn]:
    matches = [Match(id=id_, value=value) for id_, value in (words or {}).items()]
    sides = weighed([turn.turn_id for turn in turns], matches, [])
    return ranked(read_question(question, NOON), turns, sides, NOON + timedelta(days=400))


def part(turn: RankedTurn, name: str) -> float:
    return dict(turn.parts).get(name, 0.0)


def test_the_answer_to_a_question_that_hits_is_lifted_more_than_other_neighbours() -> None:
    scores = [2.0, 0.0, 0.0]
    turns = [said(seq, "x") for seq in (1, 2, 3)]

    after_question = neighbours(scores, turns, [True, False, False])
    after_statement = neighbours(scores, turns, [False, False, False])

    assert after_question[1] > after_statement[1] > after_statement[2] > 0


def test_a_hit_of_another_session_lifts_no_neighbour() -> None:
    lifts = neighbours([2.0, 0.0], [said(1, "x"), said(2, "y", session="s2")], [False, False])

    assert lifts[1] == 0.0


def test_a_session_lifts_its_turns_by_its_best() -> None:
    lifts = session_best([3.0, 1.0, 0.0], [said(1, "x"), said(2, "y"), said(1, "z", session="s2")])

    assert lifts == pytest.approx([1.0, 1.0, 0.0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Really?", True), ("Look! Nice? [shares a photo: a dog]", True), ("本当？", True), ("Why? Because.", False)],  # noqa: RUF001 as it is written
)
def test_a_turn_asks_if_it_ends_with_a_question(text: str, expected: bool) -> None:
    assert asks(text) is expected


def test_the_words_of_the_person_whom_the_question_names_come_first() -> None:
    found = rank("What does Mel paint?", said(1, "I paint.", speaker="Ana"), said(2, "I paint.", speaker="Melanie"))

    assert found[0].said.speaker == "Melanie"
    assert part(found[0], "speaker") > 0


def test_no_words_come_first_where_the_question_names_both() -> None:
    found = rank("What do Ana and Mel paint?", said(1, "I paint.", speaker="Ana"), said(2, "x", speaker="Mel"))

    assert [part(turn, "speaker") for turn in found] == [0.0, 0.0]


def test_a_question_about_oneself_prefers_what_the_user_said() -> None:
    found = rank("where do I live?", said(1, "In Porto.", role=Role.ASSISTANT), said(2, "In Porto."))

    assert found[0].said.role is Role.USER


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("When did it rain?", Wanted.TIME),
        ("How many dogs?", Wanted.NUMBER),
        ("Who came?", Wanted.NAME),
        ("Wann kommt er?", Wanted.TIME),
        ("¿Cuántos perros?", Wanted.NUMBER),
        ("Qui vient ?", Wanted.NAME),
        ("언제 와?", Wanted.TIME),
        ("誰が来た", Wanted.NAME),
    ],
)
def test_a_question_tells_what_kind_of_answer_it_wants(question: str, wanted: Wanted) -> None:
    assert wanted in wanted_by(question.casefold())


def test_a_statement_gives_a_name_unless_it_only_addresses_the_other() -> None:
    assert gives("I met Ruairi there", Wanted.NAME, ["Ana"])
    assert not gives("thanks, Ana", Wanted.NAME, ["Ana"])
    assert not gives("I think I'm late", Wanted.NAME, ["Ana"])


def test_an_answer_to_when_names_a_time() -> None:
    found = rank("when did she paint?", said(1, "She painted it."), said(2, "She painted yesterday"))

    assert found[0].said.seq == 2


def test_the_parts_add_up_and_tell_of_each_term() -> None:
    found = rank("What did Ana say in March?", said(1, "Nothing.", speaker="Ana"), words={"s1t1": 2.0})

    assert found[0].score == pytest.approx(sum(value for _, value in found[0].parts))
    assert {name for name, _ in found[0].parts} >= {"words", "meaning", "neighbours", "session", "substance", "date"}
