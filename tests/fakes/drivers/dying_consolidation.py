"""A process that consolidates a profile and is killed at a step: `DATA_DIR WHEN METHOD TIME`.

WHEN is `before` or `after` the step is done, METHOD one of `STEPS`, TIME how often it had come to that.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chatmem.bootstrap import Product, open_product
from chatmem.bootstrap.installation import Installation
from chatmem.bootstrap.stand_ins import StandIns
from chatmem.consolidation.gate import Gate
from chatmem.consolidation.news import ConsolidationNews
from chatmem.ports.clock import Clock

STEPS = {
    "claim": lambda product: product.queue,
    "record": lambda product: product.journal,
    "put": lambda product: product.memories,
    "mark_applied": lambda product: product.journal,
    "note_done": lambda product: product.queue,
    "finish": lambda product: product.queue,
}
"""Who does each step of a consolidation."""


@contextmanager
def opened(data_dir: Path, clock: Clock | None = None) -> Iterator[Product]:
    """A profile that learns by rules alone, and recalls by words alone."""
    data_dir.mkdir(exist_ok=True)
    config = data_dir / "config.toml"
    config.write_text("[embedding]\nenabled = false\n")
    installation = Installation(config_file=config, flags={"data_dir": data_dir, "cache_dir": data_dir / "cache"})
    with open_product(installation, extractor="rules", stand_ins=StandIns(clock=clock)) as product:
        yield product


def consolidate(product: Product) -> list[ConsolidationNews]:
    """Consolidate all that waits; returns what was told."""
    told: list[ConsolidationNews] = []
    product.consolidator.enqueue_all()
    product.consolidator.run_queue(Gate(), told.append)
    return told


def doom(product: Product, when: str, method: str, time: int) -> None:
    """Have this process killed at a step."""
    owner = STEPS[method](product)
    done, left = getattr(owner, method), time

    def burn() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def step(*arguments: object, **named: object) -> object:
        if when == "before":
            burn()
        result = done(*arguments, **named)
        if when == "after":
            burn()
        return result

    setattr(owner, method, step)


if __name__ == "__main__":
    folder, when, method, time = sys.argv[1:]
    with opened(Path(folder)) as product:
        doom(product, when, method, int(time))
        consolidate(product)
