"""`chatmem bench speed`: how the opening of the memory screen is measured."""

from chatmem.bench.opening import OPENINGS, measure_opening


def test_the_memory_screen_is_opened_once_cold_and_then_again_and_again() -> None:
    first, again = measure_opening(30)

    assert (first.name, len(first.values)) == ("F2 -> first rows of 30 memories, first time", 1)
    assert (again.name, len(again.values)) == ("F2 -> first rows of 30 memories", OPENINGS)
