"""The Lance tables on disk: when they are opened, what guards them, and what happens when they are damaged."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.memory_store import COLUMNS, LanceMemoryStore
from chatmem.adapters.lancedb.rows import memory_schema
from chatmem.adapters.lancedb.turn_index import LanceTurnIndex
from chatmem.domain.errors import RefusedError, StoreError
from chatmem.domain.memory import MemoryId
from chatmem.ports.memory_store import MemoryFilter
from tests.fakes.builders import a_fact, a_turn

HOME = a_fact("The user lives in Porto.")
DIET = a_fact("The user is allergic to peanuts.")
EAST = [1.0, 0.0, 0.0, 0.0]


def a_database(folder: Path, model: str = "tiny", dimension: int = 4) -> LanceDatabase:
    return LanceDatabase(folder / "lance", folder / "lance.lock", model, dimension, lock_wait_s=0.1)


def use(store: LanceMemoryStore) -> None:
    store.select(MemoryFilter())
    store.by_words("Porto", limit=3)
    store.by_vector(EAST, limit=3)


@pytest.fixture
def store(tmp_path: Path) -> LanceMemoryStore:
    store = LanceMemoryStore(a_database(tmp_path))
    store.put([HOME, DIET], [EAST, None])
    return store


def test_reading_what_is_not_there_makes_no_folder(tmp_path: Path) -> None:
    use(LanceMemoryStore(a_database(tmp_path / "profile")))

    assert list(tmp_path.iterdir()) == []


def test_lancedb_is_not_imported_before_the_stores_are_used(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from tests.integration.test_lancedb_table import *\n"
        "LanceMemoryStore(a_database(Path(sys.argv[1])))\n"
        "sys.exit(bool({'lancedb', 'pyarrow'} & sys.modules.keys()))"
    )

    subprocess.run([sys.executable, "-c", script, tmp_path], cwd=Path(__file__).parents[2], check=True, timeout=60)


def test_the_columns_are_the_fields_of_a_memory_and_what_is_searched() -> None:
    assert [*COLUMNS, "words", "vector"] == memory_schema(4).names


def test_files_are_the_persons_own(store: LanceMemoryStore, tmp_path: Path) -> None:
    store.put([HOME], [None])
    store.scrub()

    assert tmp_path.joinpath("lance").stat().st_mode & 0o777 == 0o700
    data = [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".json"]
    assert {path.stat().st_mode & 0o777 for path in data} == {0o600}


def test_a_second_store_sees_what_the_first_wrote(store: LanceMemoryStore, tmp_path: Path) -> None:
    other = LanceMemoryStore(a_database(tmp_path))
    before = other.get([HOME.id])
    store.erase([HOME.id])
    store.scrub()

    assert before == [HOME]
    assert other.get([HOME.id, DIET.id]) == [DIET]
    store.clear()
    assert other.select(MemoryFilter()) == []


@pytest.mark.parametrize(
    "write",
    [
        lambda store: store.put([DIET], [None]),
        lambda store: store.erase([HOME.id]),
        lambda store: store.scrub(),
        lambda store: store.clear(),
        lambda store: store.residue(["Porto"]),
    ],
)
def test_a_lock_held_elsewhere_refuses_after_a_while(
    store: LanceMemoryStore, tmp_path: Path, write: Callable[[LanceMemoryStore], object]
) -> None:
    with FileLock(tmp_path / "lance.lock"), pytest.raises(RefusedError, match="Another chatmem window"):
        write(store)

    assert store.get([HOME.id]) == [HOME]


def test_reading_needs_no_lock(store: LanceMemoryStore, tmp_path: Path) -> None:
    with FileLock(tmp_path / "lance.lock"):
        use(store)


def test_many_small_writes_leave_few_files(store: LanceMemoryStore, tmp_path: Path) -> None:
    for number in range(60):
        store.put([a_fact(f"Memory {number} of Lisbon.", id=f"m{number}")], [EAST])

    assert len(store.by_words("Lisbon", limit=100)) == 60
    import lancedb

    assert lancedb.connect(tmp_path / "lance").open_table("memories").stats()["fragment_stats"]["num_fragments"] < 50


@pytest.mark.parametrize(
    ("model", "dimension", "told"), [("other", 4, "with tiny .* now uses other"), ("tiny", 8, r"\(4 dim.* \(8 dim")]
)
def test_vectors_of_two_models_are_never_mixed(
    store: LanceMemoryStore, tmp_path: Path, model: str, dimension: int, told: str
) -> None:
    other = LanceMemoryStore(a_database(tmp_path, model, dimension))

    with pytest.raises(StoreError, match=f"{told}.*chatmem doctor --repair"):
        other.get([HOME.id])
    with pytest.raises(StoreError, match=told):
        other.put([HOME], [[0.5] * dimension])


def test_clearing_makes_room_for_another_model(store: LanceMemoryStore, tmp_path: Path) -> None:
    other = LanceMemoryStore(a_database(tmp_path, "other", 8))
    other.clear()
    other.put([DIET], [[0.5] * 8])

    assert other.by_vector([0.5] * 8, limit=1)[0].id == DIET.id
    assert other.residue([HOME.text]) == 0


def test_a_vector_of_another_length_is_refused(store: LanceMemoryStore) -> None:
    with pytest.raises(StoreError, match="8 dimensions where tiny makes 4"):
        store.put([HOME], [[0.5] * 8])
    with pytest.raises(StoreError, match="8 dimensions where tiny makes 4"):
        store.by_vector([0.5] * 8, limit=1)


def files(folder: Path, pattern: str) -> list[Path]:
    found = [path for path in folder.rglob(pattern) if path.is_file()]
    assert found
    return found


damages = pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: path.write_bytes(b""), id="emptied"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]), id="cut"),
        pytest.param(lambda path: path.write_bytes(bytes(path.stat().st_size)), id="zeroed"),
        pytest.param(lambda path: path.unlink(), id="gone"),
    ],
)


@pytest.mark.parametrize("pattern", ["data/*.lance", "_versions/*.manifest"])
@damages
def test_a_damaged_table_names_the_cure_and_can_be_rebuilt(
    store: LanceMemoryStore, tmp_path: Path, pattern: str, damage: Callable[[Path], object]
) -> None:
    store.scrub()
    for path in files(tmp_path / "lance" / "memories.lance", pattern):
        damage(path)
    fresh = LanceMemoryStore(a_database(tmp_path))

    with pytest.raises(StoreError, match="chatmem doctor --repair"):
        use(fresh)
    fresh.clear()
    fresh.put([DIET], [EAST])
    assert [match.id for match in fresh.by_words("peanuts", limit=3)] == [DIET.id]
    assert fresh.by_vector(EAST, limit=1)[0].id == DIET.id
    assert fresh.residue([HOME.text]) == 0


@damages
def test_a_damaged_index_hides_nothing_from_a_search_in_memory_and_can_be_rebuilt(
    store: LanceMemoryStore, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    store.scrub()
    for path in files(tmp_path / "lance" / "memories.lance", "_indices/*/*.lance"):
        damage(path)
    fresh = LanceMemoryStore(a_database(tmp_path))

    assert [match.id for match in fresh.by_words("Porto", limit=3)] == [HOME.id]
    assert fresh.by_vector(EAST, limit=1)[0].id == HOME.id
    fresh.clear()
    fresh.put([DIET], [EAST])
    assert [match.id for match in fresh.by_words("peanuts", limit=3)] == [DIET.id]


def test_a_table_lost_while_it_is_open_is_told(store: LanceMemoryStore, tmp_path: Path) -> None:
    for path in files(tmp_path, "*.manifest"):
        path.unlink()

    with pytest.raises(StoreError, match="could not be read"):
        store.get([HOME.id])
    with pytest.raises(StoreError, match="could not be written"):
        store.put([HOME], [None])


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    tmp_path.joinpath("lance").write_text("a file where the folder should be")

    with pytest.raises(StoreError, match="could not be written"):
        LanceMemoryStore(a_database(tmp_path)).put([HOME], [None])


def test_tables_of_one_database_do_not_touch_one_another(store: LanceMemoryStore, tmp_path: Path) -> None:
    turns = LanceTurnIndex(a_database(tmp_path))
    turns.put([a_turn(1, "I like Lisbon.")], [EAST])
    turns.clear()

    assert store.get([HOME.id]) == [HOME]
    assert turns.residue(["Porto"]) == 0
    assert store.get([MemoryId("s1t1")]) == []


def test_a_writer_that_was_killed_while_making_the_table_leaves_it_usable(tmp_path: Path) -> None:
    import lancedb

    made = LanceMemoryStore(a_database(tmp_path))
    made.put([HOME], [EAST])
    lancedb.connect(tmp_path / "lance").open_table("memories").drop_index("words_idx")
    tmp_path.joinpath("lance", "turns.lance").mkdir()
    store, turns = LanceMemoryStore(a_database(tmp_path)), LanceTurnIndex(a_database(tmp_path))
    before = store.by_words("Porto", limit=3)
    store.put([DIET], [None])
    turns.put([a_turn(1, "I like Lisbon.")], [EAST])

    assert [match.id for match in before] == [HOME.id]
    assert [match.id for match in store.by_words("Porto", limit=3)] == [HOME.id]
    assert [match.id for match in turns.by_words("Lisbon", limit=3)] == ["s1t1"]


def test_a_window_notices_that_another_emptied_the_table_for_another_model(
    store: LanceMemoryStore, tmp_path: Path
) -> None:
    LanceMemoryStore(a_database(tmp_path, "other", 8)).clear()

    with pytest.raises(StoreError, match="with other"):
        store.put([HOME], [EAST])
