"""Forgetting where the files do not let it: it is said, never called done, and made good once they do."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from chatmem.bootstrap import Product
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId
from chatmem.domain.errors import ChatMemError, NotFoundError, StoreError
from chatmem.domain.forgetting import Proof
from chatmem.domain.memory import MemoryId
from chatmem.ports.memory_store import MemoryFilter
from tests.fakes.builders import NOON, a_fact, a_quote, a_session, a_turn
from tests.fakes.drivers.dying_forgetting import opened

SECRET = "My zebra Quagglebert lives in Zanzibar"
PET = a_fact("The user's zebra is called Quagglebert.", id=MemoryId("pet"), quotes=(a_quote(SECRET, "s1t1"),))
OTHERS = [replace(a_fact(f"The user likes the number {n}."), id=MemoryId(f"n{n}"), quotes=()) for n in range(50)]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other limits and marks")


def fill(product: Product) -> None:
    product.log.open_session(a_session())
    product.log.append(a_turn(1, f"{SECRET}."))
    memories = [PET, *OTHERS]
    changes = tuple(Change(before=None, after=memory) for memory in memories)
    product.journal.record(ChangeSet(id=ChangeSetId("c1"), made_at=NOON, cause=Cause.CONSOLIDATION, changes=changes))
    product.journal.mark_applied(ChangeSetId("c1"))
    product.memories.put(memories, product.embedder.embed([memory.text for memory in memories]))
    product.prepare_recall()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with opened(tmp_path / "data") as product:
        fill(product)
    return tmp_path / "data"


def profile(folder: Path) -> Path:
    return folder / "profiles" / "default"


def lance_files(folder: Path, table: str) -> list[Path]:
    return sorted(profile(folder).rglob(f"{table}.lance/data/*.lance"))


def outcome(product: Product) -> Proof | ChatMemError:
    """The proof, or why there is none."""
    try:
        return product.forgetting.forget([PET.id])
    except ChatMemError as error:
        return error


@contextmanager
def disk_full() -> Iterator[None]:
    """No file can grow beyond some kilobytes."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def read_only(files: list[Path]) -> Iterator[None]:
    """Files that not even the administrator can change or remove."""
    if (chattr := shutil.which("chattr")) is None:
        pytest.skip("there is no chattr on this machine")
    marked = subprocess.run([chattr, "+i", *map(str, files)], capture_output=True, check=False)
    try:
        if marked.returncode:
            pytest.skip("this file system, or user, can't mark files as unchangeable")
        yield
    finally:
        subprocess.run([chattr, "-i", *map(str, files)], capture_output=True, check=False)


def try_again(product: Product) -> None:
    """Forget it, where that had failed before it was noted."""
    if product.memories.get([PET.id]):
        product.forgetting.forget([PET.id])


def assert_gone(folder: Path, product: Product) -> None:
    """Nothing of it is left, and the others are."""
    assert sum(place.residue(["Quagglebert"]) for place in (product.database, product.memories, product.turns)) == 0
    assert {memory.id for memory in product.memories.select(MemoryFilter())} == {memory.id for memory in OTHERS}
    held = [file for file in profile(folder).rglob("*") if file.is_file() and b"uagglebert" in file.read_bytes()]
    assert held == []


def test_on_a_full_disk_it_is_not_done_and_made_good_at_the_next_start(folder: Path) -> None:
    with opened(folder) as product:
        product.prepare_recall()
        with disk_full():
            failed = outcome(product)

    assert isinstance(failed, StoreError)
    assert str(failed).endswith(".")
    with opened(folder) as product:
        product.prepare_recall()
        try_again(product)
        assert_gone(folder, product)


@pytest.mark.parametrize("table", ["memories", "turns"])
def test_files_that_can_not_be_removed_are_told_as_left(folder: Path, table: str) -> None:
    with opened(folder) as product, read_only(lance_files(folder, table)):
        product.prepare_recall()
        told = outcome(product)

    assert isinstance(told, StoreError) or (isinstance(told, Proof) and told.residue > 0)
    with opened(folder) as product:
        product.prepare_recall()
        assert_gone(folder, product)


def test_a_damaged_store_is_told_and_once_repaired_the_forgetting_is_finished(folder: Path) -> None:
    for file in lance_files(folder, "memories"):
        file.write_bytes(b"\xff" * file.stat().st_size)

    with opened(folder) as product:
        told = outcome(product)

    assert isinstance(told, StoreError)
    assert "doctor --repair" in str(told)
    with opened(folder) as product:
        product.repair(lambda *_: None)
        product.forgetting.resume()
        try_again(product)
        assert_gone(folder, product)


def test_what_a_crash_left_is_finished_before_anything_is_recalled(folder: Path) -> None:
    with opened(folder) as product:
        product.journal.begin_forgetting([PET.id], [])

    with opened(folder) as product:
        product.finish_forgetting()

        assert product.recall.search("zebra Quagglebert", limit=5, kind=None) == []
        assert_gone(folder, product)


def test_what_another_window_forgot_meanwhile_is_told_and_nothing_changes(folder: Path) -> None:
    with opened(folder) as ours, opened(folder) as theirs:
        ours.prepare_recall()
        theirs.forgetting.forget([PET.id])

        with pytest.raises(NotFoundError, match="forgotten already"):
            ours.forgetting.forget([PET.id])

        assert len(ours.journal.tombstones()) == 1
        assert_gone(folder, ours)
