"""The embedder and its child process, with a stand-in for sentence-transformers: living, dying and taking turns."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from filelock import FileLock, Timeout

from chatmem.adapters.sentence_transformers.embedder import SentenceTransformersEmbedder
from chatmem.domain.errors import EmbedderError

DRIVERS = Path(__file__).parents[1] / "fakes" / "drivers"
DEADLINE_S = 20.0
HOLDS_AN_EMBEDDER = """
import sys
from pathlib import Path
from threading import Thread
from chatmem.adapters.sentence_transformers.embedder import SentenceTransformersEmbedder

embedder = SentenceTransformersEmbedder(lambda: Path(sys.argv[1]), dimension=3)
Thread(target=embedder.warm_up, daemon=True).start()
"""


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(DRIVERS))


@pytest.fixture
def embedder(tmp_path: Path) -> Iterator[SentenceTransformersEmbedder]:
    with SentenceTransformersEmbedder(lambda: tmp_path, dimension=3) as made:
        yield made


def pid_of_child(embedder: SentenceTransformersEmbedder) -> int:
    return int(embedder.embed(["whose?"])[0][2])


def wait_until_alive(folder: Path) -> None:
    deadline = monotonic() + DEADLINE_S
    while monotonic() < deadline:
        try:
            FileLock(folder / "alive").acquire(timeout=0).lock.release()
        except Timeout:
            return
        Event().wait(0.02)
    pytest.fail("the child did not start")


def wait_until_dead(folder: Path) -> None:
    with FileLock(folder / "alive", timeout=DEADLINE_S):
        pass


def test_nothing_is_started_before_it_is_needed(embedder: SentenceTransformersEmbedder, tmp_path: Path) -> None:
    assert embedder.embed([]) == []
    assert not embedder.ready()
    assert not (tmp_path / "alive").exists()


def test_it_is_ready_once_warm(embedder: SentenceTransformersEmbedder) -> None:
    embedder.warm_up()

    assert embedder.ready()


def test_it_says_how_to_get_a_model_that_is_not_here() -> None:
    with SentenceTransformersEmbedder(lambda: None) as embedder:
        with pytest.raises(EmbedderError, match="chatmem models pull minilm"):
            embedder.warm_up()

        assert not embedder.ready()


def test_it_takes_the_model_that_was_pulled_meanwhile(tmp_path: Path) -> None:
    with SentenceTransformersEmbedder(lambda: tmp_path if tmp_path.exists() else None, dimension=3) as embedder:
        tmp_path.rmdir()
        with pytest.raises(EmbedderError):
            embedder.embed(["too early"])
        tmp_path.mkdir()

        assert len(embedder.embed(["now"])) == 1


def test_a_model_that_cannot_be_loaded_is_told_on_one_line(
    embedder: SentenceTransformersEmbedder, tmp_path: Path
) -> None:
    (tmp_path / "load").write_text("fail")

    with pytest.raises(EmbedderError, match=r"ValueError: told to fail\."):
        embedder.warm_up()
    assert not embedder.ready()


def test_a_death_while_loading_is_told(embedder: SentenceTransformersEmbedder, tmp_path: Path) -> None:
    (tmp_path / "load").write_text("die")

    with pytest.raises(EmbedderError, match="died while it loaded"):
        embedder.embed(["never"])


def test_a_model_of_another_dimension_is_refused_every_time(tmp_path: Path) -> None:
    with SentenceTransformersEmbedder(lambda: tmp_path, dimension=4) as embedder:
        for _ in range(2):
            with pytest.raises(EmbedderError, match="vectors of 3, not of 4"):
                embedder.embed(["no"])
        assert not embedder.ready()


def test_texts_are_embedded_in_order_and_in_chunks(embedder: SentenceTransformersEmbedder) -> None:
    lengths = [number * 7 % 200 for number in range(200)]
    vectors = embedder.embed(["x" * length for length in lengths])

    assert [vector[0] for vector in vectors] == lengths
    assert max(vector[1] for vector in vectors) == 32


def test_long_texts_are_shortened_and_come_one_at_a_time(embedder: SentenceTransformersEmbedder) -> None:
    vectors = embedder.embed(["한" * 1_000_000] * 10)

    assert {vector[0] for vector in vectors} == {4_000}
    assert max(vector[1] for vector in vectors) == 1


def test_a_lone_surrogate_arrives_as_something_else(embedder: SentenceTransformersEmbedder) -> None:
    assert embedder.embed(["\ud83d\x00\n"])[0][0] == 3


def test_a_child_that_was_killed_is_replaced_at_the_next_call(
    embedder: SentenceTransformersEmbedder, tmp_path: Path
) -> None:
    killed = pid_of_child(embedder)
    os.kill(killed, signal.SIGKILL)
    wait_until_dead(tmp_path)

    assert not embedder.ready()
    assert pid_of_child(embedder) != killed
    assert embedder.ready()


def test_a_child_that_dies_over_a_text_is_given_it_once_more(
    embedder: SentenceTransformersEmbedder, tmp_path: Path
) -> None:
    assert len(embedder.embed(["die once"])) == 1
    assert (tmp_path / "died").exists()


def test_a_child_that_dies_twice_over_a_text_is_an_error_and_serves_the_next(
    embedder: SentenceTransformersEmbedder,
) -> None:
    with pytest.raises(EmbedderError, match="twice"):
        embedder.embed(["die"])

    assert len(embedder.embed(["live"])) == 1


def test_a_model_that_fails_is_an_error_and_serves_the_next(embedder: SentenceTransformersEmbedder) -> None:
    with pytest.raises(EmbedderError, match="ValueError"):
        embedder.embed(["fail"])

    assert len(embedder.embed(["go on"])) == 1


def test_keys_of_the_terminal_do_not_reach_the_child(embedder: SentenceTransformersEmbedder) -> None:
    child = pid_of_child(embedder)
    os.kill(child, signal.SIGINT)

    assert os.getpgid(child) != os.getpgrp()
    assert pid_of_child(embedder) == child


def test_many_threads_get_their_own_vectors(embedder: SentenceTransformersEmbedder) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda length: embedder.embed(["x" * length] * 70), range(1, 40)))

    assert [{vector[0] for vector in vectors} for vectors in answers] == [{length} for length in range(1, 40)]


def test_a_short_text_does_not_wait_for_a_long_list(embedder: SentenceTransformersEmbedder) -> None:
    embedder.warm_up()
    with ThreadPoolExecutor(1) as other:
        bulk = other.submit(embedder.embed, ["x" * 100] * 200_000)
        embedder.embed(["short"])

        assert not bulk.done()
        embedder.close()
        assert isinstance(bulk.exception(DEADLINE_S), EmbedderError)


def test_closing_ends_the_child_and_further_calls(embedder: SentenceTransformersEmbedder, tmp_path: Path) -> None:
    embedder.warm_up()

    embedder.close()
    embedder.close()

    wait_until_dead(tmp_path)
    assert not embedder.ready()
    with pytest.raises(EmbedderError, match="closed"):
        embedder.embed(["late"])


@pytest.mark.parametrize("waiting", [1, 3])
def test_closing_does_not_wait_for_what_is_stuck(
    embedder: SentenceTransformersEmbedder, tmp_path: Path, waiting: int
) -> None:
    (tmp_path / "load").write_text("stuck")
    with ThreadPoolExecutor(waiting) as threads:
        calls = [threads.submit(embedder.warm_up) for _ in range(waiting)]
        wait_until_alive(tmp_path)

        embedder.close()

        errors = [call.exception(timeout=DEADLINE_S) for call in calls]
    assert {str(error) for error in errors} == {"The embedder was closed."}
    assert all(isinstance(error, EmbedderError) for error in errors)


@pytest.mark.parametrize("load", ["", "stuck"])
def test_the_child_dies_when_its_parent_is_killed(tmp_path: Path, load: str) -> None:
    (tmp_path / "load").write_text(load)
    script = HOLDS_AN_EMBEDDER + "sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdin=subprocess.PIPE) as parent:
        wait_until_alive(tmp_path)

        parent.kill()

    wait_until_dead(tmp_path)


def test_a_program_that_ends_without_closing_ends_quietly(tmp_path: Path) -> None:
    script = HOLDS_AN_EMBEDDER + "embedder.embed(['one'])"

    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, check=True, timeout=DEADLINE_S
    )

    assert (done.stdout, done.stderr) == (b"", b"")
    wait_until_dead(tmp_path)


def test_nothing_heavy_is_imported_for_it() -> None:
    script = HOLDS_AN_EMBEDDER + "print(*{'torch', 'sentence_transformers', 'numpy', 'textual'} & set(sys.modules))"

    done = subprocess.run([sys.executable, "-c", script, "/nowhere"], stdout=subprocess.PIPE, check=True)

    assert done.stdout.strip() == b""
