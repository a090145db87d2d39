"""`chatmem bench consolidation` on a made-up conversation."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from chatmem.bench import consolidation as bench
from chatmem.bootstrap import Installation
from chatmem.domain.errors import UsageError


def turn(id_: str, role: str, text: str) -> dict[str, str]:
    return {"id": id_, "role": role, "text": text}


def scenario() -> dict[str, Any]:
    return {
        "id": "made-up",
        "profile_date": "2025-06-01",
        "langs": ["en"],
        "sessions": [
            {
                "id": "s1",
                "started_at": "2025-05-06T19:12",
                "turns": [
                    turn("s1t1", "user", "I'm a glazier in Turku. I sold my boat yesterday."),
                    turn("s1t2", "assistant", "A good price, I hope."),
                    turn("s1t3", "user", "My cousin Aada lives at Lantern Row."),
                ],
            },
            {
                "id": "s2",
                "started_at": "2025-05-20T08:00",
                "turns": [turn("s2t1", "user", "please forget where Aada lives"), turn("s2t2", "assistant", "Done.")],
            },
        ],
        "gold": {
            "facts": [],
            "forget": [{"after_session": "s2", "query": "Aada", "must_vanish": ["Lantern Row"]}],
            "queries": [{"text": "Where am I a glazier?", "answerable": True}],
        },
    }


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    flags = {"data_dir": tmp_path / "data", "cache_dir": tmp_path / "cache"}
    return Installation(config_file=tmp_path / "config.toml", flags=flags)


@pytest.fixture
def played(installation: Installation, tmp_path: Path) -> dict[str, Any]:
    file, out = tmp_path / "scenarios.json.gz", tmp_path / "out.jsonl"
    file.write_bytes(gzip.compress(json.dumps([scenario()]).encode()))
    with out.open("w") as written:
        bench.run(installation, file, extractor="rules", tell=lambda _: None, out=written)
    line: dict[str, Any] = json.loads(out.read_text())
    return line


def test_what_is_learned_is_told_with_its_turns_and_the_time_it_was_said(played: dict[str, Any]) -> None:
    told = {memory["text"]: memory for memory in played["memories"]}

    job, boat = told["I'm a glazier in Turku."], told["I sold my boat yesterday."]
    assert (job["evidence"], job["quote"], job["slot"]) == (["s1t1"], "I'm a glazier in Turku", "occupation")
    assert boat["event_date"] == "2025-05-05"
    assert job["valid_from"].startswith("2025-05-06T19:12")


def test_what_was_to_be_forgotten_is_gone_from_memories_and_disk(played: dict[str, Any]) -> None:
    [forgotten] = played["forget"]

    assert (forgotten["query"], forgotten["erased"], forgotten["residue"]) == ("Aada", 1, 0)
    assert not any("Lantern" in memory["text"] for memory in played["memories"])


def test_each_question_is_told_with_its_ranking_and_how_sure_recall_is(played: dict[str, Any]) -> None:
    [query] = played["queries"]

    assert query["ranked_turns"][0] == "s1t1"
    assert all(memory["status"] == "active" for memory in query["memories"])
    assert 0 <= query["confidence"] <= 1
    assert played["llm_calls"] == played["prompt_tokens"] == 0


def test_the_summary_counts_what_can_be_counted_without_the_gold(played: dict[str, Any]) -> None:
    lines = bench.summary([bench.Played(**played)])

    assert lines[0] == "1 scenarios, 5 turns, 1 queries"
    assert "1 requests to forget: 1 memories erased, 0 traces left on disk" in lines


@pytest.mark.parametrize("content", ["[]x", '[{"id": "a"}]', '[{"id": 3}]', "\x00"])
def test_a_file_of_another_form_is_refused(content: str, installation: Installation, tmp_path: Path) -> None:
    (tmp_path / "scenarios.json").write_text(content)

    with pytest.raises(UsageError, match=r"no scenarios|no JSON"):
        bench.run(installation, tmp_path / "scenarios.json", extractor="rules", tell=lambda _: None)
