"""Keys from the environment alone."""

import os

from chatmem.domain.errors import ProviderError
from chatmem.domain.model import KeyPlace, KeySource


class EnvironmentKeys:
    """Implements `Keys` where there is neither a keyring nor a shell."""

    def key(self, source: KeySource) -> str:
        """See `Keys.key`."""
        key = os.environ.get(source.name, "").strip() if source.place is KeyPlace.ENVIRONMENT else ""
        if not key:
            raise ProviderError(f"There is no key in {source.name}: put one there and start chatmem again.")
        return key

    def keep(self, name: str, key: str) -> None:
        """See `Keys.keep`."""
        raise ProviderError(f"The key for {name} can't be kept here: put it into an environment variable.")

    def drop(self, name: str) -> None:
        """See `Keys.drop`."""
