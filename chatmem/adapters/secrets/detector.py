"""The secret detector: all rules together."""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from chatmem.adapters.secrets import assigned, numbers, prose, vendors
from chatmem.adapters.secrets.shape import is_placeholder
from chatmem.domain.policy import Secret, merged

_NOT_USED = frozenset({"base", "high_entropy_strings", "keyword", "ip_public", "private_key", "basic_auth"})
"""Of detect-secrets' rules: what guesses by entropy or by a variable's name flags every hash; a key's first line alone
is none, and an address with `user:password` in it is mostly a manual's."""

_SHORTEST = 16


class RuleSecretDetector:
    """Finds secrets by detect-secrets' formats, python-stdnum's check digits, and own rules for the rest."""

    def find(self, text: str) -> list[Secret]:
        """The secrets of a text, in order, without overlaps."""
        found = [*_formats(text), *vendors.find(text), *numbers.find(text), *assigned.find(text), *prose.find(text)]
        return merged([secret for secret in found if secret.start < secret.end])


def _formats(text: str) -> Iterator[Secret]:
    for kind, values in _rules():
        for value in values(text):
            at = text.find(value)
            if at >= 0 and len(value) >= _SHORTEST and not is_placeholder(value):
                yield Secret(start=at, end=at + len(value), kind=kind)


@cache
def _rules() -> list[tuple[str, Callable[[str], Iterable[str]]]]:
    """What detect-secrets calls a kind of secret, and the function that yields those of a text."""
    from detect_secrets import plugins
    from detect_secrets.plugins.base import RegexBasedDetector

    names = [module.name for module in pkgutil.iter_modules(plugins.__path__) if module.name not in _NOT_USED]
    modules = [importlib.import_module(f"{plugins.__name__}.{name}") for name in names]
    return [
        (str(rule.secret_type), rule().analyze_string)
        for module in modules
        for rule in vars(module).values()
        if isinstance(rule, type) and issubclass(rule, RegexBasedDetector) and rule.__module__ == module.__name__
    ]
