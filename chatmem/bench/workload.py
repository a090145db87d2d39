"""Made-up talk to fill a store with: deterministic, different in each line, of the length that people write."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice, product

import numpy as np

from chatmem.domain.memory import Extractor, Kind, Memory, MemoryId
from chatmem.domain.turn import Role, SessionId, Turn, TurnId
from chatmem.ports.embedder import Vector

BEGINNING = datetime(2024, 1, 1, 9, tzinfo=UTC)
TURNS_A_SESSION = 40

_WHO = ("My sister", "Tom", "Our neighbour", "I", "My colleague Ines", "The dentist", "Grandma", "My brother-in-law")
_DID = ("bought", "lost", "repaired", "sold", "borrowed", "painted", "found", "gave away", "ordered", "broke")
_WHAT = (
    "a blue bicycle",
    "the old piano",
    "two concert tickets",
    "a greenhouse",
    "the garden hose",
    "a box of records",
    "an espresso machine",
    "the winter tyres",
    "a sewing machine",
    "the tent",
    "a wooden chess board",
    "her passport",
)
_WHERE = (
    "in Porto",
    "near the harbour",
    "at the flea market",
    "in the cellar",
    "on the way to Lyon",
    "at work",
    "online",
)
_WHEN = ("last Tuesday", "in March", "before the move", "yesterday", "two years ago", "on his birthday")
_WHY = (
    "because it rained",
    "for the wedding",
    "by accident",
    "to save money",
    "although nobody asked",
    "after the storm",
)

_QUESTIONS = ("Who {did} {what}?", "Where was it that somebody {did} {what}?", "When did {who} have {what}?")


def sentences() -> Iterator[str]:
    """Sentences, each once and then with a number; neighbours share few words."""
    shapes = list(product(_WHO, _DID, _WHAT, _WHERE, _WHEN, _WHY))
    step, at, round_ = 100_003, 0, 0  # a prime that shares no factor with the number of shapes
    while True:
        for _ in shapes:
            who, did, what, where, when, why = shapes[at]
            yield f"{who} {did} {what} {where} {when} {why}." + (f" That was time {round_}." if round_ else "")
            at = (at + step) % len(shapes)
        round_ += 1


def questions(count: int) -> list[str]:
    """Questions about what the sentences tell, each once; at most some hundreds."""
    shapes = product(_WHAT, _DID, _WHO, _QUESTIONS)
    asked = dict.fromkeys(shape.format(what=what, did=did, who=who) for what, did, who, shape in shapes)
    return list(islice(asked, count))


def turns(count: int) -> Iterator[Turn]:
    """Turns of sessions of `TURNS_A_SESSION`, a minute apart."""
    for number, text in enumerate(islice(sentences(), count)):
        yield Turn(
            id=TurnId(f"t{number:07}"),
            session_id=SessionId(f"s{number // TURNS_A_SESSION:06}"),
            seq=number % TURNS_A_SESSION + 1,
            role=Role.USER if number % 2 == 0 else Role.ASSISTANT,
            text=text,
            said_at=BEGINNING + timedelta(minutes=number),
        )


def memories(count: int) -> Iterator[Memory]:
    """Facts and, every eighth, episodes."""
    for number, text in enumerate(islice(sentences(), count)):
        at = BEGINNING + timedelta(minutes=number)
        yield Memory(
            id=MemoryId(f"m{number:07}"),
            kind=Kind.EPISODE if number % 8 == 0 else Kind.FACT,
            text=text,
            extractor=Extractor.USER,
            created_at=at,
            updated_at=at,
            valid_from=at,
        )


def vectors(base: np.ndarray, *, seed: int) -> Iterator[Vector]:
    """Vectors scattered around those of `base`, without end, L2 norm 1.

    Embedding 400,000 sentences takes half an hour and would measure the embedder; what is searched is as long, as many
    and as clustered as real ones.

    Args:
        base: Real embeddings, `(n, dimension)`.
        seed: Of the scatter.
    """
    scatter = np.random.default_rng(seed)
    spread = 0.5 / np.sqrt(base.shape[1])
    for centre in cycle(base):
        vector = centre + scatter.normal(0.0, spread, base.shape[1])
        yield (vector / np.linalg.norm(vector)).tolist()
