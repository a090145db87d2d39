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
            yield from (str(json.loads(line)["text"]) for line in lines)
    except (OSError, EOFError, zlib.error, ValueError, LookupError, TypeError) as error:
        raise UsageError(f"{file} is no file of JSON lines with a text each: {error}.") from error


def screened(file: Path, detector: SecretDetector) -> Iterator[tuple[int, Sequence[Secret]]]:
    """The secrets of each line, with the line's number from 0.

    Raises:
        UsageError: If the file can't be read, or is of another form.
    """
    for number, text in enumerate(texts(file)):
        yield number, detector.find(text)
