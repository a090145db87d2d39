"""What every memory store does."""

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.memory_store import LanceMemoryStore
from chatmem.domain.memory import Extractor, Kind, Memory, MemoryId, Quote, Status
from chatmem.domain.turn import SessionId, TurnId
from chatmem.ports.memory_store import MemoryFilter, MemoryStore
from tests.fakes.builders import NOON, a_fact
from tests.fakes.memory_store import FakeMemoryStore

HOME = a_fact("The user lives in Porto.")
DIET = a_fact("The user is allergic to peanuts.", created_at=NOON + timedelta(days=1))
PET = a_fact("The user's dog is called Rex.", created_at=NOON + timedelta(days=2))

EAST, NORTH, UP = [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]
NORTH_EAST = [0.6, 0.8, 0.0, 0.0]

FULL = Memory(
    id=MemoryId("m1"),
    kind=Kind.EPISODE,
    text="Naïve café,\n\t„Größe“ 👩\u200d🚀 日本語",
    extractor=Extractor.MODEL,
    created_at=datetime(2026, 3, 4, 12, 0, 0, 123456, tzinfo=UTC),
    updated_at=datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    valid_from=datetime(1, 1, 1, tzinfo=UTC),
    quotes=(
        Quote(session_id=SessionId("s1"), turn_id=TurnId("t1"), text='say "x" \\ it\'s', said_at=NOON),
        Quote(session_id=SessionId("s2"), turn_id=TurnId("t2"), text="", said_at=NOON + timedelta(microseconds=1)),
    ),
    subject="Ana",
    slot="home",
    event_date="2025-03",
    status=Status.SUPERSEDED,
    importance=0.1 + 0.2,
    confidence=1 / 3,
    pinned=True,
    model="openai/x",
    prompt_version="0123456789ab",
    valid_to=datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    superseded_by=MemoryId("m2"),
)


