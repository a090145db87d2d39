"""What was merged or split is forgotten with what it was made from, and with what became of it."""

from chatmem.domain.memory import Memory
from tests.ui.memory_services import MemoryServices


def merged(services: MemoryServices) -> tuple[Memory, Memory, Memory]:
    """Two memories, and the one that they became in words of its own."""
    one = services.curator.add("I row.")
    services.clock.advance(60)
    other = services.curator.add("Rita has a boat.")
    services.clock.advance(60)
    return one, other, services.curator.merge([one.id, other.id], "Sundays are for boating.")


def going(services: MemoryServices, memory: Memory) -> set[str]:
    return {one.text for one in services.forgetting.preview([memory.id]).memories}


def test_what_was_merged_goes_with_its_parts() -> None:
    services = MemoryServices()
    _, _, whole = merged(services)

    assert going(services, whole) == {"I row.", "Rita has a boat.", "Sundays are for boating."}


def test_what_was_merged_of_what_was_merged_goes_with_all_of_it() -> None:
    services = MemoryServices()
    _, _, whole = merged(services)
    services.clock.advance(60)
    more = services.curator.add("The boat is blue.")
    services.clock.advance(60)
    all_of_it = services.curator.merge([whole.id, more.id], "We sail.")

    assert len(going(services, all_of_it)) == 5


def test_a_part_goes_with_what_it_was_merged_into() -> None:
    services = MemoryServices()
    one, _, _ = merged(services)

    assert going(services, one) == {"I row.", "Sundays are for boating."}


def test_a_memory_that_was_split_goes_with_a_part() -> None:
    services = MemoryServices()
    whole = services.curator.add("I row and I sing in a choir.")
    services.clock.advance(60)
    rows, sings = services.curator.split(whole.id, ["I row.", "I sing in a choir."])

    assert whole.text in going(services, sings)
    assert going(services, whole) == {whole.text, rows.text, sings.text}
