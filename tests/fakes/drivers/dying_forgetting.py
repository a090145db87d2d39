"""A process that forgets one memory, or a session, of a profile and is killed at a step: `DATA_DIR WHAT ID WHEN STEP`.

WHAT is `memory` or `session`, WHEN is `before` or `after` the step is done, STEP one of `STEPS`.
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
from chatmem.domain.forgetting import Proof
from chatmem.domain.memory import MemoryId
from chatmem.domain.turn import SessionId
from tests.fakes.owned_embedder import FakeOwnedEmbedder

STEPS = {
    "begin": lambda product: product.session_eraser,
    "begin_forgetting": lambda product: product.journal,
    "bury": lambda product: product.journal,
    "rewrite": lambda product: product.journal,
    "erase_memories": lambda product: product.journal,
    "end_forgetting": lambda product: product.journal,
    "redact": lambda product: product.log,
    "erase": lambda product: product.memories,
    "scrub": lambda product: product.turns,
}
"""Who does each step of forgetting."""


@contextmanager
def opened(data_dir: Path) -> Iterator[Product]:
    """A profile with an embedder that hears likeness in shared words."""
    data_dir.mkdir(exist_ok=True)
    installation = Installation(
        config_file=data_dir / "config.toml", flags={"data_dir": data_dir, "cache_dir": data_dir / "cache"}
    )
    with open_product(installation, extractor="rules", stand_ins=StandIns(embedder=FakeOwnedEmbedder())) as product:
        yield product


def forget(product: Product, what: str, id_: str) -> Proof:
    """Forget a memory or a session."""
    if what == "session":
        return product.forgetting.forget([], [SessionId(id_)])
    return product.forgetting.forget([MemoryId(id_)])


def doom(product: Product, when: str, method: str) -> None:
    """Have this process killed at a step."""
    owner = STEPS[method](product)
    done = getattr(owner, method)

    def step(*arguments: object, **named: object) -> None:
        if when == "after":
            done(*arguments, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(owner, method, step)


if __name__ == "__main__":
    folder, what, id_, when, method = sys.argv[1:]
    with opened(Path(folder)) as product:
        doom(product, when, method)
        forget(product, what, id_)
