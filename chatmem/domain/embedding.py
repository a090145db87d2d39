"""A vector that knows whose it is."""

from array import array
from collections.abc import Iterable, Sequence
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Self

Vector = Sequence[float]
"""One embedding: `dimension` floats, L2 norm 1."""

if TYPE_CHECKING:
    _Floats = array[float]
else:
    _Floats = array  # before Python 3.12 it takes no type


class Embedding(_Floats):
    """A vector of length 1 and the model that made it: float32, which numpy reads in place.

    An embedder may be replaced while a vector of it is on its way to an index, perhaps by another of the same
    dimension; so each says whose it is, and vectors of different models are never compared.

    Attributes:
        model: Name of the model.
    """

    __slots__ = ("model",)
    model: str

    def __new__(cls, values: Iterable[float], model: str) -> Self:
        """Keep the values as they are."""
        made: Self = super().__new__(cls, "f", values)  # type: ignore[assignment]  # typeshed says it is a plain one
        made.model = model
        return made


def embedding(values: Sequence[float], model: str) -> Embedding:
    """The embedding that a model's answer comes to, brought to length 1.

    Raises:
        ValueError: If a number is missing, infinite or none at all, or all are 0.
    """
    length = sqrt(sum(x * x for x in values))
    if not isfinite(length) or length == 0.0:
        raise ValueError("the vector has no direction")
    return Embedding((x / length for x in values), model)


def model_of(vector: Vector | None) -> str | None:
    """The model that made a vector, where it is known."""
    return vector.model if isinstance(vector, Embedding) else None
