from hypothesis import given
from hypothesis import strategies as st

from chatmem.conversation.working_memory import fit
from chatmem.domain.turn import Role
from tests.fakes.builders import a_turn
from tests.fakes.token_counter import WordCounter

sizes = st.lists(st.integers(min_value=1, max_value=60), min_size=1, max_size=30)


@given(sizes=sizes, budget=st.integers(min_value=20, max_value=500))
def test_a_window_never_exceeds_its_budget_and_loses_no_turn(sizes: list[int], budget: int) -> None:
    turns = [
        a_turn(seq, "word " * size, role=Role.USER if seq % 2 else Role.ASSISTANT)
        for seq, size in enumerate(sizes, start=1)
    ]

    window = fit(turns, WordCounter(), budget_tokens=budget)

    assert window.tokens <= budget
    assert [turn.seq for turn in (*window.evicted, *window.kept)] == [turn.seq for turn in turns]
    assert window.kept
