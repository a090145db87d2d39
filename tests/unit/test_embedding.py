"""Vectors know whose they are, and codes of different models are never compared."""

import pytest

from chatmem.domain.embedding import embedding, model_of
from chatmem.domain.forgetting import Tombstone, TombstoneId, forbids, sign_code
from tests.fakes.builders import NOON, a_fact
from tests.fakes.embedder import FakeEmbedder

KEY = b"synthetic key"
TEXT = "I'm allergic to peanuts."


def test_an_embedding_has_length_one_and_tells_its_model() -> None:
    made = embedding([3.0, 4.0], "tiny")

    assert list(made) == pytest.approx([0.6, 0.8])
    assert model_of(made) == "tiny"
    assert model_of([1.0, 0.0]) is None


@pytest.mark.parametrize("values", [[float("nan"), 1.0], [float("inf"), 1.0], [0.0, 0.0], []])
def test_numbers_without_a_direction_are_no_embedding(values: list[float]) -> None:
    with pytest.raises(ValueError, match="no direction"):
        embedding(values, "tiny")


@pytest.mark.parametrize(("model", "kept_out"), [("fake", True), ("another", False)])
def test_a_paraphrase_is_known_again_by_a_code_of_the_same_model_alone(model: str, kept_out: bool) -> None:
    code = sign_code(FakeEmbedder().embed([TEXT])[0])
    tombstone = Tombstone(id=TombstoneId("t"), made_at=NOON, turn_ids=(), hashes=(), code=code, model="fake")
    vector = FakeEmbedder(model=model).embed([f"Also, {TEXT}"])[0]

    assert forbids(tombstone, KEY, a_fact(TEXT), vector) is kept_out
