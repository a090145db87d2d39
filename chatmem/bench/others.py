"""The same searches with other local stores, where these are installed: chroma, and langgraph's SqliteStore.

They are no dependencies. Each gets the texts and vectors that chatmem got, and is asked the same questions, embedded by
the same embedder; what it does beside the search (no ranking by neighbours, sessions or time) is its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

from chatmem.bench.figures import Figure, Note

FOUND = 20
"""Results a question: about what chatmem puts into a prompt."""

AT_ONCE = 1_000
WARM_UP = 5

Texts = Sequence[tuple[str, str, Sequence[float]]]
"""Id, text and vector."""

Embed = Callable[[str], Sequence[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """A store to compare with.

    Attributes:
        module: Is there where it is installed.
        package: What to install.
        fill: Fills one, in a folder, and gives its search.
    """

    module: str
    package: str
    fill: Callable[[Path, Texts, Embed], AbstractContextManager[Callable[[str], object]]]


def measure_others(
    folder: Path,
    texts: Texts,
    questions: Sequence[str],
    embed: Embed,
    *,
    ours: Figure,
    stores: Mapping[str, Other] | None = None,
) -> Iterator[Figure | Note]:
    """Fill each store that is installed, ask it the questions, and set its time in relation to ours.

    Args:
        folder: For their files.
        texts: What they hold.
        questions: Each asked once; the first five are not counted.
        embed: Embeds a question, which counts.
        ours: What chatmem took for the same.
        stores: By name; chroma and langgraph's if not given.
    """
    for name, other in (STORES if stores is None else stores).items():
        if not _is_installed(other.module):
            yield Note(text=f"{name}: not installed here, not compared (`pip install {other.package}`)")
            continue
        try:
            with other.fill(folder / name, texts, embed) as search:
                times = [_timed(search, question) for question in questions][WARM_UP:]
        except (AttributeError, ImportError, OSError, RuntimeError) as error:
            # langgraph's wants a Python whose sqlite3 loads extensions, which not every build does.
            yield Note(text=f"{name}: can't be used here, not compared ({error})")
            continue
        theirs = Figure(name=f"{name}, the same search over {len(texts):,} texts", unit="ms", values=tuple(times))
        yield theirs
        yield Note(text=f"  chatmem takes {ours.p50 / theirs.p50:.2f} of {name}'s median")


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _timed(search: Callable[[str], object], question: str) -> float:
    started = perf_counter()
    search(question)
    return (perf_counter() - started) * 1000


@contextmanager
def chroma(folder: Path, texts: Texts, embed: Embed) -> Iterator[Callable[[str], object]]:
    """A collection of chroma's, by cosine."""
    library: Any = import_module("chromadb")
    client = library.PersistentClient(path=str(folder), settings=library.Settings(anonymized_telemetry=False))
    collection = client.create_collection("texts", embedding_function=None, metadata={"hnsw:space": "cosine"})
    for at in range(0, len(texts), AT_ONCE):
        ids, said, vectors = zip(*texts[at : at + AT_ONCE], strict=True)
        collection.add(ids=list(ids), documents=list(said), embeddings=[list(vector) for vector in vectors])
    yield lambda question: collection.query(query_embeddings=[list(embed(question))], n_results=FOUND)


@contextmanager
def langgraph(folder: Path, texts: Texts, embed: Embed) -> Iterator[Callable[[str], object]]:
    """A store of langgraph's in SQLite, by cosine."""
    known = {text: list(vector) for _, text, vector in texts}

    def embedded(wanted: Sequence[str]) -> list[list[float]]:
        return [known.get(text) or list(embed(text)) for text in wanted]

    index = {"dims": len(texts[0][2]), "embed": embedded, "fields": ["text"]}
    put: Any = import_module("langgraph.store.base").PutOp
    with import_module("langgraph.store.sqlite").SqliteStore.from_conn_string(f"{folder}.db", index=index) as store:
        store.setup()
        for at in range(0, len(texts), AT_ONCE):
            store.batch([put(("texts",), id_, {"text": text}) for id_, text, _ in texts[at : at + AT_ONCE]])
        yield lambda question: store.search(("texts",), query=question, limit=FOUND)


STORES: Mapping[str, Other] = {
    "chroma": Other(module="chromadb", package="chromadb", fill=chroma),
    "langgraph": Other(module="langgraph.store.sqlite", package="langgraph-checkpoint-sqlite", fill=langgraph),
}
"""What chatmem is compared with."""
