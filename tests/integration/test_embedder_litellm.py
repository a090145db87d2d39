"""An embedder behind litellm, against a server on loopback."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chatmem.adapters.litellm.embedder import LitellmEmbedder
from chatmem.domain.embedding import model_of
from chatmem.domain.errors import EmbedderError
from chatmem.domain.model import KeyPlace, KeySource, ModelChoice
from tests.fakes.embedding_server import Answer, EmbeddingServer, let_go_of_connections, raw, refusal, vectors
from tests.fakes.keys import FakeKeys

KEY = KeySource(place=KeyPlace.ENVIRONMENT, name="SYNTHETIC_KEY")


@pytest.fixture(autouse=True, scope="module")
def _let_go_of_connections() -> Iterator[None]:
    yield
    let_go_of_connections()


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer(vectors(8)) as server:
        yield server


def embedder_at(base_url: str, *, first_pause_s: float = 60.0) -> LitellmEmbedder:
    choice = ModelChoice(name="mine", model="openai/m", api_base=base_url, key=KEY)
    keys = FakeKeys({"SYNTHETIC_KEY": "synthetic"})
    return LitellmEmbedder(choice, model="litellm:mine", keys=keys, limit_s=5.0, first_pause_s=first_pause_s)


def test_texts_come_back_as_vectors_that_name_their_model(server: EmbeddingServer) -> None:
    embedder = embedder_at(server.base_url)

    embedder.warm_up()
    one, other, again = embedder.embed(["I live in Porto.", "", "I live in Porto."])

    assert embedder.ready()
    assert embedder.dimension == len(one) == 8
    assert one == again != other
    assert sum(x * x for x in one) == pytest.approx(1.0)
    assert model_of(one) == "litellm:mine"
    assert set(server.keys) == {"synthetic"}


def test_many_texts_are_asked_for_in_bundles(server: EmbeddingServer) -> None:
    found = embedder_at(server.base_url).embed([f"text {number}" for number in range(70)])

    assert len(found) == 70
    assert [len(texts) for texts in server.asked] == [32, 32, 6]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (refusal(401, "wrong key"), "key"),
        (refusal(500, "out of order"), "mine|server"),
        (raw(), "0 vectors"),
        (raw([1.0] * 8, [1.0] * 8), "2 vectors"),
        (raw([float("nan")] * 8), "something else"),
        (raw([0.0] * 8), "something else"),
        (raw([1.0, 0.0]), "not of 8.*doctor --repair"),
        (lambda _: (200, {"unexpected": True}), "mine|something else"),
    ],
    ids=["401", "500", "empty", "too many", "nan", "zero", "dimension", "no list"],
)
def test_what_is_no_vector_is_told_and_nobody_is_asked_for_a_while(
    server: EmbeddingServer, answer: Answer, told: str
) -> None:
    embedder = embedder_at(server.base_url)
    embedder.warm_up()
    server.answer = answer

    with pytest.raises(EmbedderError, match=told):
        embedder.embed(["one"])

    assert not embedder.ready()
    assert not embedder.wait_ready(0.0)


def test_a_server_that_is_down_is_told_and_found_again(server: EmbeddingServer) -> None:
    embedder = embedder_at("http://127.0.0.1:9/v1", first_pause_s=0.0)
    with pytest.raises(EmbedderError):
        embedder.warm_up()
    assert not embedder.ready()

    found_again = embedder_at(server.base_url, first_pause_s=0.0)
    server.answer = refusal(503, "starting")
    with pytest.raises(EmbedderError):
        found_again.warm_up()
    server.answer = vectors(8)
    found_again.warm_up()

    assert found_again.ready()


def test_a_missing_key_is_named() -> None:
    choice = ModelChoice(name="mine", model="openai/m", key=KEY)

    with pytest.raises(EmbedderError, match="SYNTHETIC_KEY"):
        LitellmEmbedder(choice, model="litellm:mine", keys=FakeKeys({})).warm_up()


def test_strange_texts_are_taken(server: EmbeddingServer, tmp_path: Path) -> None:
    odd = ["", "\x00", "\ud83d lone", "a" * 1_000_000, "나는 포르투에 살아요"]

    assert len(embedder_at(server.base_url).embed(odd)) == len(odd)
    assert max(len(text) for texts in server.asked for text in texts) == 4_000
