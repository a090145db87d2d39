"""A session log, once the fake and once the real one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.ports.session_log import SessionLog
from tests.fakes.clock import FakeClock
from tests.fakes.session_log import FakeSessionLog


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(params=["fake", "sqlite"])
def log(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[SessionLog]:
    if request.param == "fake":
        yield FakeSessionLog(clock)
        return
    with Database(tmp_path / "chatmem.db") as database:
        yield SqliteSessionLog(database, clock)
