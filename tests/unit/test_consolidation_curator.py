import pytest

from chatmem.consolidation import Curator
from chatmem.conversation.screening import Screening
from chatmem.domain.change import Cause
from chatmem.domain.errors import NotFoundError, RefusedError, UsageError
from chatmem.domain.forgetting import Tombstone, TombstoneId, text_hash
from chatmem.domain.memory import Extractor, Kind, MemoryId
from tests.fakes.builders import NOON
from tests.fakes.meter import FakeMeter
from tests.fakes.secret_detector import HUSH, FakeSecretDetector
from tests.unit.consolidation_setup import Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def curator(bench: Bench) -> Curator:
    return Curator(bench.writer, Screening(FakeSecretDetector(), FakeMeter()).screened)


def test_what_is_added_by_hand_is_stored_as_the_persons_own(bench: Bench, curator: Curator) -> None:
    memory = curator.add("  I'm allergic to nuts. ", Kind.FACT)

    assert bench.memories() == [memory]
    assert (memory.extractor, memory.slot, memory.quotes) == (Extractor.USER, "allergy", ())
    assert [changes.cause for changes in bench.journal.change_sets()] == [Cause.ADD]


def test_adding_what_is_remembered_gives_back_the_one_that_is_there(bench: Bench, curator: Curator) -> None:
    bench.say("I live in Porto.")
    bench.consolidate()

    memory = curator.add("The user lives in Porto.")

    assert bench.memories() == [memory]
    assert memory.text == "I live in Porto."


def test_an_edited_memory_keeps_its_id_and_its_history(bench: Bench, curator: Curator) -> None:
    before = curator.add("The user lives in Porto.")
    bench.clock.advance(60)

    after = curator.edit(before.id, "The user lives in Braga.")

    assert bench.memories() == [after]
    assert (after.id, after.created_at) == (before.id, before.created_at)
    assert bench.journal.change_sets()[0].changes[0].before == before
    assert bench.store.by_words("Braga", limit=1)[0].id == after.id


def test_editing_without_a_change_records_nothing(bench: Bench, curator: Curator) -> None:
    memory = curator.add("The user lives in Porto.")

    assert curator.edit(memory.id, memory.text) == memory
    assert len(bench.journal.change_sets()) == 1


def test_a_memory_can_be_pinned_and_unpinned(bench: Bench, curator: Curator) -> None:
    memory = curator.add("The user lives in Porto.")

    assert curator.pin(memory.id).pinned
    assert not curator.unpin(memory.id).pinned
    assert bench.memories() == [memory]


@pytest.mark.parametrize("text", ["", " \n\x00", "x" * 2001])
def test_a_text_that_is_empty_or_too_long_is_refused(curator: Curator, text: str) -> None:
    with pytest.raises(UsageError):
        curator.add(text)


def test_an_unknown_id_is_not_found(curator: Curator) -> None:
    with pytest.raises(NotFoundError):
        curator.pin(MemoryId("m404"))


def test_what_was_forgotten_is_neither_added_nor_edited_in(bench: Bench, curator: Curator) -> None:
    other = curator.add("The user rows.")
    gone = "The user lives in Porto."
    hashes = (text_hash(gone, bench.journal.tombstone_key()),)
    bench.journal.bury([Tombstone(id=TombstoneId("t"), made_at=NOON, turn_ids=(), hashes=hashes)])

    with pytest.raises(RefusedError):
        curator.add("the user lives in PORTO")
    with pytest.raises(RefusedError):
        curator.edit(other.id, gone)

    assert bench.memories() == [other]


def test_a_memory_is_kept_without_the_secrets_in_it(bench: Bench, curator: Curator) -> None:
    added = curator.add(f"The staging token is {HUSH}a1b2c3.")
    edited = curator.edit(added.id, f"The new staging token is {HUSH}d4e5f6.")

    assert added.text == "The staging token is [token removed]."
    assert edited.text == "The new staging token is [token removed]."
    assert bench.memories() == [edited]


def test_a_memory_that_is_nothing_but_a_secret_is_refused(bench: Bench, curator: Curator) -> None:
    with pytest.raises(RefusedError, match="never kept"):
        curator.add(HUSH + "a1b2c3")

    assert bench.memories() == []
