"""The embedder's small copy: made once, checked against its original, whole or not there at all."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from threading import Event
from time import monotonic

import pytest
from filelock import FileLock

from chatmem.adapters.onnx import exported
from chatmem.adapters.onnx.embedder import OnnxEmbedder
from chatmem.adapters.onnx.exporter import Exporter
from chatmem.adapters.sentence_transformers.embedder import SentenceTransformersEmbedder
from chatmem.bootstrap.embedding import ChosenEmbedder
from chatmem.domain.errors import EmbedderError
from chatmem.ports.embedder import Vector

DRIVERS = Path(__file__).parents[1] / "fakes" / "drivers"
DEADLINE_S = 60.0
JUNK = b"no model"
UNSEEN = [
    "My sister moved to Utrecht in August, and her landlord still owes her the deposit.",
    "Which train did we take to the coast?",
    "Wir treffen uns jeden zweiten Donnerstag zum Schachspielen.",
    "ok",
]
IMPORTS = """
import sys
from pathlib import Path
from chatmem.adapters.onnx.embedder import OnnxEmbedder

OnnxEmbedder(lambda: Path(sys.argv[1])).embed(["one"])
print(*{"torch", "transformers", "sentence_transformers", "onnx", "textual"} & set(sys.modules))
"""


@pytest.fixture
def original(minilm: Path, tmp_path: Path) -> Path:
    """A copy of the real model that nobody exported yet."""
    return copytree(minilm, tmp_path / "minilm", ignore=lambda *_: ["onnx", "onnx.lock", "onnx.partial"])


@pytest.fixture
def junk(tmp_path: Path) -> Path:
    """A folder with an export that is none."""
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "int8.onnx").write_bytes(JUNK)
    exported.Exported(makers=exported.makers(), cosine=0.99, sha256="0" * 64, dimension=3).save(tmp_path / "onnx")
    return tmp_path


@pytest.fixture
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the child process, a stand-in for torch."""
    monkeypatch.setenv("PYTHONPATH", str(DRIVERS))


def likeness(one: Vector, other: Vector) -> float:
    return sum(x * y for x, y in zip(one, other, strict=True))


def wait_for(path: Path) -> None:
    deadline = monotonic() + DEADLINE_S
    while not path.exists():
        assert monotonic() < deadline, f"{path} did not come"
        Event().wait(0.02)


def test_the_export_gives_the_vectors_of_its_original(exported_minilm: Path) -> None:
    small = OnnxEmbedder(lambda: exported_minilm).embed(UNSEEN)
    with SentenceTransformersEmbedder(lambda: exported_minilm) as original:
        whole = original.embed(UNSEEN)

    assert min(likeness(one, other) for one, other in zip(small, whole, strict=True)) > 0.97


def test_the_record_tells_how_like_the_original_it_is(exported_minilm: Path) -> None:
    record = exported.read(exported_minilm)

    assert record is not None
    assert record.cosine >= 0.98
    assert (record.tokens, record.dimension) == (256, 384)
    assert record.sha256 == exported.digest(exported_minilm / "onnx" / "int8.onnx")


def test_it_runs_without_torch_and_without_a_word_on_the_screen(exported_minilm: Path) -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTS, str(exported_minilm)], capture_output=True, check=True)

    assert (done.stdout.strip(), done.stderr) == (b"", b"")


def test_an_export_that_was_killed_leaves_nothing_that_counts(original: Path) -> None:
    killed = Exporter(lambda: original)
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(killed.run)
        wait_for(original / "onnx.partial" / "whole.onnx")
        killed.close()
        running.result(DEADLINE_S)

    assert not OnnxEmbedder(lambda: original).exported()
    assert Exporter(lambda: original).wanted()


def test_an_exporter_that_was_closed_starts_nothing(original: Path) -> None:
    exporter = Exporter(lambda: original)
    exporter.close()
    exporter.run()

    assert not (original / "onnx.lock").exists()


def test_the_export_ends_when_its_parent_is_killed(original: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from chatmem.adapters.onnx.exporter import Exporter; "
        "Exporter(lambda: Path(sys.argv[1])).run()"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(original)]) as parent:
        wait_for(original / "onnx.partial")
        parent.kill()

    with FileLock(original / "onnx.lock", timeout=DEADLINE_S):
        assert exported.read(original) is None


def test_two_windows_export_once_and_clear_away_what_a_killed_one_left(original: Path) -> None:
    (original / "onnx.partial").mkdir()
    (original / "onnx.partial" / "whole.onnx").write_bytes(JUNK)
    with ThreadPoolExecutor(2) as windows:
        list(windows.map(lambda _: Exporter(lambda: original).run(), range(2)))
    first = (original / "onnx" / "int8.onnx").stat().st_mtime_ns

    Exporter(lambda: original).run()

    assert (original / "onnx" / "int8.onnx").stat().st_mtime_ns == first
    assert not (original / "onnx.partial").exists()


