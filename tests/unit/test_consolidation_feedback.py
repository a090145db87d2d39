"""What the person thinks of answers counts for the instructions that those were given under."""

import pytest

from chatmem.consolidation.consolidator import Consolidator
from chatmem.consolidation.feedback import AnswerFeedback, rate
from chatmem.consolidation.news import InstructionReplaced
from chatmem.consolidation.undoing import Undo
from chatmem.domain.change import Cause
from chatmem.domain.errors import NotFoundError, UsageError
from chatmem.domain.memory import Kind, Memory, MemoryId, Practice, Relation, Status
from chatmem.domain.recall import Opinion, Recalled, Source
from chatmem.domain.turn import Role, SessionId, Turn, TurnId
from tests.fakes.builders import NOON, a_fact, a_session, a_turn
from tests.fakes.feedback import FakeFeedback
from tests.unit.consolidation_setup import Bench

REVIEWS = "in code reviews"


def instruction(name: str, trigger: str = REVIEWS, successes: int = 0, failures: int = 0, **changes: object) -> Memory:
    practice = Practice(trigger=trigger, successes=successes, failures=failures)
    return a_fact(f"{name} {trigger}", id=MemoryId(name), kind=Kind.PROCEDURE, practice=practice, **changes)


BRIEF = instruction("brief")
FRENCH = instruction("french", trigger="")
HOME = a_fact()


class Talk(Bench):
    """A consolidator that hears what is said of answers."""

    def __init__(self, *memories: Memory) -> None:
        super().__init__()
        self.opinions = FakeFeedback(self.log)
        self.feedback = AnswerFeedback(self.log, self.opinions, self.writer)
        self.consolidator = Consolidator(log=self.log, queue=self.queue, writer=self.writer, feedback=self.feedback)
        self.log.open_session(a_session())
        self.store.put(memories, [None] * len(memories))

    def answered(self, *injected: Memory, then: str = "") -> Turn:
        """Have a question answered with these memories in the prompt, and perhaps something said to the answer."""
        question = self._said("Is this fine?")
        items = [
            Recalled(id=one.id, source=Source(one.kind), text=one.text, score=0.0, said_at=NOON, injected=True)
            for one in injected
        ]
        self.log.save_recalled(question.id, items, ms=1.0)
        answer = self._said("It is.", Role.ASSISTANT)
        if then:
            self._said(then)
        return answer

    def now(self, memory: Memory) -> Memory:
        return self.store.get([memory.id])[0]

    def record(self, memory: Memory) -> tuple[int, int]:
        practice = self.now(memory).practice or Practice()
        return practice.successes, practice.failures

    def _said(self, text: str, role: Role = Role.USER) -> Turn:
        seq = len(self.log.turns(SessionId("s1"))) + 1
        return self.log.append(a_turn(seq, text, role=role))


def test_a_mark_counts_for_the_instructions_in_the_prompt_and_for_no_others() -> None:
    talk = Talk(BRIEF, FRENCH, HOME)
    answer = talk.answered(BRIEF, HOME)

    judged = talk.feedback.mark(answer.id, liked=True)

    assert [one.id for one in judged.instructions] == [BRIEF.id]
    assert (talk.record(BRIEF), talk.record(FRENCH)) == ((1, 0), (0, 0))
    assert talk.now(HOME) == HOME


def test_the_words_of_the_next_turn_count_once_however_often_they_are_heard() -> None:
    talk = Talk(BRIEF)
    talk.answered(BRIEF, then="Too long. Once more, please.")

    talk.consolidate()
    list(talk.feedback.hear(talk.log.turns(SessionId("s1"))))

    assert talk.record(BRIEF) == (0, 1)


def test_words_that_were_counted_when_chatmem_ended_are_not_counted_again() -> None:
    talk = Talk(BRIEF)
    answer = talk.answered(BRIEF, then="Perfect, like this.")
    talk.consolidate()
    del talk.opinions._opinions[answer.id]  # it ended before this was kept

    list(talk.feedback.hear(talk.log.turns(SessionId("s1"))))

    assert talk.record(BRIEF) == (1, 0)
    assert talk.opinions.opinion(answer.id) == Opinion(liked=True, marked=False)


