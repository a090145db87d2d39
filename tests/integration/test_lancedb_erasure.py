"""What is erased from the Lance files is gone from them, as an independent decoder sees them."""

import math
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.memory_store import LanceMemoryStore
from chatmem.adapters.lancedb.turn_index import LanceTurnIndex
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.turn import Turn, TurnId
from chatmem.ports.memory_store import MemoryFilter
from tests.fakes.builders import a_fact, a_quote, a_turn

DIMENSION = 16
ROWS = 300
ERASED = range(100, 120)

Files = dict[str, list[dict[str, object]]]


class Stores:
    """A memory store and a turn index in one database."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "lance"
        database = LanceDatabase(self.folder, folder / "lance.lock", "tiny", DIMENSION)
        self.memories = LanceMemoryStore(database)
        self.turns = LanceTurnIndex(database)

    def fill(self, numbers: range) -> None:
        self.memories.put([memory(number) for number in numbers], [vector(number) for number in numbers])
        self.turns.put([turn(number) for number in numbers], [vector(number) for number in numbers])

    def scrub(self) -> None:
        self.memories.scrub()
        self.turns.scrub()


def secret(number: int) -> str:
    """A word that is in one memory and one turn only, and no part of another."""
    return "secret" + "".join("bdfghjklmn"[int(digit)] for digit in f"{number:04}")


def memory_id(number: int) -> MemoryId:
    return MemoryId(f"m{number:08x}feed")


def turn_id(number: int) -> TurnId:
    return TurnId(f"t{number:08x}beef")


def memory(number: int) -> Memory:
    text = f"The user's word number {number} is {secret(number)}."
    return a_fact(text, id=memory_id(number), quotes=(a_quote(f"My {secret(number)}!", turn_id(number)),))


def turn(number: int) -> Turn:
    return a_turn(number + 1, f"My word number {number} is {secret(number)}!", id=turn_id(number))


def vector(number: int) -> list[float]:
    random = Random(number)
    values = [random.gauss(0, 1) for _ in range(DIMENSION)]
    return [value / math.hypot(*values) for value in values]


def decoded(folder: Path) -> Files:
    """Every row of every Lance file below a folder, by the file's name and folder."""
    reader = pytest.importorskip("lance.file", reason="pylance, of the test extra, decodes Lance files").LanceFileReader
    return {
        f"{path.parent.name}/{path.name}": reader(str(path)).read_all().to_table().to_pylist()
        for path in folder.rglob("*.lance")
        if path.is_file()
    }


def names(folder: Path) -> set[str]:
    """The files below a folder but LanceDB's hint, which holds a number and keeps its name."""
    return {str(path) for path in folder.rglob("*") if path.is_file() and path.suffix != ".json"}


@pytest.fixture
def stores(tmp_path: Path) -> Stores:
    """A few hundred rows, written in large and small pieces and partly replaced, so that files pile up."""
    stores = Stores(tmp_path)
    stores.fill(range(200))
    for start in range(200, ROWS, 20):
        stores.fill(range(start, start + 20))
    stores.fill(range(90, 110))
    return stores


def erase(stores: Stores) -> None:
    stores.memories.erase([memory_id(number) for number in ERASED])
    stores.turns.erase([turn_id(number) for number in ERASED])


def test_no_file_holds_a_word_of_what_was_erased(stores: Stores) -> None:
    erase(stores)
    stores.scrub()

    left = str(decoded(stores.folder)).lower()
    assert [number for number in range(ROWS) if secret(number) not in left] == list(ERASED)
    assert [number for number in range(ROWS) if memory_id(number) not in left] == list(ERASED)
    assert [number for number in range(ROWS) if turn_id(number) not in left] == list(ERASED)


def test_the_decoder_does_see_what_was_only_deleted(stores: Stores) -> None:
    erase(stores)

    left = str(decoded(stores.folder)).lower()
    assert all(secret(number) in left for number in range(ROWS))


def test_the_word_index_after_a_scrub_is_as_if_the_erased_had_never_been(stores: Stores, tmp_path: Path) -> None:
    untouched = Stores(tmp_path / "other")
    untouched.fill(range(ERASED.start))
    untouched.fill(range(ERASED.stop, ROWS))
    erase(stores)
    stores.scrub()
    untouched.scrub()

    def index(of: Stores) -> list[tuple[object, object]]:
        tokens = [rows[0] for name, rows in decoded(of.folder).items() if name.endswith("tokens.lance")]
        return sorted((row["_token_next_id"], row["_token_total_length"]) for row in tokens)

    assert len(index(stores)) == 2
    assert index(stores) == index(untouched)


def test_no_file_is_older_than_the_scrub(stores: Stores) -> None:
    erase(stores)
    before = names(stores.folder)
    stores.scrub()

    assert before & names(stores.folder) == set()
    assert len(list(stores.folder.rglob("*.manifest"))) == 2
    assert list(stores.folder.rglob("_deletions/*")) == []


def test_no_file_holds_the_ids_of_the_erased_in_its_plain_bytes(stores: Stores) -> None:
    erase(stores)
    before = b"".join(path.read_bytes() for path in stores.folder.rglob("*") if path.is_file())
    stores.scrub()
    after = b"".join(path.read_bytes() for path in stores.folder.rglob("*") if path.is_file())

    assert memory_id(100).encode() in before
    assert not [number for number in ERASED if memory_id(number).encode() in after or turn_id(number).encode() in after]