@pytest.fixture(params=["fake", "lancedb"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> MemoryStore:
    if request.param == "fake":
        return FakeMemoryStore()
    return LanceMemoryStore(LanceDatabase(tmp_path / "lance", tmp_path / "lance.lock", "tiny", 4))


def put(store: MemoryStore, *memories: Memory) -> None:
    store.put(memories, [None] * len(memories))


def worded(store: MemoryStore, query: str, limit: int = 10) -> list[str]:
    return [match.id for match in store.by_words(query, limit=limit)]


def test_an_empty_store_finds_nothing(store: MemoryStore) -> None:
    assert store.get([HOME.id]) == []
    assert store.select(MemoryFilter()) == []
    assert store.without_vector(limit=5) == []
    assert store.by_words("Porto", limit=5) == []
    assert store.by_vector(EAST, limit=5) == []
    assert store.residue(["Porto"]) == 0


def test_erasing_scrubbing_and_clearing_an_empty_store_is_no_error(store: MemoryStore) -> None:
    store.erase([HOME.id])
    store.scrub()
    store.clear()
    put(store)

    assert store.select(MemoryFilter()) == []


def test_a_memory_comes_back_as_it_was_put(store: MemoryStore) -> None:
    store.put([FULL, HOME], [EAST, None])

    assert store.get([FULL.id]) == [FULL]
    assert store.get([HOME.id]) == [HOME]


def test_a_time_of_another_zone_comes_back_as_the_same_moment(store: MemoryStore) -> None:
    moment = datetime(2026, 3, 4, 23, 30, tzinfo=timezone(timedelta(hours=-9, minutes=-30)))
    put(store, replace(HOME, created_at=moment))

    assert store.get([HOME.id])[0].created_at == moment
    assert store.select(MemoryFilter(since=moment, before=moment + timedelta(microseconds=1))) != []


def test_unknown_ids_are_left_out(store: MemoryStore) -> None:
    put(store, HOME)

    assert store.get([MemoryId("m'; --"), MemoryId("\ud800\x00"), HOME.id, HOME.id]) == [HOME]


def test_many_ids_can_be_asked_for(store: MemoryStore) -> None:
    put(store, HOME, DIET)

    found = store.get([HOME.id, *(MemoryId(f"m{number}") for number in range(1_200)), DIET.id])

    assert {memory.id for memory in found} == {HOME.id, DIET.id}


def test_putting_again_replaces(store: MemoryStore) -> None:
    store.put([HOME, DIET], [EAST, NORTH])
    moved = replace(HOME, text="The user lives in Lisbon.")
    store.put([moved], [UP])

    assert store.get([HOME.id]) == [moved]
    assert len(store.select(MemoryFilter())) == 2
    assert worded(store, "Porto") == []
    assert worded(store, "Lisbon") == [HOME.id]
    assert store.by_vector(UP, limit=1)[0].value == pytest.approx(1.0)


def test_of_the_same_id_twice_in_one_put_the_last_stays(store: MemoryStore) -> None:
    put(store, HOME, replace(HOME, text="The user lives in Lisbon."))

    assert [memory.text for memory in store.select(MemoryFilter())] == ["The user lives in Lisbon."]


def test_selected_memories_are_newest_first_then_by_id(store: MemoryStore) -> None:
    twins = [a_fact(text) for text in ("One.", "Two.", "Three.")]
    put(store, DIET, *twins, PET)

    expected = [PET.id, DIET.id, *sorted((twin.id for twin in twins), reverse=True)]
    assert [memory.id for memory in store.select(MemoryFilter())] == expected


def test_a_selection_can_be_paged(store: MemoryStore) -> None:
    put(store, HOME, DIET, PET)

    assert store.select(MemoryFilter(), limit=2) == [PET, DIET]
    assert store.select(MemoryFilter(), limit=2, offset=2) == [HOME]
    assert store.select(MemoryFilter(), offset=1) == [DIET, HOME]
    assert store.select(MemoryFilter(), offset=3) == []
    assert store.select(MemoryFilter(), limit=0) == []


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (MemoryFilter(kind=Kind.PROCEDURE), {"p"}),
        (MemoryFilter(status=Status.PENDING), {"q"}),
        (MemoryFilter(pinned=True), {"i"}),
        (MemoryFilter(pinned=False, kind=Kind.FACT, status=Status.ACTIVE), {"o"}),
        (MemoryFilter(since=NOON), {"p", "q", "i"}),
        (MemoryFilter(before=NOON), {"o"}),
        (MemoryFilter(since=NOON, before=NOON), set()),
        (MemoryFilter(slot="home"), {"i"}),
        (MemoryFilter(), {"p", "q", "i", "o"}),
    ],
)
def test_a_selection_can_be_narrowed(store: MemoryStore, where: MemoryFilter, expected: set[str]) -> None:
    put(
        store,
        a_fact("A.", id="p", kind=Kind.PROCEDURE),
        a_fact("B.", id="q", status=Status.PENDING),
        a_fact("C.", id="i", pinned=True, slot="home"),
        a_fact("D.", id="o", created_at=NOON - timedelta(microseconds=1)),
    )

    assert {memory.id for memory in store.select(where)} == expected


def test_memories_without_a_vector_are_known_until_they_have_one(store: MemoryStore) -> None:
    store.put([HOME, DIET, PET], [None, EAST, None])
    waiting = store.without_vector(limit=10)
    store.put([PET], [UP])

    assert {memory.id for memory in waiting} == {HOME.id, PET.id}
    assert store.without_vector(limit=10) == [HOME]
    assert len(store.without_vector(limit=0)) == 0


def test_words_find_memories_by_their_stems_whatever_their_case(store: MemoryStore) -> None:
    put(store, HOME, DIET, PET)

    assert worded(store, "PEANUT") == [DIET.id]
    assert worded(store, "living") == [HOME.id]


def test_the_rarer_shared_words_the_better_the_match(store: MemoryStore) -> None:
    put(store, a_fact("Ana likes tea."), a_fact("Ana likes green tea with mint."), a_fact("Ana likes dogs."))

    found = store.by_words("mint tea", limit=10)

    assert [store.get([MemoryId(match.id)])[0].text for match in found] == [
        "Ana likes green tea with mint.",
        "Ana likes tea.",
    ]
    assert found[0].value > found[1].value > 0


