"""How much of a database's files its tables no longer need."""

from pathlib import Path

from chatmem.adapters.lancedb.library import load
from chatmem.domain.errors import StoreError


def dead_bytes(folder: Path) -> int:
    """Bytes of data and indexes that no table in a folder, or in folders below it, refers to any more.

    Raises:
        StoreError: If a table could not be read.
    """
    tables = [versions.parent for versions in folder.rglob("_versions")]
    return sum(max(0, _held(table) - _live(table)) for table in tables)


def _held(table: Path) -> int:
    files = (file for part in ("data", "_indices") for file in (table / part).rglob("*"))
    return sum(file.stat().st_size for file in files if file.is_file())


def _live(table: Path) -> int:
    load()
    import lancedb

    try:
        return int(lancedb.connect(table.parent).open_table(table.stem).stats()["total_bytes"])
    except Exception as error:  # a panic of LanceDB's is of a class that cannot be imported
        raise StoreError(f"The memory store in {table} could not be read.") from error
