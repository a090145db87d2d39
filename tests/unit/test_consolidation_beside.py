from datetime import timedelta

from chatmem.consolidation.beside import FEW, Beside
from chatmem.consolidation.reconcile import Neighbour
from chatmem.domain.memory import Memory, MemoryId
from tests.fakes.builders import NOON, a_fact


def filled(number: int) -> Beside:
    beside = Beside()
    for place in range(number):
        beside.put(about(place), None)
    return beside


def about(place: int, text: str = "", slot: str | None = None) -> Memory:
    said_at = NOON + timedelta(seconds=place)
    return a_fact(text or f"I like word{place} a lot.", id=f"m{place}", slot=slot, valid_from=said_at)


def near(beside: Beside, memory: Memory) -> set[MemoryId]:
    return set(beside.near(memory, None, {}))


def test_a_memory_is_compared_with_all_of_a_few() -> None:
    beside = filled(FEW)

    assert len(near(beside, about(1000))) == FEW


def test_of_many_those_are_near_that_share_a_rare_word_or_the_slot_or_were_told_last() -> None:
    beside = filled(5 * FEW)
    beside.put(about(1001, "I live in Porto.", slot="home"), None)
    for place in range(2000, 2000 + FEW):
        beside.put(about(place), None)

    found = near(beside, about(9000, "Since June word7 has been my flat in Braga.", slot="home"))

    assert {"m7", "m1001", f"m{2000 + FEW - 1}"} <= found
    assert len(found) <= 2 * FEW


def test_a_memory_of_the_store_that_the_plan_has_changed_is_near_as_it_will_be() -> None:
    beside = Beside()
    stored = {MemoryId("m1"): Neighbour(memory=about(1), similarity=0.9)}
    changed = about(1, "I like word1 no more.")
    beside.put(changed, None)

    (found,) = beside.near(about(2), None, stored).values()

    assert (found.memory, found.similarity) == (changed, 0.9)