@pytest.mark.parametrize("name", ["f" * 50 + ".lance", "f" * 50 + ".lance#1"])
def test_a_file_that_a_killed_writer_left_goes_with_the_scrub(stores: Stores, name: str) -> None:
    data = stores.folder / "memories.lance" / "data"
    orphan = data / name
    orphan.write_bytes(next(data.iterdir()).read_bytes())
    stores.memories.erase([memory_id(number) for number in range(ROWS)])
    stores.memories.scrub()

    assert not orphan.exists()
    assert stores.memories.residue([secret(number) for number in range(ROWS)]) == 0


def test_residue_tells_what_a_scrub_left(stores: Stores) -> None:
    words = [secret(number) for number in ERASED]
    erase(stores)
    before = stores.memories.residue(words), stores.turns.residue(words)
    stores.scrub()

    assert min(before) >= len(ERASED)
    assert (stores.memories.residue(words), stores.turns.residue(words)) == (0, 0)


def test_what_was_not_erased_is_found_as_before(stores: Stores) -> None:
    kept = [number for number in range(ROWS) if number not in ERASED]
    similar = stores.memories.by_vector(vector(7), limit=ROWS)
    memories = [one for one in stores.memories.select(MemoryFilter()) if one.id not in map(memory_id, ERASED)]
    erase(stores)
    stores.scrub()

    gone = {memory_id(number) for number in ERASED}
    assert stores.memories.select(MemoryFilter()) == memories
    assert stores.memories.by_vector(vector(7), limit=ROWS) == [match for match in similar if match.id not in gone]
    for number in kept[::20]:
        assert [match.id for match in stores.memories.by_words(secret(number), limit=3)] == [memory_id(number)]
        assert [match.id for match in stores.turns.by_words(secret(number), limit=3)] == [turn_id(number)]
        assert stores.turns.by_vector(vector(number), limit=1)[0].id == turn_id(number)


READER = """
import sys, threading
from pathlib import Path
from tests.integration.test_lancedb_erasure import Stores, memory_id, secret, vector

stores = Stores(Path(sys.argv[1]))
done = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), done.set()), daemon=True).start()
rounds = 0
while not done.is_set():
    assert [match.id for match in stores.memories.by_words(secret(7), limit=3)] == [memory_id(7)]
    assert stores.memories.by_vector(vector(7), limit=1)[0].id == memory_id(7)
    assert stores.turns.by_words("word", limit=10)
    assert len(stores.memories.get([memory_id(number) for number in range(50)])) == 50
    rounds += 1
    print(rounds, flush=True)
"""

WRITER = """
import sys
from pathlib import Path
from tests.integration.test_lancedb_erasure import Stores

stores = Stores(Path(sys.argv[1]))
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    stores.fill(range(number, number + 1))
    print(number, flush=True)
"""


@contextmanager
def running(script: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-W", "error", "-c", script, *map(str, arguments)]
    pipe = subprocess.PIPE
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, cwd=root, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def lines(process: subprocess.Popen[str], count: int) -> list[str]:
    assert process.stdout
    return [process.stdout.readline().strip() for _ in range(count)]


def test_a_reader_in_another_process_lives_through_erasing(stores: Stores, tmp_path: Path) -> None:
    with running(READER, tmp_path) as reader:
        lines(reader, 1)
        for number in range(100, 106):
            stores.memories.erase([memory_id(number)])
            stores.turns.erase([turn_id(number)])
            stores.scrub()
        output, errors = reader.communicate("", timeout=60)

    assert errors == ""
    assert reader.returncode == 0
    assert int(output.split()[-1]) > 2


@pytest.mark.parametrize("acknowledged", [1, 7])
def test_a_killed_writer_loses_nothing_it_acknowledged(tmp_path: Path, acknowledged: int) -> None:
    with running(WRITER, tmp_path, 0, 10_000) as writer:
        seen = lines(writer, acknowledged)
        writer.send_signal(signal.SIGKILL)
        rest, _ = writer.communicate(timeout=60)
    wanted = {memory_id(int(number)) for number in [*seen, *rest.split()]}

    stores = Stores(tmp_path)
    assert wanted <= {one.id for one in stores.memories.select(MemoryFilter())}
    stores.fill(range(20_000, 20_001))
    stores.scrub()
    assert [match.id for match in stores.turns.by_words(secret(20_000), limit=3)] == [turn_id(20_000)]
    assert stores.memories.residue([]) == 0


def test_a_process_that_used_the_stores_ends_by_itself_and_says_nothing(tmp_path: Path) -> None:
    with running(WRITER, tmp_path, 0, 3) as writer:
        output, errors = writer.communicate(timeout=60)

    assert (output.split(), errors, writer.returncode) == (["0", "1", "2"], "", 0)


def test_writers_in_two_processes_lose_nothing(tmp_path: Path) -> None:
    with running(WRITER, tmp_path, 0, 6) as one, running(WRITER, tmp_path, 50, 56) as other:
        outcomes = [process.communicate(timeout=120)[1] for process in (one, other)]

    assert outcomes == ["", ""]
    assert len(Stores(tmp_path).memories.select(MemoryFilter())) == 12
