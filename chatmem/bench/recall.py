"""`chatmem bench recall`: how often recall finds the turns that hold an answer, where they are known."""

import gzip
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import IO

import numpy as np
from pydantic import BaseModel, ValidationError

from chatmem.bench.figures import percentile
from chatmem.bootstrap import Installation, Product, open_product
from chatmem.domain.errors import UsageError
from chatmem.domain.turn import TurnId

RESAMPLES = 1_000
"""For the intervals: the mean over so many draws of as many questions with replacement (percentile bootstrap)."""

KEPT = 100
"""Turns of each ranking that `--ranks` writes."""

HEADLINE = ("single_hop", "multi_hop", "temporal", "open_domain")
"""The categories of the headline. The evidence of an adversarial question is the other speaker's turn."""


class _Question(BaseModel):
    id: str
    question: str
    category: str
    gold: list[str]


class _Conversation(BaseModel):
    id: str
    questions: list[_Question]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What recall ranked for one question.

    Attributes:
        ranked: Ids of turns as the benchmark names them, best first.
        gold: Ids of the turns that hold the answer.
        ms: How long it took, embedding included.
    """

    conversation: str
    question: str
    category: str
    ranked: tuple[str, ...]
    gold: frozenset[str]
    ms: float


def run(
    installation: Installation, folder: Path, *, tell: Callable[[str], None], ranks: IO[str] | None = None
) -> list[Answer]:
    """Ask the questions of all conversations in a folder, each in a profile of its own that is dropped afterwards.

    Args:
        installation: Settings and models are the person's own.
        folder: Holds the conversations, `.json` or `.json.gz`.
        tell: Is told of progress.
        ranks: Gets a JSON line a question.

    Raises:
        UsageError: If there is no conversation, or one that can't be read.
        ChatMemError: If the temporary profile could not be written.
    """
    answers = []
    for file in conversations(folder):
        for answer in _asked(installation, file, tell):
            answers.append(answer)
            if ranks:
                ranks.write(json.dumps(_line(answer)) + "\n")
    return answers


def conversations(folder: Path) -> list[Path]:
    """The files of conversations in a folder, by the numbers in their names.

    Raises:
        UsageError: If there are none.
    """
    found = [file for file in folder.glob("*") if file.name.endswith((".json", ".json.gz"))] if folder.is_dir() else []
    if not found:
        raise UsageError(f"There are no conversations (.json or .json.gz) in {folder}.")
    return sorted(found, key=lambda file: ([int(number) for number in re.findall(r"\d+", file.name)], file.name))


def _asked(installation: Installation, file: Path, tell: Callable[[str], None]) -> Iterator[Answer]:
    with TemporaryDirectory() as folder:
        elsewhere = Installation(
            config_file=installation.config_file, flags={**installation.flags, "data_dir": Path(folder)}
        )
        with open_product(elsewhere) as product:
            product.load_embedder()
            added = product.importer.run(file)
            product.indexer.index_waiting()
            conversation = _read(file)
            by = "words and meaning" if product.embedder.ready() else "words alone, as no embedder was fetched"
            tell(f"{conversation.id}: {added.turns} turns, {len(conversation.questions)} questions; by {by}")
            for question in conversation.questions:
                if question.gold:
                    yield _answer(product, conversation.id, question)


def _read(file: Path) -> _Conversation:
    """The questions of a file that the import could read."""
    content = file.read_bytes()
    try:
        return _Conversation.model_validate(json.loads(gzip.decompress(content) if file.suffix == ".gz" else content))
    except ValidationError as error:
        raise UsageError(f"{file} is no conversation of the recall benchmark: it lacks ids or questions.") from error


def _answer(product: Product, conversation: str, question: _Question) -> Answer:
    started = perf_counter()
    ranked = product.recall.rank_turns(question.question, limit=KEPT)
    ms = (perf_counter() - started) * 1000
    return Answer(
        conversation=conversation,
        question=question.id,
        category=question.category,
        ranked=tuple(bench_id(turn.said.turn_id) for turn in ranked),
        gold=frozenset(question.gold),
        ms=ms,
    )


def bench_id(turn_id: TurnId) -> str:
    """The benchmark's id of a turn, which the import puts at the end of ours."""
    return turn_id.rsplit("-", 1)[-1]


def _line(answer: Answer) -> dict[str, object]:
    return {
        "conv": answer.conversation,
        "qid": answer.question,
        "ranked": list(answer.ranked),
        "ms": round(answer.ms, 3),
    }


def measures(answer: Answer) -> dict[str, float]:
    """The figures of one question, by name."""
    hits = [turn in answer.gold for turn in answer.ranked]
    found = {f"recall@{k}": sum(hits[:k]) / len(answer.gold) for k in (1, 5, 10, 20)}
    gain = sum(hit / log2(place + 2) for place, hit in enumerate(hits[:10]))
    best = sum(1 / log2(place + 2) for place in range(min(len(answer.gold), 10)))
    sessions = list(dict.fromkeys(session_of(turn) for turn in answer.ranked))
    right = {session_of(turn) for turn in answer.gold}
    return found | {
        "hit@5": float(any(hits[:5])),
        "nDCG@10": gain / best,
        "MRR": next((1 / place for place, hit in enumerate(hits, 1) if hit), 0.0),
        "session@1": float(not right.isdisjoint(sessions[:1])),
        "session@5": float(not right.isdisjoint(sessions[:5])),
    }


def session_of(turn: str) -> str:
    """The session of a turn, by its id: `D1` of `D1:3`."""
    return turn.split(":", 1)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The figures of some questions: of each its mean and its 95 % interval."""

    name: str
    count: int
    figures: dict[str, tuple[float, float, float]]


def table(answers: Sequence[Answer]) -> list[Row]:
    """The rows to print: the headline, all categories together, and each category."""
    groups = [("four categories", HEADLINE), ("all categories", tuple(sorted({a.category for a in answers})))]
    groups += [(name, (name,)) for name in groups[1][1]]
    chosen = [(name, [answer for answer in answers if answer.category in wanted]) for name, wanted in groups]
    return [_row(name, some) for name, some in chosen if some]


def _row(name: str, answers: Sequence[Answer]) -> Row:
    measured = [measures(answer) for answer in answers]
    names = list(measured[0])
    values = np.array([[row[name] for name in names] for row in measured])
    draws = np.random.default_rng(0).integers(0, len(values), (RESAMPLES, len(values)))
    means = np.array([values[draw].mean(axis=0) for draw in draws])
    low, high = np.percentile(means, [2.5, 97.5], axis=0)
    middle = values.mean(axis=0)
    figures = {name: (float(middle[at]), float(low[at]), float(high[at])) for at, name in enumerate(names)}
    return Row(name=name, count=len(answers), figures=figures)


def latency(answers: Sequence[Answer]) -> tuple[float, float]:
    """Median and 95th percentile of the time a question took, in milliseconds."""
    times = [answer.ms for answer in answers]
    return percentile(times, 0.5), percentile(times, 0.95)
