"""The formats that detect-secrets knows; it takes half a second to load, and only where a text may hold one."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache

from chatmem.adapters.secrets.scanned import Scanned
from chatmem.adapters.secrets.shape import is_placeholder
from chatmem.domain.policy import Secret

_NOT_USED = frozenset({"base", "high_entropy_strings", "keyword", "ip_public", "private_key", "basic_auth", "jwt"})
"""Of detect-secrets' rules: what guesses by entropy or by a variable's name flags every hash; a key's first line alone
is none, and an address with `user:password` in it is mostly a manual's. `vendors` knows web tokens."""

_SHORTEST = 16
_NEAR = (
    "akc ap0 ap1 ap2 ap3 ap4 ap5 ap6 ap7 ap8 ap9 apa apb apc apd ape apf a3t abia acca akia asia aws accountkey "
    "cloudant discord ghp_ gho_ ghu_ ghs_ ghr_ glpat gldt glft glsoat glrt gr1348941 glcbt glimt glptt glagent gloas "
    "ibm cos_ cos- iam -us _authtoken t3blbkfj pypi-age sg. xox hooks.slack softlayer sq0csp _live_ twilio"
)
"""One of these stands near all that detect-secrets finds; what has no such word is one of `vendors`."""

_REACH = 160
_AROUND = " \t\r\n=:\"'"


def find(scanned: Scanned) -> Iterator[Secret]:
    """Secrets of the formats that detect-secrets knows."""
    tokens = scanned.tokens
    for start, end in scanned.near(_NEAR.split(), before=_REACH, after=_REACH) if tokens else ():
        if any(start < token_end and token_start < end for token_start, token_end in tokens):
            yield from _within(scanned.text, start, end)


def _within(text: str, start: int, end: int) -> Iterator[Secret]:
    for kind, patterns in _rules():
        for pattern in patterns:
            for match in pattern.finditer(text, start, end):
                place = match.span(match.lastindex or 0)
                value = text[slice(*place)].strip(_AROUND)
                if len(value) >= _SHORTEST and not is_placeholder(value):
                    yield Secret(start=text.index(value, place[0]), end=place[1], kind=kind)


@cache
def _rules() -> list[tuple[str, tuple[re.Pattern[str], ...]]]:
    """What detect-secrets calls a kind of secret, and its patterns."""
    from detect_secrets import plugins
    from detect_secrets.plugins.base import RegexBasedDetector

    names = [module.name for module in pkgutil.iter_modules(plugins.__path__) if module.name not in _NOT_USED]
    modules = [importlib.import_module(f"{plugins.__name__}.{name}") for name in names]
    return [
        (str(rule.secret_type), tuple(rule().denylist))
        for module in modules
        for rule in vars(module).values()
        if isinstance(rule, type) and issubclass(rule, RegexBasedDetector) and rule.__module__ == module.__name__
    ]
