"""What was forgotten is not learned again in other words; what only sounds like it is learned."""

from pathlib import Path

import pytest

from chatmem.adapters.onnx.embedder import OnnxEmbedder
from chatmem.domain.embedding import model_of
from chatmem.domain.forgetting import Tombstone, TombstoneId, forbids, marks, sign_code, text_hash
from chatmem.ports.embedder import Vector
from tests.fakes.builders import NOON, a_fact, a_quote
from tests.fakes.paraphrases import PARAPHRASES

KEY = b"a synthetic key for the tests"


def a_tombstone(text: str, vector: Vector | None) -> Tombstone:
    return Tombstone(
        id=TombstoneId("t"),
        made_at=NOON,
        turn_ids=(),
        hashes=(text_hash(text, KEY),),
        code=sign_code(vector) if vector is not None else None,
        model=model_of(vector),
        marks=marks(text, KEY),
    )


def learned(embedder: OnnxEmbedder | None, which: int) -> float:
    """Share of the texts that are learned after the facts that they belong to were forgotten."""
    told = []
    for told_once in PARAPHRASES:
        texts = [told_once[0], *told_once[which]]
        vectors: list[Vector | None] = [*embedder.embed(texts)] if embedder else [None] * len(texts)
        tombstone = a_tombstone(texts[0], vectors[0])
        for text, vector in zip(texts[1:], vectors[1:], strict=True):
            told.append(forbids(tombstone, KEY, a_fact(text, quotes=(a_quote(text, "s9t9"),)), vector))
    return told.count(False) / len(told)


@pytest.fixture(scope="module")
def embedder(exported_minilm: Path) -> OnnxEmbedder:
    return OnnxEmbedder(lambda: exported_minilm)


def test_no_paraphrase_is_learned_by_an_embedder_and_all_that_sounds_alike_is(embedder: OnnxEmbedder) -> None:
    assert learned(embedder, 1) <= 0.02
    assert learned(embedder, 2) == 1.0


def test_without_an_embedder_few_paraphrases_are_learned_and_all_that_sounds_alike_is() -> None:
    assert learned(None, 1) <= 0.1
    assert learned(None, 2) == 1.0
