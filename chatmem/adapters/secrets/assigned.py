"""Secrets that their surroundings give away: after a name in code, in a URL, in a header, in an option."""

import re
from collections.abc import Iterator

from chatmem.adapters.secrets.shape import classes, is_placeholder, is_uuid, looks_random
from chatmem.domain.policy import Secret

_NAMES = (
    "password passwd passphrase passcode pass pwd secret token api[_-]?key access[_-]?key auth[_-]?key authkey "
    "signing[_-]?key encryption[_-]?key private[_-]?key secret[_-]?key session[_-]?id session sid credentials? "
    "account[_-]?key"
)
_NO_SECRETS = re.compile(r"max|count|total|header|name|_at\b|path|file|url|hash|type|id_rsa|expires", re.IGNORECASE)
"""In a name that otherwise speaks of a secret: what it holds is about one."""

_ASSIGNED = re.compile(
    rf"""
    (?<![\w-]) ["']? (?P<name> [\w.-]*? (?:{"|".join(_NAMES.split())}) [\w.-]*? ) ["']?
    \s* (?: => | := | [:=] ) \s*
    (?: (?P<quote>["'`]) (?P<quoted> [^\n]{{4,400}}? ) (?P=quote) | (?P<bare> [^\s"'`,;&{{}}()<>]{{6,400}} ) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_VALUES = (
    # The four words of a mail provider's password for one app.
    ("password", re.compile(r"(?<![\w-])(?:\w+_)?PASS(?:WORD|WD)?\s*=\s*(?P<value>[a-z]{4}(?: [a-z]{4}){3})(?![\w-])")),
    ("password", re.compile(r"(?:[?&\s;\"']|^)(?:password|passwd|pwd)=(?P<value>[^\s;'\"]{3,})", re.IGNORECASE)),
    ("one-time password seed", re.compile(r"otpauth://\S*?[?&]secret=(?P<value>[A-Z2-7=]{10,})", re.IGNORECASE)),
    (
        "session cookie",
        re.compile(
            r"\b(?:sessionid|session|sid|PHPSESSID|JSESSIONID|connect\.sid|auth|\w+_token)=(?P<value>[\w%.+/=-]{16,})",
            re.IGNORECASE,
        ),
    ),
    (
        "key",
        re.compile(
            r"(?:api[ _-]?key|secret(?:[ _-]?id)?|token|password)\b[^\n]{0,20}?"
            r"(?P<value>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![\w-])",
            re.IGNORECASE,
        ),
    ),
)
_CHOSEN = (
    re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@'\"]*:(?P<value>[^\s@'\"]{3,})@", re.IGNORECASE),
    re.compile(r"(?:\s|^)(?:-u|--user)[ =]?['\"]?[\w.@-]+:(?P<value>[^\s'\"]{3,})"),
    re.compile(
        r"\b(?:mysql|mysqldump|mariadb|docker login|podman login|helm registry login|sshpass|redis-cli|smbclient)\b"
        r"[^\n]*?\s(?:-p|-a|--password[ =]|--pass[ =])\s?(?P<quote>['\"]?)(?P<value>[^\s'\"]{6,})(?P=quote)"
    ),
)
_IN_MANUALS = frozenset({"password", "pass", "passwd", "pwd", "secret", "token", "user", "postgres", "root"})
_HEADER = re.compile(r"\b(?:Bearer|Basic|[Tt]oken)\s+(?P<value>[A-Za-z0-9+/_.~=-]{12,})")

_NAMED_BEFORE = re.compile(
    r"(?:\bkeys?\b|token|secret|passw|credential|\bauth|api|login|client\(|\bpat\b|bearer|webhook|sdk)"
    r"[^\n]{0,60}?(?<![\w/+.-])(?P<value>[A-Za-z0-9_+/=.~-]{20,200})(?![\w/+-])",
    re.IGNORECASE,
)
_NAMED_AFTER = re.compile(
    r"(?<![\w/+.-])(?P<value>[A-Za-z0-9_+/=-]{24,200})(?![\w/+-])"
    r"[^\n]{0,40}?(?:auth token|api key|access token|secret key|credential)",
    re.IGNORECASE,
)
_OPEN_WORDS = (
    r"sha\d* md5 blake\w* commit digest checksum integrity hash hmac etag uuid guid trace\w* span fingerprint public "
    r"block tx merkle container image event page build version nonce serial header\.\w ssh-rsa ssh-ed25519 dkim cid "
    r"txt site-verification recipient machine-id order invoice request parcel tracking publishable gclid dsn"
)
_OPEN = re.compile(rf"\b(?:{'|'.join(_OPEN_WORDS.split())}|file key)\b", re.IGNORECASE)
"""Before a random string: it identifies or proves something, and may be known."""

_CODE_WORDS = (
    "true false null none undefined required optional string str self this process os env config settings await"
)
_CODE = re.compile(
    rf"[()\[\]{{}}$]|^(?:{'|'.join(_CODE_WORDS.split())})\b|^[a-z]+\.[a-z_.]+$|::",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:[-_][^\W\d_]+)?")


def find(text: str) -> Iterator[Secret]:
    """Secrets in assignments, URLs, headers and options, and random strings near a word that names them."""
    yield from _assigned(text)
    for kind, pattern in _VALUES:
        yield from _values(text, kind, pattern)
    for pattern in _CHOSEN:
        yield from (found for found in _values(text, "password", pattern) if _is_chosen(text[found.start : found.end]))
    yield from (found for found in _values(text, "token", _HEADER) if classes(text[found.start : found.end]) > 1)
    yield from _random(text)


def _assigned(text: str) -> Iterator[Secret]:
    for match in _ASSIGNED.finditer(text):
        group = "quoted" if match["quoted"] is not None else "bare"
        value, name = match[group], match["name"]
        if _NO_SECRETS.search(name) or not _opens(value) or (group == "bare" and _CODE.search(value)):
            continue
        kind = "password" if "pass" in name.lower() else "key"
        yield Secret(start=match.start(group), end=match.end(group), kind=kind)


def _opens(value: str) -> bool:
    """Whether an assigned value can be a secret: no word, no sentence, no number of a few digits, no placeholder."""
    if _WORD.fullmatch(value) or " " in value or is_placeholder(value) or is_uuid(value):
        return False
    return classes(value) > 1 or (value.isdigit() and len(value) >= 8)


def _values(text: str, kind: str, pattern: re.Pattern[str]) -> Iterator[Secret]:
    for match in pattern.finditer(text):
        if not is_placeholder(match["value"]):
            yield Secret(start=match.start("value"), end=match.end("value"), kind=kind)


def _is_chosen(value: str) -> bool:
    """Whether somebody chose it, and it does not only show where a password would stand."""
    return value.lower() not in _IN_MANUALS and not value.startswith("$")


def _random(text: str) -> Iterator[Secret]:
    for pattern in (_NAMED_BEFORE, _NAMED_AFTER):
        at = 0
        while match := pattern.search(text, at):
            start, end = match.span("value")
            # What names a token may name a second one behind it.
            at = start + 1 if pattern is _NAMED_BEFORE else end
            before = text[text.rfind("\n", 0, start) + 1 : start][-60:]
            value = match["value"].strip("=.-")
            if looks_random(value) and not _OPEN.search(before) and not _is_address(value):
                yield Secret(start=start, end=end, kind="key")


def _is_address(value: str) -> bool:
    """Whether a token is a path, a host or a number of memory rather than a key."""
    is_host = re.fullmatch(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+", value)
    return value.count("/") > 2 or bool(is_host) or value.startswith(("http", "/", "0x"))