@pytest.mark.usefixtures("_stand_in")
def test_a_model_that_cannot_be_exported_is_not_tried_again_and_its_original_serves(tmp_path: Path) -> None:
    embedder = ChosenEmbedder(lambda: tmp_path, "onnx", dimension=3)

    embedder.export()

    record = exported.read(tmp_path)
    assert record is not None
    assert record.failure
    assert not Exporter(lambda: tmp_path).wanted()
    assert len(embedder.embed(["by torch"])) == 1
    embedder.close()


def test_an_export_that_failed_with_other_libraries_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "onnx").mkdir()
    exported.Exported(makers="long ago", failure="RuntimeError").save(tmp_path / "onnx")

    assert Exporter(lambda: tmp_path).wanted()


def test_the_exported_model_takes_over_while_torch_answers(original: Path, exported_minilm: Path) -> None:
    embedder = ChosenEmbedder(lambda: original, "onnx")
    by_torch = embedder.embed(UNSEEN)
    with ThreadPoolExecutor(1) as thread:
        long = thread.submit(embedder.embed, [f"House number {number}." for number in range(500)])
        copytree(exported_minilm / "onnx", original / "onnx")
        embedder.export()

        assert len(long.result(DEADLINE_S)) == 500
    by_onnx = embedder.embed(UNSEEN)
    embedder.close()
    assert embedder.backend == "onnx"
    assert 0.97 < likeness(by_torch[0], by_onnx[0]) < 0.99999


def test_the_exported_model_is_used_from_the_start(exported_minilm: Path) -> None:
    embedder = ChosenEmbedder(lambda: exported_minilm, "onnx")
    embedder.warm_up()

    assert embedder.ready()
    assert embedder.backend == "onnx"
    embedder.close()


@pytest.mark.usefixtures("_stand_in")
def test_the_setting_keeps_torch(junk: Path) -> None:
    embedder = ChosenEmbedder(lambda: junk, "torch", dimension=3)
    embedder.export()
    embedder.warm_up()
    embedder.close()

    assert embedder.backend == "torch"
    assert OnnxEmbedder(lambda: junk, dimension=3).exported()


@pytest.mark.usefixtures("_stand_in")
@pytest.mark.parametrize("digest", ["0" * 64, sha256(JUNK).hexdigest()], ids=["another", "no model"])
def test_a_damaged_export_is_thrown_away_and_torch_answers(junk: Path, digest: str) -> None:
    exported.Exported(makers=exported.makers(), cosine=0.99, sha256=digest, dimension=3).save(junk / "onnx")
    embedder = ChosenEmbedder(lambda: junk, "onnx", dimension=3)

    assert len(embedder.embed(["still here"])) == 1
    embedder.close()
    assert embedder.backend == "torch"
    assert Exporter(lambda: junk).wanted()


def test_an_export_stays_when_what_loads_it_is_missing(junk: Path, tmp_path: Path) -> None:
    exported.Exported(makers=exported.makers(), cosine=0.99, sha256=sha256(JUNK).hexdigest(), dimension=3).save(
        junk / "onnx"
    )
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "onnxruntime.py").write_text("raise ImportError('no such library')")
    asked = f"""
from pathlib import Path
from chatmem.adapters.onnx.embedder import OnnxEmbedder
from chatmem.domain.errors import EmbedderError
try:
    OnnxEmbedder(lambda: Path({str(junk)!r}), dimension=3).embed(["a"])
except EmbedderError as error:
    print(error)
"""
    environment = os.environ | {"PYTHONPATH": f"{tmp_path / 'broken'}{os.pathsep}{Path.cwd()}"}

    told = subprocess.run([sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True)

    assert "could not be loaded: ImportError" in told.stdout
    assert (junk / "onnx" / "int8.onnx").exists()


def test_an_export_of_another_dimension_is_not_used(junk: Path) -> None:
    assert not OnnxEmbedder(lambda: junk, dimension=4).exported()


@pytest.mark.parametrize("record", ["", "{}", "[]", json.dumps({"makers": "x", "surprise": 1})])
def test_a_record_that_says_nothing_is_no_export(tmp_path: Path, record: str) -> None:
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "export.json").write_text(record)

    embedder = OnnxEmbedder(lambda: tmp_path)
    assert not embedder.exported()
    with pytest.raises(EmbedderError, match="chatmem models pull minilm"):
        embedder.warm_up()


def test_without_a_model_nothing_is_exported() -> None:
    embedder = ChosenEmbedder(lambda: None, "onnx")
    embedder.export()

    with pytest.raises(EmbedderError, match="chatmem models pull minilm"):
        embedder.warm_up()
    assert not embedder.ready()
    embedder.close()
