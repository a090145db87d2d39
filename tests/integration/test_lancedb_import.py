"""The first use of LanceDB, by several threads at once, in a fresh interpreter."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys, threading
from pathlib import Path
from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.memory_store import LanceMemoryStore
from chatmem.adapters.lancedb.turn_index import LanceTurnIndex
from chatmem.ports.memory_store import MemoryFilter

folder = Path(sys.argv[1])
database = LanceDatabase(folder / "m.lance", folder / "m.lock", "fake", 4)
memories, turns = LanceMemoryStore(database), LanceTurnIndex(database)
start = threading.Barrier(4)

def run(use):
    start.wait()
    use()

uses = [
    lambda: memories.by_words("porto", limit=3),
    lambda: turns.by_words("porto", limit=3),
    lambda: memories.select(MemoryFilter()),
    lambda: turns.without_vector(limit=3),
]
threads = [threading.Thread(target=run, args=(use,)) for use in uses]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def test_threads_that_use_it_first_at_the_same_time_all_get_it_whole(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


INTERFACES = """
import sys
from chatmem.adapters.lancedb.library import load

load()
before = "lance_namespace_urllib3_client.api" in sys.modules
import lance_namespace_urllib3_client as client
print(before, client.TableApi.__name__, hasattr(client, "no_such_thing"))
"""


def test_interfaces_that_nothing_calls_are_not_imported_and_are_there_when_something_asks_for_them() -> None:
    done = subprocess.run([sys.executable, "-c", INTERFACES], capture_output=True, text=True, timeout=60, check=False)

    assert (done.stdout, done.stderr) == ("False TableApi False\n", "")