def test_no_more_than_the_limit_is_found(store: MemoryStore) -> None:
    store.put([HOME, DIET, PET], [EAST, NORTH, UP])

    assert len(store.by_words("Porto peanuts Rex", limit=2)) == 2
    assert len(store.by_vector(EAST, limit=2)) == 2
    assert store.by_words("Porto", limit=0) == []
    assert store.by_vector(EAST, limit=0) == []


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("사용자는 포르토에 살고 있습니다.", "포르토"),
        ("ユーザーはポルトに住んでいます。", "ポルト"),
        ("ユーザーはポルトに住んでいます。", "住"),
        ("用户住在波尔图,对花生过敏。", "花生"),
        ("The café in Zürich", "cafe zurich"),
        ("Die Straße", "STRASSE"),
        ("Пользователь живёт в Порту", "порту"),
        ("उपयोगकर्ता हिन्दी बोलता है", "हिन्दी"),
    ],
)
def test_words_are_found_in_any_script(store: MemoryStore, text: str, query: str) -> None:
    put(store, HOME, DIET, a_fact(text, id="wanted"))

    assert worded(store, query) == ["wanted"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        " \n",
        "\x00",
        "\ud800",
        "👩\u200d🚀",
        "'",
        '"',
        '"open',
        "a AND (b OR",
        "NOT",
        "*",
        "id:1^2~",
        "\\",
        "%",
        "; DROP TABLE",
    ],
)
def test_any_text_is_a_valid_query(store: MemoryStore, query: str) -> None:
    put(store, HOME)

    assert worded(store, query) == []
    assert worded(store, f"{query} Porto") == [HOME.id]


def test_a_megabyte_is_a_valid_query(store: MemoryStore) -> None:
    put(store, HOME)

    assert worded(store, "Porto " + "x" * 1_000_000) == [HOME.id]
    assert worded(store, "Porto " + "word " * 200_000) == [HOME.id]
    assert HOME.id in worded(store, "Porto " + " ".join(str(number) for number in range(150_000)))


def test_what_no_file_can_hold_is_stored_all_the_same(store: MemoryStore) -> None:
    put(store, replace(HOME, id=MemoryId("odd"), text="Porto \ud800 and \x00."))

    assert worded(store, "Porto") == ["odd"]
    assert store.get([MemoryId("odd")])[0].text.startswith("Porto")


def test_vectors_find_the_most_similar_first_with_their_cosine(store: MemoryStore) -> None:
    store.put([HOME, DIET, PET], [EAST, NORTH_EAST, UP])

    found = store.by_vector(NORTH, limit=10)

    assert found[0].id == DIET.id
    assert [match.value for match in found] == pytest.approx([0.8, 0.0, 0.0])


def test_opposite_vectors_have_a_negative_cosine(store: MemoryStore) -> None:
    store.put([HOME], [[-1.0, 0.0, 0.0, 0.0]])

    assert store.by_vector(EAST, limit=1)[0].value == pytest.approx(-1.0)


def test_a_memory_without_a_vector_is_never_similar(store: MemoryStore) -> None:
    store.put([HOME, DIET], [None, UP])

    assert [match.id for match in store.by_vector(EAST, limit=10)] == [DIET.id]


@pytest.mark.parametrize("status", [Status.SUPERSEDED, Status.PENDING])
def test_only_active_memories_are_found_by_words_and_vector(store: MemoryStore, status: Status) -> None:
    store.put([HOME, replace(DIET, text="The user loves Porto.", status=status)], [EAST, EAST])

    assert worded(store, "Porto") == [HOME.id]
    assert [match.id for match in store.by_vector(EAST, limit=10)] == [HOME.id]


