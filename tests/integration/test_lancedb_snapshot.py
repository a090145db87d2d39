"""What is held in memory of a table is kept beside it between two runs, for as long as it is what the table holds."""

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from chatmem.adapters.lancedb import library
from chatmem.adapters.lancedb.database import LOCK_WAIT_S, LanceDatabase
from chatmem.adapters.lancedb.english import stemmed
from chatmem.adapters.lancedb.held import WHOLE
from chatmem.adapters.lancedb.memory_store import LanceMemoryStore
from chatmem.adapters.lancedb.snapshot import SINCE, SUFFIX
from chatmem.adapters.lancedb.turn_index import LanceTurnIndex
from chatmem.bench import workload
from chatmem.domain.errors import RefusedError
from chatmem.domain.memory import Kind, Status
from chatmem.domain.turn import Turn
from chatmem.ports.embedder import Vector
from chatmem.ports.memory_store import MemoryFilter
from tests.fakes.builders import a_fact, a_turn

EAST, NORTH, UP = [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]
PORTO = a_fact("The user lives in Porto.")
PEANUTS = a_fact("The user is allergic to peanuts.")
REVIEWS = a_fact("Answer reviews in German.", kind=Kind.PROCEDURE)

ASKED_WITHOUT_LANCEDB = """
import sys
from pathlib import Path
from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.memory_store import LanceMemoryStore
from chatmem.domain.memory import Kind
from chatmem.ports.memory_store import MemoryFilter

folder = Path(sys.argv[1])
store = LanceMemoryStore(LanceDatabase(folder / "lance", folder / "lock", "tiny", 4))
found = [match.id for match in store.by_words("peanuts", limit=3)]
near = [match.id for match in store.by_vector([1.0, 0.0, 0.0, 0.0], limit=1)]
print(*[memory.text for memory in store.get(found)], *[memory.text for memory in store.get(near)], sep="|")
print(*[memory.text for memory in store.select(MemoryFilter(kind=Kind.PROCEDURE), limit=5)])
print(*sorted({"lancedb", "pyarrow"} & sys.modules.keys()))
"""


def database(folder: Path, dimension: int = 4) -> LanceDatabase:
    return LanceDatabase(folder / "lance", folder / "lock", "tiny", dimension)


def kept_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob(f"*{SUFFIX}"))


@pytest.fixture
def store(tmp_path: Path) -> LanceMemoryStore:
    """A store of three memories that was asked and kept."""
    store = LanceMemoryStore(database(tmp_path))
    store.put([PORTO, PEANUTS, REVIEWS], [EAST, NORTH, None])
    store.by_words("wombat", limit=3)
    store.keep()
    return store


@pytest.mark.usefixtures("store")
def test_a_first_question_is_answered_without_loading_lancedb(tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-c", ASKED_WITHOUT_LANCEDB, tmp_path], capture_output=True, text=True, check=True
    )

    assert told.stdout.splitlines() == [f"{PEANUTS.text}|{PORTO.text}", REVIEWS.text, ""]


def kept_since(folder: Path) -> list[Path]:
    return sorted(folder.rglob(f"*{SINCE}"))


REX = a_fact("The user's dog is called Rex.")
ASKED_FOR_REX = ASKED_WITHOUT_LANCEDB.replace("peanuts", "dog").replace("1.0, 0.0", "0.0, 1.0")


@pytest.mark.usefixtures("store")
def test_what_is_written_afterwards_is_added_and_needs_no_lancedb_either(tmp_path: Path) -> None:
    LanceMemoryStore(database(tmp_path)).put([REX], [UP])
    LanceMemoryStore(database(tmp_path)).put([replace(PORTO, text="The user lives in Lyon.")], [EAST])

    told = subprocess.run([sys.executable, "-c", ASKED_FOR_REX, tmp_path], capture_output=True, text=True, check=True)
    found = LanceMemoryStore(database(tmp_path)).by_words("Porto Lyon", limit=3)

    assert told.stdout.splitlines() == [f"{REX.text}|{PEANUTS.text}", REVIEWS.text, ""]
    assert [match.id for match in found] == [PORTO.id]


@pytest.mark.parametrize("lost", [1, 30, 10_000])
@pytest.mark.usefixtures("store")
def test_an_addition_that_is_not_whole_counts_for_nothing(tmp_path: Path, lost: int) -> None:
    LanceMemoryStore(database(tmp_path)).put([REX], [UP])
    (since,) = kept_since(tmp_path)
    since.write_bytes(since.read_bytes()[:-lost])

    LanceMemoryStore(database(tmp_path)).put([replace(REX, text="The dog is called Max.")], [UP])
    store = LanceMemoryStore(database(tmp_path))

    assert [memory.text for memory in store.get([REX.id])] == ["The dog is called Max."]
    assert [match.id for match in store.by_words("Rex", limit=3)] == []


def test_a_snapshot_is_made_anew_where_much_was_added(store: LanceMemoryStore, tmp_path: Path) -> None:
    store.put([a_fact(f"The user owns boat number {number}.") for number in range(50)], [UP] * 50)

    store.keep()

    assert len(kept_in(tmp_path)) == 1
    assert kept_since(tmp_path) == []
    assert len(LanceMemoryStore(database(tmp_path)).by_words("boat", limit=99)) == 50


