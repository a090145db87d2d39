"""Hiding what looks like a key in a text that people will read."""

import re

MASK = "***"

_NAMED = re.compile(r"(?i)((?:bearer|token|key|password|secret)\s*[=:\s]\s*['\"]?)[^\s'\"]{6,}")
_PREFIXED = re.compile(r"\b(?:sk|pk|gsk|xai|ghp|hf|AIza|AKIA)[-_]?[\w-]{6,}")
_RANDOM = re.compile(r"(?<![\w/.-])(?=[\w+-]*\d)(?=[\w+-]*[A-Za-z])[\w+-]{20,}={0,2}(?![\w/.-])")


def masked(text: str) -> str:
    """The text with asterisks in place of what looks like a key."""
    text = _NAMED.sub(rf"\1{MASK}", text)
    return _RANDOM.sub(MASK, _PREFIXED.sub(MASK, text))
