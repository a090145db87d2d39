"""Whatever is answered again, edited and gone back to: the current branch is one path, and fake and SQLite agree."""

from dataclasses import dataclass, replace

from hypothesis import example, given
from hypothesis import strategies as st

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.domain.turn import SessionId, Turn, TurnId
from chatmem.ports.session_log import SessionLog
from tests.fakes.builders import a_session, a_turn
from tests.fakes.clock import FakeClock
from tests.fakes.session_log import FakeSessionLog

S1 = SessionId("s1")


@dataclass(frozen=True)
class Deed:
    """Something done to a log; `where` picks a turn of those there are."""

    what: str
    where: int


deeds = st.builds(
    Deed, what=st.sampled_from(["append", "append", "beside", "follow", "summarise"]), where=st.integers(0, 99)
)


def do(log: SessionLog, deed: Deed, number: int) -> None:
    there = log.turns(S1, every_branch=True)
    turn = a_turn(number)
    match deed.what if there else "append":
        case "append":
            log.append(turn)
        case "beside":
            log.append_beside(turn, there[deed.where % len(there)].id)
        case "follow":
            log.follow(there[deed.where % len(there)].id)
        case "summarise":
            current = log.turns(S1)
            log.save_summary(S1, "Summary.", current[deed.where % len(current)].seq)


def is_path(turns: list[Turn]) -> bool:
    return [turn.parent_id for turn in turns] == [None, *(turn.id for turn in turns)][: len(turns)]


def state(log: SessionLog) -> tuple[object, ...]:
    return (log.turns(S1), log.turns(S1, every_branch=True), dict(log.alternatives(S1)), log.session(S1))


@given(st.lists(deeds, min_size=1, max_size=25))
def test_a_tree_keeps_its_form(todo: list[Deed]) -> None:
    fake = FakeSessionLog(FakeClock())
    with Database(None) as database:
        real = SqliteSessionLog(database, FakeClock())
        for log in (fake, real):
            log.open_session(a_session())
        for number, deed in enumerate(todo, 1):
            do(fake, deed, number)
            do(real, deed, number)

            assert state(real) == state(fake)
        current, everything = real.turns(S1), real.turns(S1, every_branch=True)
        alternatives = real.alternatives(S1)

    assert is_path(current)
    assert current[-1].id not in {turn.parent_id for turn in everything}
    assert [turn.seq for turn in everything] == list(range(1, len(everything) + 1))
    for turn in current:
        beside = tuple(other.id for other in everything if other.parent_id == turn.parent_id)
        assert alternatives.get(turn.id, (turn.id,)) == beside


@given(st.lists(deeds, min_size=1, max_size=25))
def test_a_summary_covers_only_turns_that_are_current(todo: list[Deed]) -> None:
    log = FakeSessionLog(FakeClock())
    log.open_session(a_session())
    covered: list[TurnId] = []
    for number, deed in enumerate(todo, 1):
        do(log, deed, number)
        session = log.session(S1)
        upto = [turn.id for turn in log.turns(S1, last=session.summarised_to)]
        covered = upto if deed.what == "summarise" or not session.summary else covered

        assert upto == covered


@example("ßa", "sa")
@given(st.text(alphabet="aAäÄßsS%_\\éÉиИ語 ", max_size=6), st.text(alphabet="aAäÄßsS%_\\éÉиИ語 ", max_size=3))
def test_both_logs_find_the_same_words(said: str, wanted: str) -> None:
    fake = FakeSessionLog(FakeClock())
    with Database(None) as database:
        real = SqliteSessionLog(database, FakeClock())
        for log in (fake, real):
            log.open_session(a_session())
            log.append(replace(a_turn(1), text=said))

        assert real.search(wanted) == fake.search(wanted) == real.search(wanted, session_id=S1)
