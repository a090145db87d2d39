"""`chatmem bench policy`: which secrets the policy finds in lines of text, and what it takes for one."""

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from chatmem.domain.errors import UsageError
from chatmem.domain.policy import Secret
from chatmem.ports.secret_detector import SecretDetector


def texts(file: Path) -> Iterator[str]:
    """The texts of a file of JSON lines, `{"text": ...}` each, plain or compressed by gzip.

    Raises:
        UsageError: If it can't be read, or is of another form.
    """
    opened = gzip.open if file.suffix == ".gz" else open
    try:
        with opened(file, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                yield _text(line, number, file)
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is no text in UTF-8.") from error
    except (EOFError, zlib.error) as error:
        raise UsageError(f"{file} was cut off or is damaged.") from error
    except OSError as error:
        raise UsageError(f"{file} can't be read: {error.strerror or 'it is not packed by gzip'}.") from error


def _text(line: str, number: int, file: Path) -> str:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"Line {number} of {file} is no JSON.") from error
    match value:
        case {"text": str(text)}:
            return text
        case _:
            raise UsageError(f'Line {number} of {file} is not of the form {{"text": "…"}}.')


def screened(file: Path, detector: SecretDetector) -> Iterator[tuple[int, Sequence[Secret]]]:
    """The secrets of each line, with the line's number from 0.

    Raises:
        UsageError: If the file can't be read, or is of another form.
    """
    for number, text in enumerate(texts(file)):
        yield number, detector.find(text)
