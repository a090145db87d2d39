"""Comparing vectors: few that are held as they are, many as codes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from numpy.typing import NDArray


REFINED, REFINED_OF_FEW = 30, 10
"""How many times more vectors than wanted are compared by more than signs, of many and of few. Among 330,000 of a
thousand close clusters 30 find .95 of the hundred that comparing all finds, in 9 ms, and 10 find .78 in 7; among 10,000
of them 10 find .995, in .6 ms, and 30 no more."""

FEW = 0.1
"""So large a share of the vectors is compared by more than signs, between these bounds."""


class Vectors(Protocol):
    """Vectors of length 1 at places. Not safe for threads."""

    def put(self, places: "NDArray[Any]", new: "NDArray[Any]") -> None:
        """Hold vectors, `(n, dimension)`, at these places, the last of which is the greatest."""
        ...

    def compare(self, vector: "NDArray[Any]", places: "NDArray[Any]") -> "NDArray[Any]":
        """The cosine similarity of those at these places."""
        ...

    def nearest(self, vector: "NDArray[Any]", places: "NDArray[Any]", count: int) -> "NDArray[Any]":
        """Those of the places where at least `count` of the most similar vectors are."""
        ...

    def arrays(self) -> "Mapping[str, NDArray[Any]]":
        """The numbers they consist of, by name."""
        ...


class Whole:
    """Vectors as they are: 1.5 kB each of 384 numbers."""

    def __init__(self, dimension: int) -> None:
        """No vectors, of this length."""
        import numpy as np

        self._matrix: NDArray[Any] = np.zeros((0, dimension), dtype=np.float32)

    def put(self, places: "NDArray[Any]", new: "NDArray[Any]") -> None:
        """Hold vectors."""
        self._matrix = _roomy(self._matrix, int(places[-1]) + 1)
        self._matrix[places] = new

    def compare(self, vector: "NDArray[Any]", places: "NDArray[Any]") -> "NDArray[Any]":
        """The cosine similarity of those at these places."""
        if 2 * len(places) > len(self._matrix):
            # To take most rows out takes longer than to compare the others too.
            every: NDArray[Any] = _products(self._matrix, vector)[places]
            return every
        return _products(self._matrix[places], vector)

    def nearest(self, vector: "NDArray[Any]", places: "NDArray[Any]", count: int) -> "NDArray[Any]":
        """All of them."""
        return places

    def arrays(self) -> "Mapping[str, NDArray[Any]]":
        """The numbers they consist of."""
        return {"whole": self._matrix}

    @classmethod
    def of(cls, arrays: "Mapping[str, NDArray[Any]]") -> Self:
        """The vectors that consist of these."""
        made = cls(0)
        made._matrix = arrays["whole"]
        return made


class Codes:
    """Vectors as the signs of their numbers, which are compared first, and as bytes: 432 B each of 384 numbers.

    The signs are of the differences from a middle, as texts of one person are alike. What the bytes lose is .001 of a
    similarity, less than the exported embedder does.
    """

    def __init__(self, dimension: int) -> None:
        """No vectors, of this length."""
        import numpy as np

        self._signs: NDArray[Any] = np.zeros((0, -(-dimension // 64)), dtype=np.uint64)
        self._bytes: NDArray[Any] = np.zeros((0, dimension), dtype=np.int8)
        self._scales: NDArray[Any] = np.zeros((0, 1), dtype=np.float32)
        self._middle: NDArray[Any] = np.zeros(dimension, dtype=np.float32)

    def put(self, places: "NDArray[Any]", new: "NDArray[Any]") -> None:
        """Hold vectors."""
        import numpy as np

        if not len(self._signs):
            self._middle = new.mean(axis=0)
        needed = int(places[-1]) + 1
        self._signs, self._bytes = _roomy(self._signs, needed), _roomy(self._bytes, needed)
        self._scales = _roomy(self._scales, needed)
        scales = np.abs(new).max(axis=1, keepdims=True) / 127
        self._signs[places], self._scales[places] = _signs(new - self._middle), scales
        self._bytes[places] = np.rint(new / np.where(scales, scales, 1.0))

    def compare(self, vector: "NDArray[Any]", places: "NDArray[Any]") -> "NDArray[Any]":
        """The cosine similarity of those at these places."""
        likeness: NDArray[Any] = _products(self._bytes[places], vector) * self._scales[places, 0]
        return likeness

    def nearest(self, vector: "NDArray[Any]", places: "NDArray[Any]", count: int) -> "NDArray[Any]":
        """Those whose signs differ least from the vector's."""
        import numpy as np

        differing = np.zeros(len(self._signs), dtype=np.uint16)
        for column, wanted in enumerate(_signs((vector - self._middle)[np.newaxis])[0]):
            differing += np.bitwise_count(self._signs[:, column] ^ wanted)
        differing = differing[places]
        refined = max(REFINED_OF_FEW * count, min(REFINED * count, FEW * len(places)))
        enough = np.searchsorted(np.cumsum(np.bincount(differing)), refined)
        near: NDArray[Any] = places[differing <= enough]
        return near

    def arrays(self) -> "Mapping[str, NDArray[Any]]":
        """The numbers they consist of."""
        return {"signs": self._signs, "bytes": self._bytes, "scales": self._scales, "middle": self._middle}

    @classmethod
    def of(cls, arrays: "Mapping[str, NDArray[Any]]") -> Self:
        """The vectors that consist of these."""
        made = cls(0)
        made._signs, made._bytes = arrays["signs"], arrays["bytes"]
        made._scales, made._middle = arrays["scales"], arrays["middle"]
        return made


def _products(rows: "NDArray[Any]", vector: "NDArray[Any]") -> "NDArray[Any]":
    """The product of each row with the vector.

    Not by `@`: the threads of its library turn idly for milliseconds after each call, on the very processor on which
    full text is searched meanwhile.
    """
    import numpy as np

    products: NDArray[Any] = np.einsum("ij,j->i", rows, vector)
    return products


def _signs(vectors: "NDArray[Any]") -> "NDArray[Any]":
    import numpy as np

    packed = np.packbits(vectors > 0, axis=1)
    return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)


def _roomy(array: "NDArray[Any]", needed: int) -> "NDArray[Any]":
    """An array of at least so many rows, the first of which are those it had."""
    import numpy as np

    if needed <= len(array):
        return array
    by_columns = array.dtype == np.uint64  # of signs one column after another is compared
    shape = (needed + needed // 8, array.shape[1])
    grown: NDArray[Any] = np.zeros(shape, dtype=array.dtype, order="F" if by_columns else "C")
    grown[: len(array)] = array
    return grown


def unit(vector: Any) -> "NDArray[Any]":
    """A vector brought to length 1; one of zeros stays."""
    import numpy as np

    array = np.asarray(vector, dtype=np.float32)
    return array / (np.linalg.norm(array) or 1.0)


def units(matrix: "NDArray[Any]") -> "NDArray[Any]":
    """The vectors of a matrix brought to length 1."""
    import numpy as np

    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix / np.where(lengths, lengths, 1.0)
