"""A change of the embedder in the settings: found by words at once, by meaning later, and vectors are never mixed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.bootstrap import Installation, Product, open_product
from chatmem.bootstrap.opening import embedder_of, former_embedder
from chatmem.config.schema import EmbeddingSettings, ProviderSettings, Settings
from chatmem.domain.errors import EmbedderError, SettingsError
from chatmem.domain.memory import Kind
from tests.fakes.embedding_server import EmbeddingServer, let_go_of_connections, raw, refusal, vectors
from tests.fakes.keys import FakeKeys
from tests.fakes.tiny_embedder import make_tiny_embedder


@pytest.fixture(autouse=True, scope="module")
def _let_go_of_connections() -> Iterator[None]:
    yield
    let_go_of_connections()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_embedder(tmp_path_factory.mktemp("models") / "tiny", pooling="cls")


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer(vectors(8)) as server:
        yield server


def installed(tmp_path: Path, model: str, server: EmbeddingServer | None = None) -> Installation:
    """The settings with an embedder, on the same folders each time."""
    config = tmp_path / "config.toml"
    base = f'[providers.mine]\nmodel = "openai/m"\napi_base = "{server.base_url}"\n' if server else ""
    config.write_text(
        f'data_dir = "{tmp_path / "data"}"\ncache_dir = "{tmp_path / "cache"}"\n{base}'
        f'[embedding]\nmodel = "{model}"\nfetch = false\nbackend = "torch"\n'
    )
    return Installation(config_file=config)


def remember(product: Product, *texts: str) -> None:
    product.prepare_recall()
    for text in texts:
        product.curator.add(text, kind=Kind.FACT)


def found(product: Product, text: str) -> list[str]:
    return [item.text for item in product.recall.search(text, limit=5)]


def test_a_store_without_an_embedder_gets_vectors_once_there_is_one(tmp_path: Path, server: EmbeddingServer) -> None:
    with open_product(installed(tmp_path, "minilm")) as product:
        remember(product, "I live in Porto.")
    with open_product(installed(tmp_path, "litellm:mine", server)) as product:
        product.prepare_recall()
        before = product.generations.searched(), product.embedder.ready(), found(product, "Porto")
        product.upkeep.round()

        assert before == (("all-MiniLM-L6-v2", 384), False, ["I live in Porto."])
        assert product.generations.searched() == ("litellm:mine = openai/m", 8)
        assert product.embedder.ready()
        assert product.memories.without_vector(limit=5) == []
        assert found(product, "Porto") == ["I live in Porto."]
        assert len(list(product.generations.root.glob("*/"))) == 1


def test_the_former_embedder_answers_until_the_swap(tmp_path: Path, server: EmbeddingServer, tiny: Path) -> None:
    with open_product(installed(tmp_path, "litellm:mine", server)) as product:
        remember(product, "I live in Porto.")
        product.upkeep.round()
    with open_product(installed(tmp_path, str(tiny), server)) as product:
        product.prepare_recall()

        assert product.embedder.ready()
        assert product.embedder.model == "litellm:mine = openai/m"
        product.upkeep.round()
        assert product.embedder.model.startswith(f"{tiny} @ ")
        assert product.embedder.dimension == 32
        assert product.memories.without_vector(limit=5) == []
        assert not (tiny / "onnx").exists()


def test_a_server_whose_model_changed_is_refused_with_the_cure_and_words_go_on(
    tmp_path: Path, server: EmbeddingServer
) -> None:
    with open_product(installed(tmp_path, "litellm:mine", server)) as product:
        remember(product, "I live in Porto.")
        product.upkeep.round()
    server.answer = raw([1.0, 0.0, 0.0])
    with open_product(installed(tmp_path, "litellm:mine", server)) as product:
        product.prepare_recall()

        with pytest.raises(EmbedderError, match="doctor --repair"):
            product.embedder.embed(["Porto"])
        assert found(product, "Porto") == ["I live in Porto."]
        product.repair(lambda *_: None)
        assert product.generations.searched() == ("litellm:mine = openai/m", 3)
        assert product.memories.without_vector(limit=5) == []


def test_a_server_that_is_away_loses_nothing(tmp_path: Path, server: EmbeddingServer) -> None:
    with open_product(installed(tmp_path, "litellm:mine", server)) as product:
        remember(product, "I live in Porto.")
        product.upkeep.round()
        server.answer = refusal(500, "out of order")
        product.curator.add("I eat no peanuts.", kind=Kind.FACT)

        assert [memory.text for memory in product.memories.without_vector(limit=5)] == ["I eat no peanuts."]
        assert found(product, "peanuts") == ["I eat no peanuts."]
    server.answer = vectors(8)
    with open_product(installed(tmp_path, "litellm:mine", server)) as product:
        product.prepare_recall()
        product.indexer.embed_missing()

        assert product.memories.without_vector(limit=5) == []


def test_a_folder_that_is_gone_is_told_and_words_go_on(tmp_path: Path) -> None:
    with open_product(installed(tmp_path, str(tmp_path / "nowhere"))) as product:
        remember(product, "I live in Porto.")

        with pytest.raises(EmbedderError, match="nowhere"):
            product.upkeep.round()
        assert found(product, "Porto") == ["I live in Porto."]


def test_files_that_are_no_model_are_told_and_words_go_on(tmp_path: Path, tiny: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "modules.json").write_bytes((tiny / "modules.json").read_bytes())
    with open_product(installed(tmp_path, str(damaged))) as product:
        remember(product, "I live in Porto.")

        with pytest.raises(EmbedderError):
            product.upkeep.round()
        assert found(product, "Porto") == ["I live in Porto."]


def test_a_small_copy_of_a_model_that_pools_otherwise_is_like_it(tmp_path: Path, tiny: Path) -> None:
    settings = Settings(embedding=EmbeddingSettings(model=str(tiny)))
    store = FolderModelStore(tmp_path / "models")
    chosen = embedder_of(store, settings, FakeKeys())
    original = embedder_of(store, Settings(embedding=EmbeddingSettings(model=str(tiny), backend="torch")), FakeKeys())
    try:
        chosen.export()
        (one,), (other,) = chosen.embed(["Where do I live?"]), original.embed(["Where do I live?"])
    finally:
        chosen.close()
        original.close()

    assert chosen.dimension == original.dimension == 32
    assert sum(x * y for x, y in zip(one, other, strict=True)) > 0.98
    assert not (tiny / "onnx").exists()


@pytest.mark.parametrize("name", ["unheard-of", "litellm:nobody", "a/b/c"])
def test_a_name_that_means_no_embedder_is_refused_with_what_would(tmp_path: Path, name: str) -> None:
    settings = Settings(embedding=EmbeddingSettings(model=name))

    with pytest.raises(SettingsError, match=r"embedding\.model"):
        embedder_of(FolderModelStore(tmp_path), settings, FakeKeys())


def test_a_former_embedder_is_had_only_as_it_was(tmp_path: Path, tiny: Path) -> None:
    store, keys = FolderModelStore(tmp_path), FakeKeys()
    profile = ProviderSettings(model="openai/other")
    settings = Settings(embedding=EmbeddingSettings(model="minilm"), providers={"mine": profile})
    of_folder = embedder_of(store, Settings(embedding=EmbeddingSettings(model=str(tiny))), keys).model

    assert former_embedder("litellm:mine = openai/m", store, settings, keys) is None
    assert former_embedder("litellm:mine = openai/other", store, settings, keys) is not None
    assert former_embedder(of_folder, store, settings, keys) is not None
    assert former_embedder(f"{tiny} @ 000000", store, settings, keys) is None
    assert former_embedder("all-MiniLM-L6-v2", store, settings, keys) is None
