"""An embedder that hears likeness in shared words and shared letters."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt
from zlib import crc32

from chatmem.domain.embedding import Embedding
from chatmem.domain.errors import EmbedderError
from chatmem.domain.text import words
from chatmem.ports.embedder import Vector

_COMMON = frozenset(
    words(
        "a about am an and are as at be but by can did do does for from had has have he her his how i in is it its "
        "me my of on or our she so that the their them they this to was we were what when where which who why with you "
        "your"
    )
)
_ENDINGS = ("ing", "ies", "ed", "es", "er", "ly", "s", "e", "y")


class FakeEmbedder:
    """Hashes words, without their endings, and their trigrams into a short vector.

    Attributes:
        is_ready: What `ready` says; `warm_up` and `embed` set it.
        loading: Whether a load is under way, which `wait_ready` then ends.
        error: When set, `warm_up` and `embed` raise an `EmbedderError` that says this.
        embedded: Every text that was embedded, in order.
    """

    def __init__(self, *, model: str = "fake", dimension: int = 64, ready: bool = True) -> None:
        self.model = model
        self.dimension = dimension
        self.is_ready = ready
        self.loading = False
        self.error: str | None = None
        self.embedded: list[str] = []

    def ready(self) -> bool:
        return self.is_ready

    def wait_ready(self, timeout_s: float) -> bool:
        self.is_ready = self.is_ready or self.loading
        return self.is_ready

    def warm_up(self) -> None:
        if self.error is not None:
            self.is_ready = False
            raise EmbedderError(self.error)
        self.is_ready = True

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.warm_up()
        self.embedded.extend(texts)
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        vector = [0.0] * self.dimension
        for feature, weight in _features(text).items():
            digest = crc32(feature.encode("utf-8", "replace"))
            vector[digest % self.dimension] += weight if digest & 0x10000 else -weight
        norm = sqrt(sum(x * x for x in vector))
        if norm == 0.0:
            vector[0] = norm = 1.0
        return Embedding((x / norm for x in vector), self.model)


def _features(text: str) -> Counter[str]:
    features: Counter[str] = Counter()
    for stem in _stems(text):
        features[stem] += 8
        padded = f"<{stem}>"
        features.update(padded[start : start + 3] for start in range(len(padded) - 2))
    return features


def _stems(text: str) -> Iterator[str]:
    spoken = words(text)
    for word in [word for word in spoken if word not in _COMMON] or spoken:
        ending = next((end for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= 3), "")
        yield word.removesuffix(ending)
