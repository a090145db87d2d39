"""A profile as one file: a ZIP archive with a manifest and the profile's database, and nothing else."""

import hashlib
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

import msgspec

from chatmem import __version__
from chatmem.adapters.exports.streams import NOTHING_DONE
from chatmem.adapters.exports.writing import written_bytes
from chatmem.domain.errors import StoreError, UsageError
from chatmem.domain.text import clean

FORMAT = "chatmem profile"
VERSION = 1
DATABASE = "sessions.db"
LARGEST = 64 * 2**30
"""Bytes of the largest database that is unpacked."""

_MANIFEST = "manifest.json"
_LARGEST_MANIFEST = 2**16
_PIECE = 2**20


class Manifest(msgspec.Struct):
    """What an archive says of itself.

    Attributes:
        chatmem: The version that wrote it.
        size: Of the database, in bytes.
        sha256: Of the database, in hexadecimal.
    """

    format: str
    version: int
    chatmem: str
    profile: str
    exported_at: datetime
    size: int
    sha256: str


def pack(database: Path, file: Path, *, profile: str, now: datetime, overwrite: bool) -> int:
    """Write an archive, readable by its owner only; returns its size in bytes.

    Raises:
        UsageError: If the file is there and is not to be overwritten.
        StoreError: If it can't be written; what was there stays then.
    """
    manifest = Manifest(
        format=FORMAT,
        version=VERSION,
        chatmem=__version__,
        profile=profile,
        exported_at=now,
        size=database.stat().st_size,
        sha256=_sha256(database),
    )
    with written_bytes(file, overwrite=overwrite) as out, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
        archive.write(database, DATABASE)
    return file.stat().st_size


def described(file: Path) -> Manifest:
    """What an archive says of itself.

    Raises:
        UsageError: If it is none, holds other files, or was written in another format.
    """
    with _opened(file) as archive:
        return _manifest(archive, file)


def unpack(file: Path, folder: Path) -> Manifest:
    """Write the database of an archive into a folder, and check that it is whole.

    Names within the archive are compared, never followed: nothing is written but that one file.

    Raises:
        UsageError: If it is no archive of a profile, holds other files, is too large, damaged or of another format.
        StoreError: If there is no room for it, or it can't be written.
    """
    with _opened(file) as archive:
        manifest = _manifest(archive, file)
        if manifest.size > LARGEST:
            raise UsageError(f"{file} is larger than {LARGEST // 2**30} GiB when unpacked. {NOTHING_DONE}")
        if manifest.size > shutil.disk_usage(folder).free:
            raise StoreError(f"There is no room in {folder} for the {manifest.size / 2**20:,.0f} MiB of {file}.")
        with archive.open(DATABASE) as packed, (folder / DATABASE).open("xb") as out:
            if _copied(packed, out, manifest.size) != manifest.sha256:
                raise UsageError(f"{file} is damaged: its database is not as it was packed. {NOTHING_DONE}")
    return manifest


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise UsageError(f"{file} is no archive of a profile, or was cut off. {NOTHING_DONE}") from error
    except OSError as error:
        raise UsageError(f"{file} can't be read or unpacked: {error.strerror or error}. {NOTHING_DONE}") from error


def _manifest(archive: zipfile.ZipFile, file: Path) -> Manifest:
    if sorted(archive.namelist()) != [_MANIFEST, DATABASE]:
        strange = next((name for name in archive.namelist() if name not in {_MANIFEST, DATABASE}), "too little")
        raise UsageError(f"{file} is no archive of a profile: it holds {clean(strange)[:80]}. {NOTHING_DONE}")
    if archive.getinfo(_MANIFEST).file_size > _LARGEST_MANIFEST:
        raise UsageError(f"{file} is no archive of a profile: what it says of itself is too long. {NOTHING_DONE}")
    try:
        manifest = msgspec.json.decode(archive.read(_MANIFEST), type=Manifest)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, zipfile.BadZipFile) as error:
        raise UsageError(f"{file} is no archive of a profile, or is damaged. {NOTHING_DONE}") from error
    if (manifest.format, manifest.version) != (FORMAT, VERSION):
        raise UsageError(
            f"{file} was written by chatmem {clean(manifest.chatmem)[:20]} in format {manifest.version}; this is "
            f"chatmem {__version__}, which reads format {VERSION}. {NOTHING_DONE}"
        )
    return manifest


def _copied(packed: IO[bytes], out: IO[bytes], size: int) -> str:
    """Copy no more than what was announced; returns the digest of what came."""
    digest, left = hashlib.sha256(), size + 1
    while left > 0 and (piece := packed.read(min(_PIECE, left))):
        out.write(piece)
        digest.update(piece)
        left -= len(piece)
    return digest.hexdigest()


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
