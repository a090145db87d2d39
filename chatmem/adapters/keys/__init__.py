"""The keys of providers: from the environment, the system's keyring, or a command."""

from chatmem.adapters.keys.finder import KeyFinder

__all__ = ["KeyFinder"]
