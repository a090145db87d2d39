"""What recall adds to a turn, on a store of a given size.

The figures:

- *added before the model*: from the question to what is put into the prompt, the whole of `Recall.find`: embedding,
  both indexes, ranking, the count of uses. Each question is asked once; the first five are not counted. *Of it
  processor time* counts all threads, so that a busy machine does not blur it.
- *said until found by words*, *by meaning*: from the moment a turn is in the session log until a search of the turn
  index returns it, with the embedder loaded; what the consolidation thread does once a turn has ended.
- *start to first semantic recall*: from starting a fresh Python to the answer of one question, in a profile of that
  size, with the embedder.
- *resident memory*: the most that process ever held, with the embedder and without a chat model.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np

from chatmem.bench import workload
from chatmem.bench.figures import Figure, Note
from chatmem.bench.others import measure_others
from chatmem.bootstrap import Installation, Product, open_product
from chatmem.domain.turn import Session, Turn
from chatmem.ports.embedder import Vector

BATCH = 5_000
EMBEDDED = 1_000
QUESTIONS = 100
WARM_UP = 5
BUDGET_TOKENS = 1_500
SAID = 20
STARTS = 5

PROCESSOR = "  of it processor time"

SMALL = 20_000
"""Memories and turns up to which the goal is that of a small store; and up to which others are filled too."""


def measure_recall(installation: Installation, *, memories: int, turns: int) -> Iterator[Figure | Note]:
    """Fill a temporary profile and ask it questions; the embedder is the person's own.

    Raises:
        ChatMemError: If the settings are wrong, or the store could not be written.
    """
    with TemporaryDirectory() as folder:
        flags = {**installation.flags, "data_dir": Path(folder) / "data"}
        elsewhere = Installation(config_file=installation.config_file, flags=flags)
        questions = workload.questions(WARM_UP + QUESTIONS)
        with open_product(elsewhere) as product:
            product.load_embedder()
            fill(product, memories=memories, turns=turns)
            ours, processor = _added(product, questions, memories=memories, turns=turns)
            yield from (ours, processor)
            yield from _said_until_found(product)
        yield from _starts(elsewhere, questions[0])
        if memories + turns > SMALL:
            yield Note(text=f"others are compared with up to {SMALL:,} texts, which take them minutes to store")
            return
        with open_product(elsewhere) as product:
            product.load_embedder()
            if product.embedder.ready():
                texts = _texts(product, memories=memories, turns=turns)
                yield from measure_others(
                    Path(folder), texts, questions, lambda text: list(product.embedder.embed([text])[0]), ours=ours
                )


def _added(product: Product, questions: Sequence[str], *, memories: int, turns: int) -> tuple[Figure, Figure]:
    """How long the questions took, and how much of the processor."""
    times = [_asked(product, question) for question in questions][WARM_UP:]
    whole, processor = zip(*times, strict=True)
    name = f"added before the model, {memories:,} memories + {turns:,} turns"
    return (
        Figure(name=name, unit="ms", values=whole, goal=12 if memories + turns <= SMALL else 30),
        Figure(name=PROCESSOR, unit="ms", values=processor),
    )


def _said_until_found(product: Product) -> Iterator[Figure]:
    """Say turns one after another, each to be found before the next."""
    by_words, by_meaning = [], []
    for number, turn in enumerate(islice(workload.turns(SAID), SAID)):
        said = Turn(
            id=type(turn.id)(f"said{number}"),
            session_id=type(turn.session_id)("said"),
            seq=number + 1,
            role=turn.role,
            text=f"{turn.text} Quokka{number} told me.",
            said_at=turn.said_at,
        )
        if not number:
            product.log.open_session(Session(id=said.session_id, title="said", started_at=said.said_at))
        product.log.append(said)
        started = perf_counter()
        product.settle()
        while said.id not in [match.id for match in product.turns.by_words(f"quokka{number}", limit=5)]:
            product.settle()
        by_words.append((perf_counter() - started) * 1000)
        if product.embedder.ready():
            vector = product.embedder.embed([said.text])[0]
            while said.id not in [match.id for match in product.turns.by_vector(vector, limit=50)]:
                product.settle()
            by_meaning.append((perf_counter() - started) * 1000)
    yield Figure(name="said until found by words", unit="ms", values=tuple(by_words), goal=100)
    if by_meaning:
        yield Figure(name="said until found by meaning", unit="ms", values=tuple(by_meaning), goal=1000)


def _starts(installation: Installation, question: str) -> Iterator[Figure]:
    """Start several times, one after another."""
    flags = {name: str(value) if isinstance(value, Path) else value for name, value in installation.flags.items()}
    config_file = str(installation.config_file) if installation.config_file else None
    given = json.dumps({"config_file": config_file, "flags": flags, "question": question})
    seconds, told = [], []
    for _ in range(STARTS):
        started = perf_counter()
        with subprocess.Popen(
            [sys.executable, "-P", "-m", "chatmem.bench.starting", given],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as child:
            line = child.stdout.readline() if child.stdout else b""
            seconds.append(perf_counter() - started)
        told.append(json.loads(line))
    yield Figure(name="start to first semantic recall", unit="s", values=tuple(seconds), goal=1.5)
    yield Figure(name=PROCESSOR, unit="s", values=tuple(each["processor_s"] for each in told))
    if told[0]["resident_mb"] is not None:
        values = tuple(each["resident_mb"] for each in told)
        yield Figure(name="resident memory, with the embedder", unit="MB", values=values, goal=350)


def _texts(product: Product, *, memories: int, turns: int) -> list[tuple[str, str, list[float]]]:
    """What `fill` wrote."""
    base = _base(product)
    said = ((turn.id, turn.text) for turn in workload.turns(turns))
    learned = ((memory.id, memory.text) for memory in workload.memories(memories))
    return [
        (id_, text, list(vector or ()))
        for seed, pairs in ((1, said), (2, learned))
        for (id_, text), vector in zip(pairs, _vectors(base, seed=seed), strict=False)
    ]


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


def _asked(product: Product, question: str) -> tuple[float, float]:
    started, worked = perf_counter(), process_time()
    product.recall.find(question, budget_tokens=BUDGET_TOKENS)
    return (perf_counter() - started) * 1000, (process_time() - worked) * 1000
