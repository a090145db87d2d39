"""LanceDB itself, imported late and whole."""

import threading

_importing = threading.Lock()


def load() -> None:
    """Import LanceDB (1.2 s); to be called before any import from one of its modules.

    Its modules import one another in a circle: a thread that begins with one of them while another thread begins with
    the package gets half a module.
    """
    with _importing:
        import lancedb  # noqa: F401 the import is the point
