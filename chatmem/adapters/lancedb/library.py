"""LanceDB itself, imported late and whole."""

import sys
import threading
from importlib.util import find_spec, module_from_spec

_importing = threading.Lock()

_CLIENT = "lance_namespace_urllib3_client"
"""Speaks to catalogues over HTTP. LanceDB imports its models; with them would come all of its interfaces, which take
half of LanceDB's whole import (1.2 of 2.3 s), and which nothing here calls."""


def load() -> None:
    """Import LanceDB (1 s); to be called before any import from one of its modules.

    Its modules import one another in a circle: a thread that begins with one of them while another thread begins with
    the package gets half a module.
    """
    with _importing:
        if "lancedb" not in sys.modules:
            _put_off(_CLIENT)
        import lancedb  # noqa: F401 the import is the point


def _put_off(package: str) -> None:
    """Let a package be imported, and its modules, but its own `__init__` not run before something of it is wanted."""
    spec = find_spec(package)
    if package in sys.modules or spec is None or spec.loader is None:
        return
    loader, module = spec.loader, module_from_spec(spec)

    def wanted(name: str) -> object:
        module.__dict__.pop("__getattr__", None)
        loader.exec_module(module)
        return getattr(module, name)

    module.__dict__["__getattr__"] = wanted  # PEP 562
    sys.modules[package] = module
