"""What every memory store tells in its outline."""

from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path

import pytest

from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.memory_store import LanceMemoryStore
from chatmem.domain.memory import Kind, Link, MemoryId, Quote, Relation, Status
from chatmem.domain.outline import Outline, outlined
from chatmem.domain.turn import SessionId, TurnId
from chatmem.ports.memory_store import MemoryFilter, MemoryStore
from tests.fakes.builders import NOON, a_fact
from tests.fakes.memory_store import FakeMemoryStore

QUOTE = Quote(session_id=SessionId("s1"), turn_id=TurnId("t1"), text="I moved", said_at=NOON - timedelta(days=3))


@pytest.fixture(params=["fake", "held in memory", "on disk"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> MemoryStore:
    if request.param == "fake":
        return FakeMemoryStore()
    held_rows = 1_000 if request.param == "held in memory" else 0
    return LanceMemoryStore(LanceDatabase(tmp_path / "lance", tmp_path / "lance.lock", "tiny", 4, held_rows=held_rows))


def columns(outline: Outline) -> dict[str, list[object]]:
    return {field.name: list(getattr(outline, field.name)) for field in fields(outline)}


def test_the_outline_of_an_empty_store_is_empty(store: MemoryStore) -> None:
    outline = store.outline()

    assert len(outline) == 0
    assert columns(outline) == columns(outlined(()))


def test_the_outline_tells_of_every_memory_the_newest_first(store: MemoryStore) -> None:
    home = a_fact("The user lives in Porto.", slot="home", quotes=(QUOTE, replace(QUOTE, said_at=NOON)))
    diet = a_fact("The user eats no meat.", slot="diet", importance=0.9, pinned=True, quotes=(QUOTE,))
    past = a_fact("The user lived in Braga.", status=Status.SUPERSEDED, created_at=NOON - timedelta(days=400))
    visit = a_fact("Rita visited.", kind=Kind.EPISODE, created_at=NOON + timedelta(microseconds=1))
    odds = a_fact(
        "The user moved to Lisbon.",
        links=(
            Link(to=home.id, relation=Relation.CONTRADICTS),
            Link(to=past.id, relation=Relation.RELATED),
            Link(to=MemoryId("gone"), relation=Relation.CONTRADICTS),
        ),
    )
    everything = [home, diet, past, visit, odds]
    store.put(everything, [None] * len(everything))

    outline = store.outline()

    assert columns(outline) == columns(outlined(everything))
    assert list(outline.ids) == [memory.id for memory in store.select(MemoryFilter())]
    assert list(outline.texts[1:3]) == list(outline.texts)[1:3]


def test_the_outline_follows_what_is_changed_and_erased(store: MemoryStore) -> None:
    home, diet = a_fact("The user lives in Porto."), a_fact("The user eats no meat.")
    store.put([home, diet], [None, None])
    store.outline()
    store.put([replace(home, pinned=True)], [None])
    store.erase([diet.id])

    outline = store.outline()

    assert list(outline.ids) == [home.id]
    assert list(outline.pinned) == [1]
