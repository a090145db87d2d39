"""The last tier: another LanceDB, asked where nothing near answers. Here it lies in a second folder."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.memory_store import LanceMemoryStore
from chatmem.adapters.lancedb.remote import RemotePlace, RemoteStore
from chatmem.bootstrap import Installation, open_product
from chatmem.domain.embedding import Embedding
from chatmem.domain.errors import StoreError
from chatmem.domain.memory import Status
from chatmem.domain.recall import Source, Tier
from chatmem.recall.far import far_away
from chatmem.recall.question import read_question
from tests.fakes.builders import NOON, a_fact

EAST, NORTH = [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]
HARBOUR = a_fact("The harbour office opens at seven.")
WIFI = a_fact("The guest network is called Quokka.")
FORMER = a_fact("The guest network is called Wombat.", status=Status.SUPERSEDED)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    store = LanceMemoryStore(LanceDatabase(folder, tmp_path / "lock", "tiny", 4))
    store.put([HARBOUR, WIFI, FORMER], [EAST, NORTH, NORTH])
    return folder


def a_remote(folder: Path, *, wait_s: float = 60.0) -> RemoteStore:
    return RemoteStore(RemotePlace(uri=str(folder), wait_s=wait_s))


def test_memories_elsewhere_are_found_by_words_and_by_meaning(elsewhere: Path) -> None:
    found = a_remote(elsewhere).find("guest network", Embedding(EAST, "tiny"), limit=5)

    assert {memory.text for memory in found.memories} == {HARBOUR.text, WIFI.text}
    assert [match.id for match in found.by_words] == [WIFI.id]
    assert [(match.id, round(match.value, 3)) for match in found.by_meaning] == [(HARBOUR.id, 1.0), (WIFI.id, 0.0)]


@pytest.mark.parametrize("vector", [Embedding(EAST, "other"), Embedding([1.0, 0.0], "tiny"), None])
def test_vectors_of_another_model_are_not_compared(elsewhere: Path, vector: Embedding | None) -> None:
    found = a_remote(elsewhere).find("guest network", vector, limit=5)

    assert found.by_meaning == ()
    assert [match.id for match in found.by_words] == [WIFI.id]


@pytest.mark.parametrize(
    ("vector", "compared"),
    [
        (Embedding(EAST, "tiny"), True),
        (Embedding(EAST, "other"), False),
        (Embedding([1.0, 0.0], "tiny"), False),
        (None, False),
    ],
)
def test_whether_vectors_could_be_compared_is_told(elsewhere: Path, vector: Embedding | None, compared: bool) -> None:
    found = a_remote(elsewhere).find("guest network", vector, limit=5)

    assert found.compared is compared


def recalled_from(folder: Path, question: str, vector: Embedding) -> list[str]:
    asked = read_question(question, NOON)
    return [item.text for item in far_away(a_remote(folder), asked, vector, NOON, forgotten=lambda _: False)]


def test_where_vectors_are_of_another_model_words_in_common_are_enough(elsewhere: Path) -> None:
    assert recalled_from(elsewhere, "What is the guest network called?", Embedding(EAST, "other")) == [WIFI.text]


def test_where_vectors_can_be_compared_a_word_in_common_is_not_enough(elsewhere: Path) -> None:
    assert recalled_from(elsewhere, "What is the guest network called?", Embedding(EAST, "tiny")) == [HARBOUR.text]


@pytest.mark.parametrize("row", [{}, {"vector": EAST}], ids=["without vectors", "with vectors of an unnamed model"])
def test_a_table_of_another_program_answers_by_words_while_the_embedder_is_on(
    tmp_path: Path, row: dict[str, object]
) -> None:
    a_plain_table(tmp_path, text="Bins are emptied on Mondays.", **row)

    found = recalled_from(tmp_path, "When are the bins emptied?", Embedding(NORTH, "tiny"))

    assert found == ["Bins are emptied on Mondays."]


def a_plain_table(folder: Path, **row: object) -> None:
    import lancedb
    import pyarrow as pa
    from lancedb.index import FTS

    kinds = {"text": pa.string(), "vector": pa.list_(pa.float32(), 4)}
    schema = pa.schema([(name, kinds[name]) for name in row])
    table = lancedb.connect(folder).create_table("memories", [row], schema=schema)
    table.create_index("text", config=FTS())


def test_a_table_of_another_program_needs_no_more_than_a_text(tmp_path: Path) -> None:
    a_plain_table(tmp_path, text="Bins are emptied on Mondays.")

    found = a_remote(tmp_path).find("bins", None, limit=5)

    assert [memory.text for memory in found.memories] == ["Bins are emptied on Mondays."]


def test_a_store_that_is_not_there_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"could not be asked; see recall\.remote"):
        a_remote(tmp_path / "nowhere").find("bins", None, limit=5)


def test_a_store_that_does_not_answer_is_waited_for_no_longer_than_was_set() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(StoreError, match=r"not answer within 0\.2 s"):
        RemoteStore(at(silent)).find("bins", None, limit=5)


def test_a_store_that_is_opened_ahead_is_reached_before_a_question_and_is_waited_for_no_longer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        store = RemoteStore(at(silent))

        store.warm_up()

        silent.accept()[0].close()
        with pytest.raises(StoreError):
            store.find("bins", None, limit=5)


def test_the_app_opens_the_store_elsewhere_while_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELSEWHERE_KEY", "synthetic")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        where = f'endpoint = "{at(silent).endpoint}"\napi_key_env = "ELSEWHERE_KEY"'
        with open_product(settings_for(tmp_path, "db://silent", where)) as product:
            product.warm_up(lambda _: None, lambda _: None)

            silent.accept()[0].close()


def at(silent: socket.socket) -> RemotePlace:
    endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
    return RemotePlace(uri="db://silent", key=lambda: "synthetic", endpoint=endpoint, wait_s=0.2)


FIRST_QUESTION = """
import sys
from chatmem.adapters.lancedb.remote import RemotePlace, RemoteStore
found = RemoteStore(RemotePlace(uri=sys.argv[1], wait_s=0.4)).find("harbour office", None, limit=5)
print(*(memory.text for memory in found.memories))
"""


def test_the_first_question_of_a_process_waits_for_the_answer_and_not_for_the_library(elsewhere: Path) -> None:
    asked = subprocess.run(
        [sys.executable, "-c", FIRST_QUESTION, elsewhere], capture_output=True, text=True, timeout=120, check=False
    )

    assert asked.stdout.strip() == HARBOUR.text, asked.stderr


def settings_for(folder: Path, elsewhere: Path | str, more: str = "wait_s = 60") -> Installation:
    config = folder / "config.toml"
    config.write_text(f'[embedding]\nenabled = false\n[recall.remote]\nuri = "{elsewhere}"\n{more}\n')
    return Installation(config_file=config, flags={"data_dir": folder / "data", "cache_dir": folder / "cache"})


def test_where_nothing_here_answers_the_other_store_does_and_that_is_told(tmp_path: Path, elsewhere: Path) -> None:
    with open_product(settings_for(tmp_path, elsewhere)) as product:
        found = product.recall.recollect("What is the guest network called?", budget_tokens=500)

        assert [(item.source, item.text, item.injected) for item in found.items] == [(Source.REMOTE, WIFI.text, True)]
        assert found.tier is Tier.REMOTE


def test_what_was_forgotten_for_good_does_not_come_back_from_elsewhere(tmp_path: Path, elsewhere: Path) -> None:
    with open_product(settings_for(tmp_path, elsewhere)) as product:
        product.memories.put([WIFI], [None])
        product.forgetting.forget([WIFI.id])

        found = product.recall.recollect("What is the guest network called?", budget_tokens=500)

        assert found.items == ()


def test_what_is_known_here_is_not_asked_elsewhere(tmp_path: Path, elsewhere: Path) -> None:
    with open_product(settings_for(tmp_path, elsewhere)) as product:
        product.memories.put([a_fact("The guest network is called Numbat.", slot="network")], [None])

        found = product.recall.recollect("What is the guest network called?", budget_tokens=500)

        assert [item.source for item in found.items] == [Source.FACT]
        assert found.tier is Tier.LEARNED


def test_a_remote_store_that_fails_takes_nothing_from_recall(tmp_path: Path) -> None:
    with open_product(settings_for(tmp_path, tmp_path / "nowhere")) as product:
        product.memories.put([a_fact("The user is allergic to peanuts.")], [None])

        found = product.recall.find("Something with peanuts?", budget_tokens=500)

        assert [item.text for item in found] == ["The user is allergic to peanuts."]


def test_a_question_off_the_record_is_not_sent_away(tmp_path: Path, elsewhere: Path) -> None:
    with open_product(settings_for(tmp_path, elsewhere), incognito=True) as product:
        assert product.recall.find("What is the guest network called?", budget_tokens=500) == []
