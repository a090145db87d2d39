"""Keys, wherever the person keeps them."""

import os

from chatmem.adapters.keys import keyring_entry
from chatmem.adapters.keys.command import KeyCommands
from chatmem.domain.errors import ProviderError
from chatmem.domain.model import KeyPlace, KeySource


class KeyFinder:
    """Implements `Keys`: finds keys in the environment, in the system's keyring, or by running a command.

    Args:
        command_s: Seconds that a command may take.
    """

    def __init__(self, *, command_s: float = 30.0) -> None:
        self._commands = KeyCommands(command_s)

    def key(self, source: KeySource) -> str:
        """See `Keys.key`."""
        match source.place:
            case KeyPlace.ENVIRONMENT:
                return _in_environment(source.name)
            case KeyPlace.KEYRING:
                return keyring_entry.read(source.name)
            case KeyPlace.COMMAND:
                return self._commands.output(source.name)

    def keep(self, name: str, key: str) -> None:
        """See `Keys.keep`."""
        keyring_entry.write(name, key)

    def drop(self, name: str) -> None:
        """See `Keys.drop`."""
        keyring_entry.remove(name)


def _in_environment(variable: str) -> str:
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ProviderError(
            f"There is no key in the environment variable {variable}: put it there and start chatmem again."
        )
    return key
