"""`chatmem bench recall` on a made-up conversation, and on the real ones where they are."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from chatmem.bench import recall as bench
from chatmem.bootstrap import Installation
from chatmem.domain.errors import UsageError

SHARED = Path(__file__).parents[3] / "shared" / "bench" / "recall" / "locomo"

TALK = [
    (1, "Ana", "Good morning! Did you sleep well?"),
    (1, "Bo", "Yes. I repaired the blue sailing boat yesterday, all day long."),
    (1, "Ana", "Nice. What will you call it?"),
    (1, "Bo", "Petrel, after the bird."),
    (2, "Bo", "How is the choir?"),
    (2, "Ana", "We sing Bach in the old church every Thursday evening now."),
    (2, "Bo", "My sister would love that."),
    (2, "Ana", "Bring her along."),
]
ASKED = [
    ("single_hop", "What did Bo repair?", ["D1:2"]),
    ("single_hop", "What is the boat called?", ["D1:4"]),
    ("temporal", "When does Ana sing?", ["D2:2"]),
    ("adversarial", "What did Ana repair?", ["D1:2"]),
    ("open_domain", "Is Bo rich?", []),
]


def conversation() -> dict[str, Any]:
    places: dict[int, int] = {}
    turns = []
    for session, speaker, text in TALK:
        places[session] = places.get(session, 0) + 1
        turns.append(
            {
                "id": f"D{session}:{places[session]}",
                "session": session,
                "speaker": speaker,
                "text": text,
                "image_caption": None,
            }
        )
    return {
        "id": "made-up-1",
        "speakers": ["Ana", "Bo"],
        "sessions": [{"id": 1, "date": "2024-05-07T10:00"}, {"id": 2, "date": "2024-06-01T18:30"}],
        "turns": turns,
        "questions": [
            {"id": f"q{n}", "question": text, "answer": "", "category": category, "gold": gold}
            for n, (category, text, gold) in enumerate(ASKED)
        ],
    }


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    flags = {"data_dir": tmp_path / "data", "cache_dir": tmp_path / "cache"}
    return Installation(config_file=tmp_path / "config.toml", flags=flags)


def test_the_evidence_is_found_by_words_alone(installation: Installation, tmp_path: Path) -> None:
    (tmp_path / "talks").mkdir()
    packed = gzip.compress(json.dumps(conversation()).encode())
    (tmp_path / "talks" / "made-up-1.json.gz").write_bytes(packed)
    told: list[str] = []

    with (tmp_path / "ranks.jsonl").open("w+") as ranks:
        answers = bench.run(installation, tmp_path / "talks", tell=told.append, ranks=ranks)

    lines = [json.loads(line) for line in (tmp_path / "ranks.jsonl").read_text().splitlines()]
    assert [line["qid"] for line in lines] == ["q0", "q1", "q2", "q3"]
    assert lines[0]["conv"] == "made-up-1"
    assert set(lines[0]["ranked"]) <= {turn["id"] for turn in conversation()["turns"]}
    assert [answer.ranked[0] for answer in answers[:3:2]] == ["D1:2", "D2:2"]
    assert told == ["made-up-1: 8 turns, 5 questions; by words alone, as no embedder was fetched"]
    assert not (tmp_path / "data").exists()


def test_the_table_tells_each_figure_with_its_interval(installation: Installation, tmp_path: Path) -> None:
    (tmp_path / "made-up-1.json").write_text(json.dumps(conversation()))

    rows = bench.table(bench.run(installation, tmp_path, tell=lambda _: None))

    assert [(row.name, row.count) for row in rows] == [
        ("four categories", 3), ("all categories", 4), ("adversarial", 1), ("single_hop", 2), ("temporal", 1),
    ]  # fmt: skip
    mean, low, high = rows[0].figures["recall@5"]
    assert 0 <= low <= mean <= high <= 1


def test_a_perfect_ranking_scores_one_and_a_late_one_less() -> None:
    def figures(*ranked: str) -> dict[str, float]:
        return bench.measures(
            bench.Answer(
                conversation="c", question="q", category="x", ranked=ranked, gold=frozenset({"D1:1", "D1:2"}), ms=1
            )
        )

    perfect, late = figures("D1:1", "D1:2", "D2:1"), figures("D2:1", "D1:2", "D1:1")

    assert {perfect[name] for name in ("recall@5", "hit@5", "nDCG@10", "MRR", "session@1")} == {1.0}
    assert late["recall@1"] == 0.0
    assert late["MRR"] == 0.5
    assert late["nDCG@10"] == pytest.approx((0.63093 + 0.5) / 1.63093, abs=1e-4)
    assert (late["session@1"], late["session@5"]) == (0.0, 1.0)


def test_a_folder_without_conversations_is_refused(installation: Installation, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no conversations"):
        bench.run(installation, tmp_path / "nowhere", tell=lambda _: None)


def test_a_conversation_without_questions_is_refused(installation: Installation, tmp_path: Path) -> None:
    (tmp_path / "made-up-1.json").write_text(json.dumps({**conversation(), "questions": [{"id": "q"}]}))

    with pytest.raises(UsageError, match="lacks ids or questions"):
        bench.run(installation, tmp_path, tell=lambda _: None)


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="the benchmark's conversations are not beside the repository")
def test_real_conversations_are_recalled_as_well_as_the_readme_says(tmp_path: Path) -> None:
    cache = os.environ.get("CHATMEM_TEST_CACHE")
    if not cache or not (Path(cache) / "models" / "minilm").is_dir():
        pytest.skip("CHATMEM_TEST_CACHE holds no embedder")
    installation = Installation(config_file=tmp_path / "config.toml", flags={"cache_dir": Path(cache)})

    headline = bench.table(bench.run(installation, SHARED, tell=lambda _: None))[0]

    assert headline.figures["recall@5"][0] >= 0.74
    assert headline.figures["recall@10"][0] >= 0.81
