"""Generations on disk: which answers, what is written to, what is erased, and what two windows see."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chatmem.adapters.lancedb.answering import AnsweringMemories, AnsweringTurns
from chatmem.adapters.lancedb.generations import CURRENT, MARKS, LanceGenerations
from chatmem.domain.embedding import Embedding
from chatmem.domain.errors import RefusedError, StoreError
from chatmem.ports.memory_store import MemoryFilter
from tests.fakes.builders import a_fact, a_turn
from tests.fakes.embedder import FakeEmbedder

HOME = a_fact("The user lives in Porto.")
DIET = a_fact("The user is allergic to peanuts.")
OLD, NEW = FakeEmbedder(model="old", dimension=8), FakeEmbedder(model="acme/New", dimension=8)


def window(folder: Path, model: str = "old", dimension: int = 8) -> LanceGenerations:
    return LanceGenerations(
        folder / "memories.lance", folder / "memories.lock", lambda: (model, dimension), lock_wait_s=0.5
    )


@pytest.fixture
def generations(tmp_path: Path) -> LanceGenerations:
    return window(tmp_path)


def folders(generations: LanceGenerations) -> list[str]:
    return sorted(path.name for path in generations.root.iterdir() if path.is_dir())


def built(generations: LanceGenerations) -> None:
    """Build a generation of the new model with `HOME` in it, and put it to use."""
    with generations.building("acme/New", 8) as new:
        new.memories.put([HOME], NEW.embed([HOME.text]))
        generations.put_to_use(new)


def test_before_the_first_write_nothing_is_found_and_nothing_made(generations: LanceGenerations) -> None:
    memories, turns = AnsweringMemories(generations), AnsweringTurns(generations)

    assert memories.select(MemoryFilter()) == []
    assert memories.by_words("Porto", limit=5) == turns.by_words("Porto", limit=5) == []
    assert turns.by_vector(OLD.embed(["Porto"])[0], limit=5) == []
    assert not generations.root.exists()


def test_the_first_generation_is_named_by_its_embedder(generations: LanceGenerations) -> None:
    AnsweringMemories(generations).put([HOME], OLD.embed([HOME.text]))

    (name,) = folders(generations)
    assert name.startswith("old-8-")
    assert generations.searched() == ("old", 8)
    assert not generations.whole()


def test_an_embedder_of_unknown_dimension_makes_a_generation_of_words(tmp_path: Path) -> None:
    generations = window(tmp_path, "unheard-of", 0)
    memories = AnsweringMemories(generations)

    memories.put([HOME], NEW.embed([HOME.text]))

    assert [match.id for match in memories.by_words("Porto", limit=5)] == [HOME.id]
    assert memories.without_vector(limit=5) == [HOME]
    assert memories.by_vector(NEW.embed(["Porto"])[0], limit=5) == []
    assert generations.searched() == ("", 1)


def test_while_one_is_built_the_old_one_answers_and_both_are_written_to(generations: LanceGenerations) -> None:
    memories, turns = AnsweringMemories(generations), AnsweringTurns(generations)
    memories.put([HOME], OLD.embed([HOME.text]))
    said = a_turn(1, "I can't eat peanuts.")
    with generations.building("acme/New", 8) as new:
        memories.put([DIET], OLD.embed([DIET.text]))
        turns.put([said], OLD.embed([said.text]))
        seen = memories.by_vector(OLD.embed([DIET.text])[0], limit=1)

        assert [match.id for match in seen] == [DIET.id]
        assert new.memories.without_vector(limit=5) == [DIET]
        assert new.turns.without_vector(limit=5) == [said.id]


def test_vectors_of_another_model_find_nothing_and_are_not_stored(generations: LanceGenerations) -> None:
    memories = AnsweringMemories(generations)
    memories.put([HOME], OLD.embed([HOME.text]))
    built(generations)

    memories.put([DIET], OLD.embed([DIET.text]))

    late = OLD.embed([HOME.text])[0]
    assert memories.by_vector(late, limit=5) == memories.likeness(late, [HOME.id]) == []
    assert memories.without_vector(limit=5) == [DIET]


def test_the_old_generation_is_erased_when_the_new_one_answers(generations: LanceGenerations) -> None:
    memories = AnsweringMemories(generations)
    memories.put([HOME, DIET], OLD.embed([HOME.text, DIET.text]))

    built(generations)

    (name,) = folders(generations)
    assert name.startswith("new-8-")
    assert memories.select(MemoryFilter()) == [HOME]
    assert [match.id for match in memories.by_vector(NEW.embed([HOME.text])[0], limit=1)] == [HOME.id]
    assert generations.whole()


def test_another_window_sees_the_swap_and_writes_to_the_new_one(tmp_path: Path, generations: LanceGenerations) -> None:
    here, there = AnsweringMemories(generations), window(tmp_path)
    here.put([HOME], OLD.embed([HOME.text]))
    assert AnsweringMemories(there).get([HOME.id]) == [HOME]

    built(generations)
    AnsweringMemories(there).put([DIET], NEW.embed([DIET.text]))

    assert there.searched() == ("acme/New", 8)
    assert AnsweringMemories(there).get([HOME.id]) == [HOME]
    assert [match.id for match in here.by_vector(NEW.embed([DIET.text])[0], limit=1)] == [DIET.id]
    assert len(folders(generations)) == 1


def test_only_one_window_builds(tmp_path: Path, generations: LanceGenerations) -> None:
    with (
        generations.building("acme/New", 8),
        pytest.raises(RefusedError, match="building"),
        window(tmp_path).building("acme/New", 8),
    ):
        pass


def test_what_another_window_learns_is_in_the_one_being_built(tmp_path: Path, generations: LanceGenerations) -> None:
    with generations.building("acme/New", 8) as new:
        AnsweringMemories(window(tmp_path)).put([DIET], OLD.embed([DIET.text]))

        assert new.memories.get([DIET.id]) == [DIET]


def test_what_was_begun_is_gone_on_with_unless_it_is_of_another_kind(tmp_path: Path) -> None:
    with window(tmp_path).building("acme/New", 8) as begun:
        begun.memories.put([HOME], [None])
    with window(tmp_path).building("acme/New", 8) as again:
        assert again.memories.get([HOME.id]) == [HOME]
    with window(tmp_path).building("acme/New", 8, anew=True) as fresh:
        assert fresh.memories.get([HOME.id]) == []
    with window(tmp_path).building("third", 8):
        assert not any(name.startswith("new") for name in folders(window(tmp_path)))


def test_a_builder_that_is_killed_leaves_what_it_built_and_no_lock(
    tmp_path: Path, generations: LanceGenerations
) -> None:
    AnsweringMemories(generations).put([HOME], OLD.embed([HOME.text]))
    script = (
        "import sys; from pathlib import Path\n"
        "from tests.integration.test_lancedb_generations import *\n"
        "with window(Path(sys.argv[1])).building('acme/New', 8) as new:\n"
        "    new.memories.put([HOME], NEW.embed([HOME.text]))\n"
        "    print('written', flush=True); sys.stdin.read()\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"written\n"
        os.kill(child.pid, signal.SIGKILL)

    AnsweringMemories(generations).put([DIET], OLD.embed([DIET.text]))
    with generations.building("acme/New", 8) as new:
        assert {memory.id for memory in new.memories.select(MemoryFilter())} == {HOME.id, DIET.id}
        assert new.memories.without_vector(limit=5) == [DIET]


def test_forgetting_covers_every_generation_on_disk(generations: LanceGenerations) -> None:
    memories, turns = AnsweringMemories(generations), AnsweringTurns(generations)
    said = a_turn(1, DIET.text)
    memories.put([HOME, DIET], OLD.embed([HOME.text, DIET.text]))
    turns.put([said], [None])
    with generations.building("acme/New", 8) as new:
        new.memories.put([HOME, DIET], [None, None])
        new.turns.put([said], [None])

    before = memories.residue(["peanuts"]), turns.residue(["peanuts"])
    for place in (memories, turns):
        place.erase([DIET.id, said.id])  # type: ignore[list-item]  # the ids of both
        place.scrub()

    assert all(found > 1 for found in before)
    assert memories.residue(["peanuts"]) == turns.residue(["peanuts"]) == 0
    assert new.memories.get([DIET.id, HOME.id]) == [HOME]


@pytest.mark.parametrize("damage", ["layout", "no marks", "before generations"])
def test_what_this_layout_cannot_read_is_erased_and_made_anew(tmp_path: Path, damage: str) -> None:
    old = window(tmp_path)
    AnsweringMemories(old).put([HOME], OLD.embed([HOME.text]))
    folder = old.root / folders(old)[0]
    match damage:
        case "layout":
            (folder / MARKS).write_text((folder / MARKS).read_text().replace('"layout":"', '"layout":"0.'))
        case "no marks":
            (folder / MARKS).unlink()
        case _:
            (folder / "memories.lance").rename(old.root / "memories.lance")
            (folder / MARKS).unlink()
            (old.root / CURRENT).unlink()
    generations = window(tmp_path)
    memories = AnsweringMemories(generations)

    assert memories.by_words("Porto", limit=5) == []
    memories.put([DIET], [None])

    assert memories.select(MemoryFilter()) == [DIET]
    assert len(folders(generations)) == 1
    assert not generations.whole()


def test_the_files_are_the_persons_own(generations: LanceGenerations) -> None:
    built(generations)

    files = [path for path in generations.root.rglob("*") if path.is_file() and "hint" not in path.name]
    for path in (generations.root, *generations.root.iterdir(), *files):
        assert path.stat().st_mode & 0o077 == 0, path


def test_an_untold_vector_is_taken_as_ones_own(generations: LanceGenerations) -> None:
    memories = AnsweringMemories(generations)
    memories.put([HOME], [[1.0] + [0.0] * 7])

    told = Embedding([1.0] + [0.0] * 7, "old")
    assert [match.id for match in memories.by_vector(told, limit=1)] == [HOME.id]


def test_a_damaged_index_is_told_to_who_asks_and_not_to_who_opens_it_beforehand(
    generations: LanceGenerations, tmp_path: Path
) -> None:
    AnsweringTurns(generations).put([a_turn(1, "hello")], [None])
    for manifest in tmp_path.rglob("*.manifest"):
        manifest.write_bytes(b"junk")
    next_run = window(tmp_path)

    next_run.warm_up()

    with pytest.raises(StoreError, match="doctor --repair"):
        AnsweringTurns(next_run).by_words("hello", limit=1)
