"""Real model files, where they are at hand."""

import os
from pathlib import Path

import pytest


def smollm2() -> Path:
    """The file of smollm2-135m in the folder that `CHATMEM_TEST_MODELS` names; skips the test where there is none."""
    path = Path(os.environ.get("CHATMEM_TEST_MODELS") or "-") / "smol.gguf"
    if not path.is_file():
        pytest.skip("CHATMEM_TEST_MODELS names no folder with smol.gguf (the file of smollm2-135m)")
    return path
