"""A process that is killed at any named step of a consolidation, or finds the disk full, loses and doubles nothing."""

import shutil
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chatmem.bootstrap import Product
from chatmem.cli.status import statistics
from chatmem.domain.memory import Memory
from chatmem.domain.turn import Role, SessionId, TurnId
from chatmem.ports.memory_store import MemoryFilter
from tests.fakes.builders import a_session, a_turn
from tests.fakes.clock import FakeClock
from tests.fakes.drivers.dying_consolidation import consolidate, opened

SAID = (
    ("Hi, I'm Ana. I live in Porto and I'm allergic to peanuts.", "My sister Eva is vegan."),
    ("I moved to Braga last week.", "From now on answer in one sentence."),
    ("I live in Porto.", "What is a lintel?", "Yesterday I finished my first marathon."),
)

STEPS = [
    ("after", "claim", 1),
    ("before", "record", 1),
    ("after", "record", 1),
    ("before", "put", 1),
    ("after", "put", 1),
    ("after", "mark_applied", 1),
    ("before", "note_done", 1),
    ("after", "note_done", 1),
    ("before", "finish", 1),
    ("after", "finish", 1),
    ("after", "record", 2),
    ("before", "finish", 3),
]


def talk(product: Product) -> None:
    for number, texts in enumerate(SAID, 1):
        session_id = SessionId(f"s{number}")
        product.log.open_session(a_session(number))
        for place, text in enumerate(texts):
            said, heard = TurnId(f"{session_id}t{place}"), TurnId(f"{session_id}a{place}")
            product.log.append(a_turn(1, text, id=said, session_id=session_id))
            product.log.append(a_turn(1, "I see.", id=heard, session_id=session_id, role=Role.ASSISTANT))


def content(memory: Memory) -> tuple[object, ...]:
    """What must be the same, whenever it was learned."""
    replaced = memory.superseded_by, memory.valid_from, memory.valid_to
    return memory.id, memory.text, memory.status, memory.confidence, memory.quotes, replaced


def recovered(folder: Path) -> set[tuple[object, ...]]:
    """What is remembered once the next start, an hour later, has gone on."""
    with opened(folder, FakeClock(datetime.now(UTC) + timedelta(hours=1))) as product:
        told = consolidate(product)
        stored = {content(memory) for memory in product.memories.select(MemoryFilter())}

        assert product.queue.pending() == 0, told
        assert product.journal.unapplied() == []
        assert stored == {content(memory) for memory in product.journal.latest()}
    return stored


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile in which all was said, and nothing learned yet."""
    folder = tmp_path_factory.mktemp("profile")
    with opened(folder) as product:
        talk(product)
    return folder


@pytest.fixture(scope="module")
def undisturbed(profile: Path, tmp_path_factory: pytest.TempPathFactory) -> set[tuple[object, ...]]:
    """What is remembered where nobody was killed."""
    folder = tmp_path_factory.mktemp("undisturbed") / "profile"
    shutil.copytree(profile, folder)
    return recovered(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize(("when", "method", "time"), STEPS)
def test_a_process_killed_at_a_step_loses_and_doubles_nothing(
    when: str, method: str, time: int, profile: Path, undisturbed: set[tuple[object, ...]], tmp_path: Path
) -> None:
    folder = tmp_path / "profile"
    shutil.copytree(profile, folder)
    command = [sys.executable, "-m", "tests.fakes.drivers.dying_consolidation", str(folder), when, method, str(time)]

    killed = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, timeout=120, check=False)

    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert len(undisturbed) >= 6
    assert recovered(folder) == undisturbed


FULL_DISK = """
import resource, sys
from pathlib import Path
from chatmem.domain.errors import ChatMemError
from tests.fakes.drivers.dying_consolidation import consolidate, opened
with opened(Path(sys.argv[1])) as product:
    product.queue.enqueue_all()
    unlimited = resource.RLIM_INFINITY, resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
    try:
        consolidate(product)
        print("postponed" if product.queue.pending() else "done")
    except ChatMemError as error:
        print("refused", error)
    resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of a file's size")
@pytest.mark.parametrize("most_bytes", [0, 1_000, 100_000])
def test_a_disk_that_is_full_in_the_middle_loses_and_doubles_nothing(
    most_bytes: int, profile: Path, undisturbed: set[tuple[object, ...]], tmp_path: Path
) -> None:
    folder = tmp_path / "profile"
    shutil.copytree(profile, folder)
    command = [sys.executable, "-c", FULL_DISK, str(folder), str(most_bytes)]

    full = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, timeout=120, check=False)

    assert full.returncode == 0, full.stderr.decode()
    assert full.stdout.split()[0] in {b"postponed", b"refused"}
    assert recovered(folder) == undisturbed


def test_what_was_postponed_is_told_with_its_reason_and_its_next_try(profile: Path, tmp_path: Path) -> None:
    folder = tmp_path / "profile"
    shutil.copytree(profile, folder)
    with opened(folder) as product:
        product.consolidator.enqueue_all()
        job = product.queue.claim(datetime.now(UTC), lease_s=60)
        assert job is not None
        until = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
        product.queue.postpone(job, until, "ProviderError")
        figures = statistics(product)

    (told,) = figures["jobs_postponed"]
    assert (told["session_id"], told["attempts"], told["error"]) == ("s1", 1, "ProviderError")
    assert datetime.fromisoformat(told["until"]) == until
    assert figures["jobs_waiting"] == 3
