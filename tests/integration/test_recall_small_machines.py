"""Recall on small machines: by words alone, without any model, and from indexes on disk."""

from pathlib import Path

import pytest

from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.memory_store import LanceMemoryStore
from chatmem.adapters.lancedb.turn_index import LanceTurnIndex
from chatmem.bootstrap import Installation, open_product
from chatmem.domain.recall import Source
from chatmem.recall.looking import Looker
from chatmem.recall.question import read_question
from tests.fakes.builders import NOON, a_fact, a_session, a_turn
from tests.fakes.embedder import FakeEmbedder

WORDS_ALONE = "[embedding]\nenabled = false\n"
EDGE = "[recall]\nedge = true\n"


@pytest.mark.parametrize("settings", [WORDS_ALONE, WORDS_ALONE + EDGE])
def test_without_an_embedder_what_was_said_and_learned_is_recalled_by_its_words(tmp_path: Path, settings: str) -> None:
    config = tmp_path / "config.toml"
    config.write_text(settings)
    flags: dict[str, object] = {"data_dir": tmp_path / "data", "cache_dir": tmp_path / "cache"}
    with open_product(Installation(config_file=config, flags=flags)) as product:
        product.load_embedder()
        product.log.open_session(a_session())
        product.log.append(a_turn(1, "We rowed from Porto to the lighthouse."))
        product.indexer.index_waiting()
        product.memories.put([a_fact("The user is allergic to peanuts.")], [None])

        said = product.recall.find("Who rowed to the lighthouse?", budget_tokens=500)
        learned = product.recall.find("Is there something with peanuts in it?", budget_tokens=500)

        assert not product.embedder.ready()
        assert [(item.source, item.injected) for item in said] == [(Source.TURN, True)]
        assert [(item.text, item.injected) for item in learned] == [("The user is allergic to peanuts.", True)]


def test_nothing_held_in_memory_and_all_held_find_the_same(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    facts = [a_fact(f"The user likes {thing}.") for thing in ("rowing boats", "rye bread", "old pianos")]
    turns = [a_turn(seq, text) for seq, text in enumerate(["We rowed a boat.", "I bake bread.", "Who sings?"], 1)]

    def looker(held_rows: int) -> Looker:
        database = LanceDatabase(tmp_path / "lance", tmp_path / "lock", "fake", 64, held_rows=held_rows)
        memories, index = LanceMemoryStore(database), LanceTurnIndex(database)
        memories.put(facts, embedder.embed([fact.text for fact in facts]))
        index.put(turns, embedder.embed([turn.text for turn in turns]))
        return Looker(memories, index, embedder)

    question = read_question("Who rows a boat?", NOON)
    on_disk, held = looker(0).look(question), looker(1_000).look(question)

    for theirs, ours in (
        (on_disk.memories_by_words, held.memories_by_words),
        (on_disk.memories_by_vector, held.memories_by_vector),
        (on_disk.turns_by_words, held.turns_by_words),
        (on_disk.turns_by_vector, held.turns_by_vector),
    ):
        assert {match.id for match in theirs} == {match.id for match in ours}
        assert sorted(match.value for match in theirs) == pytest.approx(sorted(match.value for match in ours), abs=1e-4)
