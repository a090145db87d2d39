"""Entries of the system's keyring, under the service `chatmem`."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from chatmem.domain.errors import ProviderError

SERVICE = "chatmem"

logger = logging.getLogger(__name__)

_ELSEWHERE = "Name an environment variable (api_key_env) or a command that prints the key (api_key_command) instead."


def read(name: str) -> str:
    """The key of an entry.

    Raises:
        ProviderError: If there is no such entry, or no keyring that can be read.
    """
    import keyring

    with _sentences():
        key = keyring.get_password(SERVICE, name)
    if not key:
        raise ProviderError(
            f"The system's keyring holds no key for {name}: type it in the screen of providers, "
            f"or run `keyring set {SERVICE} {name}`."
        )
    return key


def write(name: str, key: str) -> None:
    """Keep a key.

    Raises:
        ProviderError: If there is no keyring that keeps it.
    """
    import keyring

    with _sentences():
        keyring.set_password(SERVICE, name, key)
        kept = keyring.get_password(SERVICE, name)
    if kept != key:  # the backend `null` takes everything and keeps nothing
        raise ProviderError(f"The system's keyring did not keep the key. {_ELSEWHERE}")


def remove(name: str) -> None:
    """Take an entry out, where it is there and can be."""
    import keyring
    from keyring.errors import PasswordDeleteError

    try:
        with _sentences():
            keyring.delete_password(SERVICE, name)
    except PasswordDeleteError:
        logger.info("the keyring holds no such entry")
    except ProviderError as error:
        logger.warning("an entry stays in the keyring: %s", type(error.__cause__).__name__)


@contextmanager
def _sentences() -> Iterator[None]:
    from keyring.errors import KeyringLocked, NoKeyringError, PasswordDeleteError

    try:
        yield
    except PasswordDeleteError:
        raise
    except NoKeyringError as error:
        raise ProviderError(f"This machine has no keyring that chatmem can use. {_ELSEWHERE}") from error
    except KeyringLocked as error:
        raise ProviderError("The system's keyring is locked: unlock it, and try again.", retryable=True) from error
    except Exception as error:  # each backend raises what its system's library does
        raise ProviderError(f"The system's keyring failed ({type(error).__name__}). {_ELSEWHERE}") from error