def test_a_mark_stands_in_place_of_words_and_of_an_earlier_mark() -> None:
    talk = Talk(BRIEF)
    answer = talk.answered(BRIEF, then="too long")
    talk.consolidate()

    talk.feedback.mark(answer.id, liked=True)
    marked = talk.record(BRIEF)
    talk.feedback.mark(answer.id, liked=True)
    again = talk.record(BRIEF)
    talk.feedback.mark(answer.id, liked=False)
    list(talk.feedback.hear([a_turn(3, "perfect", parent_id=answer.id)]))

    assert (marked, again, talk.record(BRIEF)) == ((1, 0), (1, 0), (0, 1))


def test_what_was_counted_is_a_change_that_can_be_taken_back() -> None:
    talk = Talk(BRIEF)
    talk.feedback.mark(talk.answered(BRIEF).id, liked=True)
    (made,) = talk.journal.change_sets()

    Undo(talk.writer).run(made.id)

    assert made.cause is Cause.FEEDBACK
    assert talk.now(BRIEF) == BRIEF


def test_of_two_instructions_for_one_thing_the_one_that_did_worse_is_retired_and_told() -> None:
    bullets, prose = instruction("bullets", successes=2), instruction("prose", failures=1)
    talk = Talk(bullets, prose)
    talk.answered(prose, then="Not what I wanted.")

    talk.consolidate()

    assert talk.now(prose).status is Status.RETIRED
    assert [(link.to, link.relation, link.reason) for link in talk.now(bullets).links] == [
        (prose.id, Relation.REPLACES, "It did better: 2 of 2 answers liked, against 0 of 2 answers liked.")
    ]
    assert [one for one in talk.told if isinstance(one, InstructionReplaced)] == [
        InstructionReplaced(kept=bullets.text, retired=prose.text)
    ]


def test_a_retirement_by_feedback_is_taken_back_whole() -> None:
    bullets, prose = instruction("bullets", successes=2), instruction("prose", failures=1)
    talk = Talk(bullets, prose)
    judged = talk.feedback.mark(talk.answered(prose).id, liked=False)

    Undo(talk.writer).run(talk.journal.change_sets()[0].id)

    assert [(one.kept.id, one.retired.id) for one in judged.replaced] == [(bullets.id, prose.id)]
    assert (talk.now(bullets), talk.now(prose)) == (bullets, prose)


@pytest.mark.parametrize(
    "other",
    [
        instruction("other", trigger="in emails", failures=5),
        instruction("other", trigger="", failures=5),
        instruction("other"),
        instruction("other", successes=2, failures=1),
        instruction("other", failures=5, pinned=True),
    ],
    ids=["for another thing", "for all things", "failed but once", "served as often", "pinned"],
)
def test_no_other_instruction_is_retired(other: Memory) -> None:
    good = instruction("good", successes=9)
    talk = Talk(good, other)

    talk.feedback.mark(talk.answered(other).id, liked=False)

    assert (talk.now(good).status, talk.now(other).status) == (Status.ACTIVE, Status.ACTIVE)


def test_where_none_does_better_both_stay() -> None:
    one, other = instruction("one", failures=1), instruction("other", failures=1)
    talk = Talk(one, other)

    talk.feedback.mark(talk.answered(one, other).id, liked=False)

    assert (talk.now(one).status, talk.now(other).status) == (Status.ACTIVE, Status.ACTIVE)


def test_an_instruction_of_which_nothing_is_known_does_middling() -> None:
    assert rate(BRIEF) == pytest.approx(0.5)
    assert rate(instruction("good", successes=3)) == pytest.approx(0.8)


def test_an_answer_without_instructions_changes_nothing() -> None:
    talk = Talk(HOME)

    judged = talk.feedback.mark(talk.answered(HOME).id, liked=False)

    assert judged.instructions == ()
    assert talk.journal.change_sets() == []


def test_only_answers_are_judged() -> None:
    talk = Talk()
    question = talk.log.append(a_turn(1))

    with pytest.raises(UsageError, match="Only an answer"):
        talk.feedback.mark(question.id, liked=True)
    with pytest.raises(NotFoundError):
        talk.feedback.mark(TurnId("gone"), liked=True)


def test_words_after_an_answer_that_is_gone_are_passed_over() -> None:
    talk = Talk()

    assert list(talk.feedback.hear([a_turn(3, "perfect", parent_id=TurnId("gone")), a_turn(1, "perfect")])) == []
