"""Regular expressions that are compiled when they are first used."""

import re
from collections.abc import Iterator


class Pattern:
    """Searches as `re.Pattern` does; to compile all of ours when they are imported would take a tenth of the start."""

    __slots__ = ("_compiled", "_flags", "_source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    def search(self, text: str) -> re.Match[str] | None:
        """The first place in the text that fits; `None` for none."""
        return self._regex.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        """The beginning of the text, if that fits."""
        return self._regex.match(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All places that fit, in order."""
        return self._regex.finditer(text)

    @property
    def _regex(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self._source, self._flags)
        return self._compiled
