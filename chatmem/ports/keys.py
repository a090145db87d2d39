"""The keys of providers."""

from typing import Protocol

from chatmem.domain.model import KeySource


class Keys(Protocol):
    """Finds and keeps keys. Methods block, and may be called from any thread; no error and no log shows a key."""

    def key(self, source: KeySource) -> str:
        """The key itself.

        Raises:
            ProviderError: If it is not there; the message names the variable, the keyring's entry or the command.
        """
        ...

    def keep(self, name: str, key: str) -> None:
        """Put a key into the system's keyring.

        Raises:
            ProviderError: If this machine has no keyring, or it is locked.
        """
        ...

    def drop(self, name: str) -> None:
        """Take a key out of the system's keyring; does nothing where there is none."""
        ...
