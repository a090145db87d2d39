"""What a random string looks like, and what only stands for one."""

import re
from collections import Counter
from math import log2

_PLACEHOLDER = re.compile(
    r"example|sample|placeholder|redacted|changeme|change_me|your[-_ ]|dummy|notareal|"
    r"x{4,}|\*{3,}|\.{3}|<|>|^\$[A-Za-z_({]|\$[{(]|\{\{|%\(|^!",
    re.IGNORECASE,
)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def is_placeholder(text: str) -> bool:
    """Whether a string only shows where a secret would stand, or is one of the run of a keyboard or a digit."""
    return bool(_PLACEHOLDER.search(text)) or len(set(text)) < min(6, len(text) / 4)


def is_uuid(text: str) -> bool:
    """Whether a string is a UUID, which identifies but opens nothing."""
    return bool(_UUID.fullmatch(text))


def entropy(text: str) -> float:
    """Bits per character (Shannon), by the string's own frequencies."""
    return -sum(count / len(text) * log2(count / len(text)) for count in Counter(text).values())


def classes(text: str) -> int:
    """How many kinds of characters there are: small letters, capitals, digits, others."""
    return sum(
        (
            any(c.islower() or (c.isalpha() and not c.isupper()) for c in text),
            any(c.isupper() for c in text),
            any(c.isdigit() for c in text),
            any(not c.isalnum() for c in text),
        )
    )


def looks_random(text: str) -> bool:
    """Whether a long token is one that a machine made: mixed, and no word among it."""
    if len(text) < 16 or is_placeholder(text) or is_uuid(text):
        return False
    if re.fullmatch(r"[0-9a-f]{24,}|[0-9A-F]{24,}", text):
        return entropy(text) > 2.8
    return any(c.isdigit() for c in text) and any(c.isalpha() for c in text) and entropy(text) > 3.4
