"""The exported model as it lies in the folder of its original."""

import hashlib
import json
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

FOLDER = "onnx"
MODEL = "int8.onnx"
RECORD = "export.json"

RECIPE = "export 2"
"""How models are exported; to be raised with every change, so that they are exported anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What came of an export; kept beside the model.

    Attributes:
        makers: What made it, and with which libraries.
        cosine: The least likeness to the original over the built-in texts.
        sha256: Digest of the model's file; `None` where it failed or was not like enough, so that the original is used.
        tokens: How many tokens of a text the model looks at.
        dimension: Length of its vectors.
        pooling: What it makes of the vectors of the tokens.
        failure: What kind of error there was, if any.
    """

    makers: str
    cosine: float = 0.0
    sha256: str | None = None
    tokens: int = 0
    dimension: int = 0
    pooling: str = "mean"
    failure: str = ""

    def save(self, folder: Path) -> None:
        """Write the record into the folder of the export."""
        (folder / RECORD).write_text(json.dumps(asdict(self)), encoding="utf-8")


def read(original: Path) -> Exported | None:
    """What came of the export of the model in this folder; `None` if it is still to be made.

    One that failed with other libraries than are installed now is to be made again.
    """
    try:
        exported = Exported(**json.loads((original / FOLDER / RECORD).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
    usable = exported.sha256 and exported.makers.startswith(RECIPE)
    return exported if usable or exported.makers == makers() else None


def makers() -> str:
    """What makes an export here."""
    return ", ".join([RECIPE, *(f"{name} {version(name)}" for name in ("torch", "onnx", "onnxruntime"))])


def check(file: Path, made: Exported) -> None:
    """See to it that an exported model is the one that was made.

    Raises:
        OSError: If it can't be read.
        ValueError: If it is another.
    """
    if digest(file) != made.sha256:
        raise ValueError("the exported model is damaged")


def digest(file: Path) -> str:
    """SHA-256 in hexadecimal digits.

    Raises:
        OSError: If the file can't be read.
    """
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
