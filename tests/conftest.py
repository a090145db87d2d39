"""How examples are drawn, and the small real models that tests run, fetched once as a user would fetch them."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from chatmem.adapters.onnx.exporter import Exporter
from tests.e2e.home import Home

# A busy machine is no failure; and in CI the same examples are tried each time, new ones where somebody can look.
settings.register_profile("chatmem", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("chatmem")


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder with `smollm2-135m` and `minilm`; `CHATMEM_TEST_CACHE` names one to keep between runs.

    All workers of a run share it; the model store fetches what two of them want at once only once.
    """
    run = tmp_path_factory.getbasetemp()
    shared = run.parent if "PYTEST_XDIST_WORKER" in os.environ else run
    cache = Path(os.environ.get("CHATMEM_TEST_CACHE") or shared / "cache")
    home = Home(tmp_path_factory.mktemp("home"), cache)
    for name in ("smollm2-135m", "minilm"):
        pulled = home.run("models", "pull", name, timeout_s=600)
        if "could be reached" in pulled.err:
            pytest.skip(f"{name} can't be fetched here: {pulled.err.strip()}")
        assert pulled.code == 0, pulled.err
    return cache


@pytest.fixture(scope="session")
def smollm2(models: Path) -> Path:
    """The file of the chat model."""
    return models / "models" / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture(scope="session")
def minilm(models: Path) -> Path:
    """The folder of the embedder."""
    return models / "models" / "minilm"


@pytest.fixture(scope="session")
def exported_minilm(minilm: Path) -> Path:
    """The folder of the embedder, with its small copy."""
    Exporter(lambda: minilm).run()
    return minilm
