"""What every embedder promises.

The real ones run the real model.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chatmem.adapters.onnx.embedder import OnnxEmbedder
from chatmem.adapters.sentence_transformers.embedder import SentenceTransformersEmbedder
from chatmem.ports.embedder import Embedder, Vector
from tests.fakes.embedder import FakeEmbedder

HOME = "I live in Porto, near the river."
FOOD = "The user is allergic to peanuts."
ODD = [
    "",
    " \n",
    "\x00\x1b[31m",
    "\ud83d lone",
    "👩‍👩‍👧🇰🇷",
    "나는 포르투에 살고 있습니다.",
    "a" * 1_000_000,
    "word " * 200_000,
]


@pytest.fixture(scope="module", params=["fake", "sentence-transformers", "onnx"])
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    if request.param == "fake":
        yield FakeEmbedder(ready=False)
        return
    if request.param == "onnx":
        exported: Path = request.getfixturevalue("exported_minilm")
        yield OnnxEmbedder(lambda: exported)
        return
    folder: Path = request.getfixturevalue("minilm")
    with SentenceTransformersEmbedder(lambda: folder) as real:
        yield real


def likeness(one: Vector, other: Vector) -> float:
    return sum(x * y for x, y in zip(one, other, strict=True))


def test_it_is_ready_when_it_was_warmed_up(embedder: Embedder) -> None:
    before = embedder.ready()
    embedder.warm_up()

    assert (before, embedder.ready()) == (False, True)


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed([]) == []


@pytest.mark.parametrize("text", [HOME, *ODD], ids=lambda text: ascii(text[:10]))
def test_any_text_becomes_a_vector_of_length_one(embedder: Embedder, text: str) -> None:
    (vector,) = embedder.embed([text])

    assert len(vector) == embedder.dimension
    assert likeness(vector, vector) == pytest.approx(1.0, abs=1e-5)


def test_a_text_has_the_same_vector_alone_and_among_others(embedder: Embedder) -> None:
    together = embedder.embed([FOOD, "x", HOME, *["filler " * number for number in range(100)], FOOD])
    (alone,) = embedder.embed([FOOD])

    assert likeness(together[0], alone) == pytest.approx(1.0, abs=1e-4)
    assert likeness(together[-1], alone) == pytest.approx(1.0, abs=1e-4)


def test_a_question_is_nearest_to_the_text_that_answers_it(embedder: Embedder) -> None:
    home, food, where, peanuts = embedder.embed([HOME, FOOD, "Where do I live?", "Is there an allergy to peanuts?"])

    assert likeness(where, home) > likeness(where, food)
    assert likeness(peanuts, food) > likeness(peanuts, home)


def test_threads_get_the_vectors_of_their_own_texts(embedder: Embedder) -> None:
    texts = [f"The number of the house is {number}." for number in range(24)]
    expected = embedder.embed(texts)
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda text: embedder.embed([text]), texts))

    assert all(likeness(one, other) > 0.999 for (one,), other in zip(answers, expected, strict=True))
