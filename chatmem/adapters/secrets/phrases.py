"""Phrases of words that open a wallet."""

import re
from collections.abc import Iterator
from functools import cache

from chatmem.adapters.secrets.scanned import Scanned
from chatmem.domain.policy import Secret

_FEWEST_SEED_WORDS = 12
_WORDS = re.compile(r"(?<![\w])[a-z]{3,8}+(?:[\s,;.\d)(-]{1,8}+[a-z]{3,8}+(?!\w)){11,}+")
"""Words of the lengths of that list, with no more between them than white space, a comma or a number."""


def find(scanned: Scanned) -> Iterator[Secret]:
    """Runs of words that all stand in the list of BIP-39."""
    for run in _WORDS.finditer(scanned.text):
        words = list(re.finditer(r"[a-z]+", run[0]))
        start = 0
        for end in range(len(words) + 1):
            if end < len(words) and words[end][0] in _bip39():
                continue
            if end - start >= _FEWEST_SEED_WORDS:
                first, last = words[start].start(), words[end - 1].end()
                yield Secret(start=run.start() + first, end=run.start() + last, kind="seed phrase")
            start = end + 1


@cache
def _bip39() -> frozenset[str]:
    from mnemonic import Mnemonic

    return frozenset(Mnemonic("english").wordlist)