def test_an_erased_memory_is_found_by_nothing(store: MemoryStore) -> None:
    store.put([HOME, DIET], [EAST, NORTH])
    store.erase([HOME.id, MemoryId("unknown")])

    assert store.get([HOME.id]) == []
    assert store.select(MemoryFilter()) == [DIET]
    assert worded(store, "Porto") == []
    assert [match.id for match in store.by_vector(EAST, limit=10)] == [DIET.id]


def test_scrubbing_leaves_no_residue_of_the_erased_and_keeps_the_rest(store: MemoryStore) -> None:
    store.put([HOME, DIET], [EAST, NORTH])
    store.erase([HOME.id])
    store.scrub()

    assert store.residue(["lives  in PORTO"]) == 0
    assert store.residue(["allergic to peanuts"]) > 0
    assert store.get([DIET.id]) == [DIET]
    assert worded(store, "peanut") == [DIET.id]
    assert store.by_vector(NORTH, limit=1)[0].id == DIET.id


def test_scrubbing_leaves_no_residue_of_the_replaced(store: MemoryStore) -> None:
    put(store, HOME)
    put(store, replace(HOME, text="The user lives in Lisbon.", quotes=()))
    store.scrub()

    assert store.residue(["Porto"]) == 0


def test_there_is_residue_until_the_files_are_scrubbed(store: MemoryStore) -> None:
    put(store, HOME)
    store.erase([HOME.id])

    assert store.residue(["The user lives in Porto."]) > 0


def test_quotes_leave_residue_too(store: MemoryStore) -> None:
    put(store, FULL)

    assert store.residue(['SAY "x" \\ it\'s']) > 0
    assert store.residue(["", " "]) == 0


def test_what_is_put_after_a_scrub_is_no_residue_of_before(store: MemoryStore) -> None:
    put(store, HOME)
    store.erase([HOME.id])
    store.scrub()
    put(store, replace(DIET, quotes=()))
    store.erase([DIET.id])

    assert store.residue(["Porto"]) == 0


def test_everything_can_be_erased_and_scrubbed(store: MemoryStore) -> None:
    put(store, HOME, DIET)
    store.erase([HOME.id, DIET.id])
    store.scrub()
    store.scrub()

    assert store.residue(["Porto", "peanuts"]) == 0
    put(store, PET)
    assert worded(store, "Rex") == [PET.id]


def test_clearing_takes_everything_out_without_residue(store: MemoryStore) -> None:
    store.put([HOME, DIET], [EAST, None])
    store.clear()

    assert store.select(MemoryFilter()) == []
    assert worded(store, "Porto") == []
    assert store.residue(["Porto"]) == 0
    store.put([PET], [UP])
    assert store.select(MemoryFilter()) == [PET]
    assert worded(store, "Rex") == [PET.id]


def test_threads_may_write_and_read_at_the_same_time(store: MemoryStore) -> None:
    def write(number: int) -> None:
        put(store, a_fact(f"Memory {number} of Porto.", id=f"m{number}"))
        store.by_words("Porto", limit=3)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(store.select(MemoryFilter())) == 8
    assert len(worded(store, "Porto")) == 8


def test_superseded_memories_are_found_where_history_is_asked_for(store: MemoryStore) -> None:
    old = a_fact("The user lives in Lisbon.", status=Status.SUPERSEDED, superseded_by=HOME.id)
    waiting = a_fact("The user lives in Faro.", status=Status.PENDING)
    store.put([HOME, old, waiting], [EAST, NORTH_EAST, EAST])

    assert [match.id for match in store.by_vector(EAST, limit=5)] == [HOME.id]
    assert [match.id for match in store.by_vector(EAST, limit=5, history=True)] == [HOME.id, old.id]
    assert {match.id for match in store.by_words("lives", limit=5, history=True)} == {HOME.id, old.id}


def test_memories_are_compared_with_a_vector(store: MemoryStore) -> None:
    store.put([HOME, DIET], [EAST, None])

    assert [(match.id, round(match.value, 6)) for match in store.likeness(EAST, [HOME.id, DIET.id])] == [(HOME.id, 1.0)]
