"""Homes for the real program to run in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.home import Home
from tests.fakes.openai_server import OpenAIServer


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty home with an empty cache."""
    return Home(tmp_path, tmp_path / "cache")


@pytest.fixture
def home_with_models(tmp_path: Path, models: Path) -> Home:
    """An empty home whose cache holds the small models."""
    return Home(tmp_path, models, {"CHATMEM_MODEL": "smollm2-135m"})


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(always="Noted.") as server:
        yield server


@pytest.fixture
def place(home: Home, server: OpenAIServer) -> Home:
    """A home whose settings name the server on loopback, and where rules do the learning."""
    home.env["FAKE_KEY"] = "fake-key-for-tests"
    (home.folder / "config.toml").write_text(
        'model = "fake"\n[consolidation]\nextractor = "rules"\n'
        f'[providers.fake]\nmodel = "openai/fake"\napi_base = "{server.base_url}"\napi_key_env = "FAKE_KEY"\n'
    )
    return home
