"""Bringing a database up to date by the numbered files in `migrations`."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from chatmem.domain.errors import StoreError

_FILES = tuple(sorted((Path(__file__).parent / "migrations").glob("*.sql")))
_REGISTER = "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT DEFAULT CURRENT_TIMESTAMP)"


def migrate(connection: sqlite3.Connection) -> None:
    """Apply the migrations that a database lacks, in order, each in a transaction.

    Raises:
        StoreError: If the database has migrations this program does not know.
    """
    connection.execute(_REGISTER)
    applied = _applied(connection)
    if applied - {file.stem for file in _FILES}:
        raise StoreError("This profile was written by a newer chatmem. Upgrade chatmem to open it.")
    for file in _FILES:
        if file.stem not in applied:
            _apply(connection, file)


def _applied(connection: sqlite3.Connection) -> set[str]:
    return {str(name) for (name,) in connection.execute("SELECT name FROM migrations")}


def _apply(connection: sqlite3.Connection, file: Path) -> None:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        # Another window may have been faster.
        if file.stem not in _applied(connection):
            for statement in _statements(file.read_text(encoding="utf-8")):
                connection.execute(statement)
            connection.execute("INSERT INTO migrations (name) VALUES (?)", (file.stem,))


def _statements(script: str) -> Iterator[str]:
    # `executescript` would commit the transaction.
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
