"""What recall adds to a turn, on a store of a given size."""

from collections.abc import Iterator
from itertools import islice, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from chatmem.bench import workload
from chatmem.bench.figures import Figure
from chatmem.bootstrap import Installation, Product, open_product
from chatmem.domain.turn import Session
from chatmem.ports.embedder import Vector

BATCH = 5_000
EMBEDDED = 1_000
QUESTIONS = 100
WARM_UP = 5
BUDGET_TOKENS = 1_500


def measure_recall(installation: Installation, *, memories: int, turns: int) -> list[Figure]:
    """Fill a temporary profile and ask it questions; the embedder is the person's own.

    Raises:
        ChatMemError: If the settings are wrong, or the store could not be written.
    """
    with TemporaryDirectory() as folder:
        elsewhere = Installation(
            config_file=installation.config_file, flags={**installation.flags, "data_dir": Path(folder)}
        )
        with open_product(elsewhere) as product:
            product.load_embedder()
            fill(product, memories=memories, turns=turns)
            times = [_asked(product, question) for question in workload.questions(WARM_UP + QUESTIONS)]
    size = f"{memories:,} memories + {turns:,} turns"
    return [Figure(name=f"recall, {size}", unit="ms", values=tuple(times[WARM_UP:]))]


def fill(product: Product, *, memories: int, turns: int) -> None:
    """Write made-up memories and turns, and tidy the store as the app does when it is idle.

    Raises:
        StoreError: If the store could not be written.
    """
    base = _base(product)
    said, vectors = workload.turns(turns), _vectors(base, seed=1)
    while batch := list(islice(said, BATCH)):
        for turn in batch:
            if turn.seq == 1:
                product.log.open_session(Session(id=turn.session_id, title=turn.text, started_at=turn.said_at))
            product.log.append(turn)
        product.turns.put(batch, list(islice(vectors, len(batch))))
        product.log.mark_indexed(batch)
    learned, vectors = workload.memories(memories), _vectors(base, seed=2)
    while some := list(islice(learned, BATCH)):
        product.memories.put(some, list(islice(vectors, len(some))))


def _base(product: Product) -> np.ndarray | None:
    if not product.embedder.ready():
        return None
    return np.array(product.embedder.embed(list(islice(workload.sentences(), EMBEDDED))))


def _vectors(base: np.ndarray | None, *, seed: int) -> Iterator[Vector | None]:
    return repeat(None) if base is None else workload.vectors(base, seed=seed)


def _asked(product: Product, question: str) -> float:
    started = perf_counter()
    product.recall.find(question, budget_tokens=BUDGET_TOKENS)
    return (perf_counter() - started) * 1000