def test_where_all_is_kept_or_nothing_held_no_lock_is_asked_for(store: LanceMemoryStore, tmp_path: Path) -> None:
    unasked = LanceMemoryStore(database(tmp_path))

    with FileLock(tmp_path / "lock"):
        store.keep()
        unasked.keep()

    assert len(kept_in(tmp_path)) == 1


def test_who_leaves_while_another_window_writes_does_not_wait(tmp_path: Path) -> None:
    store = LanceMemoryStore(database(tmp_path))
    store.put([PORTO], [EAST])
    store.by_words("Porto", limit=3)

    begun = time.monotonic()
    with FileLock(tmp_path / "lock"), pytest.raises(RefusedError):
        store.keep()

    assert time.monotonic() - begun < LOCK_WAIT_S / 2
    assert kept_in(tmp_path) == []


def test_what_is_written_after_it_was_kept_is_found(store: LanceMemoryStore, tmp_path: Path) -> None:
    next_run, another = LanceMemoryStore(database(tmp_path)), a_fact("The user's dog is called Rex.")
    next_run.by_words("Porto", limit=3)
    next_run.put([another], [NORTH])
    store.by_words("Porto", limit=3)

    assert [match.id for match in next_run.by_words("dog", limit=3)] == [another.id]
    assert [match.id for match in LanceMemoryStore(database(tmp_path)).by_words("dog", limit=3)] == [another.id]
    assert next_run.get([another.id]) == [another]


@pytest.mark.parametrize("length", [0, 5, 16, 300])
@pytest.mark.usefixtures("store")
def test_where_it_is_damaged_the_table_is_read(tmp_path: Path, length: int) -> None:
    for file in kept_in(tmp_path):
        file.write_bytes(file.read_bytes()[:length])

    found = LanceMemoryStore(database(tmp_path)).by_words("peanuts", limit=3)

    assert [match.id for match in found] == [PEANUTS.id]


def test_what_is_forgotten_is_gone_from_it_too(store: LanceMemoryStore, tmp_path: Path) -> None:
    store.put([PEANUTS], [NORTH])
    held_elsewhere = LanceMemoryStore(database(tmp_path))
    held_elsewhere.by_words("peanuts", limit=3)

    store.erase([PEANUTS.id])
    store.scrub()
    held_elsewhere.keep()
    left = kept_in(tmp_path) + kept_since(tmp_path)
    store.by_words("Porto", limit=3)
    store.keep()

    assert left == []
    assert all(b"peanut" not in file.read_bytes() for file in kept_in(tmp_path))
    assert store.residue([PEANUTS.text]) == 0


@pytest.mark.usefixtures("store")
def test_it_holds_no_words_of_questions(tmp_path: Path) -> None:
    assert len(kept_in(tmp_path)) == 1
    assert b"wombat" not in kept_in(tmp_path)[0].read_bytes()


@pytest.mark.usefixtures("store")
def test_one_of_another_model_is_none(tmp_path: Path) -> None:
    (kept,) = kept_in(tmp_path)
    kept.write_bytes(kept.read_bytes().replace(b"tiny", b"huge"))

    found = LanceMemoryStore(database(tmp_path)).by_words("peanuts", limit=3)

    assert [match.id for match in found] == [PEANUTS.id]


@pytest.mark.parametrize("count", [50, WHOLE + 50])
def test_all_is_found_as_before(tmp_path: Path, count: int) -> None:
    turns = [a_turn(seq, text) for seq, text in zip(range(1, count), workload.sentences(), strict=False)]
    vectors = np.random.default_rng(0).normal(size=(count, 16)).tolist()
    index = LanceTurnIndex(database(tmp_path, 16))
    index.put(turns, vectors[:-1])
    index.by_words("piano", limit=1)
    index.put(turns[:9], vectors[1:10])
    before = answers(index, turns, vectors[3])
    index.keep()

    assert answers(LanceTurnIndex(database(tmp_path, 16)), turns, vectors[3]) == before


def answers(index: LanceTurnIndex, turns: list[Turn], vector: Vector) -> object:
    return (
        index.by_words("old piano harbour", limit=40),
        index.by_vector(vector, limit=40),
        index.likeness(vector, [turn.id for turn in turns[:20]]),
    )


def test_few_are_listed_as_lancedb_lists_them(tmp_path: Path, store: LanceMemoryStore) -> None:
    on_disk = LanceMemoryStore(LanceDatabase(tmp_path / "lance", tmp_path / "lock", "tiny", 4, held_rows=0))

    for where in (
        MemoryFilter(),
        MemoryFilter(kind=Kind.FACT, status=Status.ACTIVE),
        MemoryFilter(before=PORTO.created_at),
        MemoryFilter(pinned=False, since=PORTO.created_at),
    ):
        assert store.select(where, limit=2) == on_disk.select(where, limit=2)
        assert store.select(where, limit=5, offset=1) == on_disk.select(where, limit=5, offset=1)


def test_english_words_are_stemmed_and_dropped_as_lancedb_does() -> None:
    library.load()
    import lancedb

    words = [word for text, _ in zip(workload.sentences(), range(3_000), strict=False) for word in text.lower().split()]
    words += ["canned", "owning", "skies", "dying", "generously", "the", "couldn", "dogs'", "naïve", "사용", "news"]

    for word in dict.fromkeys(words):
        theirs = lancedb.tokenize(
            word, base_tokenizer="whitespace", lower_case=False, ascii_folding=False, max_token_length=None
        )
        assert [stem for _, stem in stemmed([word])] == [token.text for token in theirs]
