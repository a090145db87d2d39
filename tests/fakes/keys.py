"""Keys in memory."""

from collections.abc import Mapping

from chatmem.domain.errors import ProviderError
from chatmem.domain.model import KeyPlace, KeySource


class FakeKeys:
    """Keeps keys in memory.

    Attributes:
        kept: The keyring: keys by name.
        error: When set, `keep` raises a `ProviderError` that says this.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self.kept: dict[str, str] = {}
        self.error: str | None = None
        self._environment = dict(environment or {})

    def key(self, source: KeySource) -> str:
        found = (self.kept if source.place is KeyPlace.KEYRING else self._environment).get(source.name)
        if not found:
            raise ProviderError(f"There is no key in {source.name}.")
        return found

    def keep(self, name: str, key: str) -> None:
        if self.error is not None:
            raise ProviderError(self.error)
        self.kept[name] = key

    def drop(self, name: str) -> None:
        self.kept.pop(name, None)
