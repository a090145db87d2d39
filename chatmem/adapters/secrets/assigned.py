"""Secrets that their surroundings give away: after a name in code, in a URL, in a header, in an option."""

import re
from collections.abc import Iterable, Iterator

from chatmem.adapters.secrets.scanned import Scanned
from chatmem.adapters.secrets.shape import classes, is_placeholder, is_uuid, looks_random
from chatmem.domain.policy import Secret

_NAMES = (
    "password passwd passphrase passcode pass pwd secret token api[_-]?key access[_-]?key auth[_-]?key authkey "
    "signing[_-]?key encryption[_-]?key private[_-]?key secret[_-]?key session[_-]?id session sid credentials? "
    "account[_-]?key"
)
_NO_SECRETS = re.compile(
    r"max|count|total|tokens|tokenizer|usage|header|name|_at\b|path|file|url|hash|type|id_rsa|expires", re.IGNORECASE
)
"""In a name that otherwise speaks of a secret: what it holds is about one."""

_STEMS = "passw passp passc pass pwd secret token key auth signing encryption private session sid credential account"
_NAME = re.compile(rf"[\w.-]*?(?:{'|'.join(_NAMES.split())})[\w.-]*", re.IGNORECASE)
_LONGEST_NAME = 64
_IS = re.compile(
    r"""
    [\w.-]{0,64}+ ["']? \s*+ (?: => | := | [:=] ) \s*+
    (?: (?P<quote>["'`]) (?P<quoted> [^\n]{4,400}? ) (?P=quote) | (?P<bare> [^\s"'`,;&{}()<>]{6,400} ) )
    """,
    re.VERBOSE,
)
_VALUES = (
    # The four words of a mail provider's password for one app.
    ("password", re.compile(r"PASS(?:WORD|WD)?\s*=\s*(?P<value>[a-z]{4}(?: [a-z]{4}){3})(?![\w-])"), "pass"),
    (
        "password",
        re.compile(
            r"(?:[?&\s;\"']|^)(?:password|passwd|pwd)=(?P<value>(?!None\b|null\b)[^\s;'\"(]{3,}+)(?!\()", re.IGNORECASE
        ),
        "password= passwd= pwd=",
    ),
    (
        "one-time password seed",
        re.compile(r"otpauth://\S*?[?&]secret=(?P<value>[A-Z2-7=]{10,})", re.IGNORECASE),
        "otpauth://",
    ),
    (
        "session cookie",
        re.compile(
            r"\b(?:sessionid|session|sid|PHPSESSID|JSESSIONID|connect\.sid|auth|\w+_token)=(?P<value>(?=[\w%.+/=-]*\d)[\w%.+/=-]{16,})",
            re.IGNORECASE,
        ),
        "sessionid= session= sid= auth= _token=",
    ),
    (
        "key",
        re.compile(
            r"(?:api[ _-]?key|secret(?:[ _-]?id)?|token|password)\b[^\n]{0,20}?"
            r"(?P<value>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![\w-])",
            re.IGNORECASE,
        ),
        "key secret token password",
    ),
    (
        "key",
        re.compile(
            r"\b(?:key|token|secret)(?<!primary key)(?<!foreign key)(?<!partition key)(?<!idempotency key)"
            r"(?<!cache key)(?<!sort key)(?<!object key)(?<!row key)\s*(?:is|was|to|:|=)\s*"
            r"(?P<value>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![\w-])",
            re.IGNORECASE,
        ),
        "key token secret",
    ),
    (
        "key",
        re.compile(
            r"\b(?:[kK]ey|[tT]oken|[sS]ecret)\s*(?:is|was|to|:|=)\s*[\"'`]?"
            r"(?P<value>(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d[\w-]*\d)[A-Za-z0-9_-]{12,64})(?![\w./-])"
        ),
        "key token secret",
    ),
    (
        "session cookie",
        re.compile(
            r"(?<=[\s;:])(?!(?:expires|path|domain|max-age|samesite)=)[\w.-]{2,40}="
            r"(?P<value>(?=[\w%.+/=:-]*\d)[\w%.+/=:-]{20,})(?=[;\s'\"]|$)",
            re.IGNORECASE,
        ),
        "cookie:",
    ),
    (
        "token",
        re.compile(
            r"[?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|access_token"
            r"|refresh_token|id_token"
            r"|token|auth|api_?key|key|apikey|secret|client_secret|password)=(?P<value>(?=[\w%.+/~-]*\d)[\w%.+/~-]{16,})",
            re.IGNORECASE,
        ),
        "sig= signature= token= auth= key= secret= password=",
    ),
)
_CHOSEN = (
    (re.compile(r"\s-U\s?['\"]?[\w.\\@-]+%(?P<value>[^\s'\"]{3,})"), " -u"),
    (re.compile(r"\s/user:\S+\s+(?P<value>[^\s/'\"][^\s'\"]{3,})"), "/user:"),
    (re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@'\"]*:(?P<value>[^\s/'\"]{3,})@", re.IGNORECASE), "://"),
    (
        re.compile(r"(?:\s|^)(?:-u|--user)[ =]?['\"]?[\w.@-]*[A-Za-z][\w.@-]*:(?P<value>[^\s'\"]{3,})"),
        " -u,\n-u, --user",
    ),
    (
        re.compile(
            r"\b(?:mysql|mysqldump|mariadb|docker login|podman login|helm registry login|sshpass|redis-cli|smbclient)\b"
            r"[^\n]*?\s(?:-p|-a|--password[ =]|--pass[ =])\s?(?P<quote>['\"]?)(?P<value>[^\s'\"]{6,})(?P=quote)"
        ),
        "mysql,mariadb,docker login,podman login,helm registry login,sshpass,redis-cli,smbclient",
    ),
)
_IN_MANUALS = frozenset({"password", "pass", "passwd", "pwd", "secret", "token", "user", "postgres", "root"})
_HEADER = re.compile(r"\b(?:Bearer|Basic|[Tt]oken)\s+(?P<value>[A-Za-z0-9+/_.~=-]{12,})")

_RANDOM = re.compile(r"(?<![\w/+.-])[\w/+=.~-]{20,}(?![\w/+-])", re.ASCII)
_LONG, _LONGEST = 24, 200
_BEFORE, _AFTER = 72, 240
_NAMED_BEFORE = re.compile(
    r"\bkeys?\b|token|secret|passw|credential|\bauth|api|login|client\(|\bpat\b|bearer|webhook|sdk", re.IGNORECASE
)
_NAMED_AFTER = re.compile(r"auth token|api key|access token|secret key|credential", re.IGNORECASE)
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
    rf"[()\[\]{{}}]|^\$|^(?:{'|'.join(_CODE_WORDS.split())})\b|^[a-z]+\.[a-z_.]+$|::",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"[A-Za-z_]+\d?[A-Za-z_]*(?:\.[A-Za-z_]+\d?[A-Za-z_]*)*:?|_?[a-z]\w{0,11}(?:_[a-z0-9]{1,12})+|[A-Z]\w*?(?:_[A-Z0-9]+)+"
)
"""A name in code, and not what it holds: what a machine makes has more digits, or longer runs."""

_WORD = re.compile(r"[^\W\d_]+(?:[-_][^\W\d_]+)?")


def find(scanned: Scanned) -> Iterator[Secret]:
    """Secrets in assignments, URLs, headers and options, and random strings near a word that names them."""
    text = scanned.text
    yield from _assigned(scanned)
    for kind, pattern, words in _VALUES:
        yield from _values(kind, scanned.around(pattern, words.split(), before=_BEFORE, after=_AFTER))
    for pattern, words in _CHOSEN:
        matches = scanned.around(pattern, words.split(","), before=_BEFORE, after=_AFTER)
        yield from (found for found in _values("password", matches) if _is_chosen(text[found.start : found.end]))
    for found in _values("token", scanned.around(_HEADER, ("bearer", "basic", "token"), before=1, after=_AFTER)):
        value = text[found.start : found.end]
        if classes(value) > 1 and (len(value) >= _LONG or any(c.isdigit() for c in value) or value.endswith("=")):
            yield found
    yield from _random(scanned)


def _assigned(scanned: Scanned) -> Iterator[Secret]:
    text, known = scanned.text, set[int]()
    for place in scanned.places(_STEMS.split()):
        match = _IS.match(text, place)
        if match is None or match.end() in known:
            continue
        known.add(match.end())
        group = "quoted" if match["quoted"] is not None else "bare"
        value, name = match[group], _name_around(text, place)
        if not _NAME.fullmatch(name):
            continue
        if _NO_SECRETS.search(name) or not _opens(value) or (group == "bare" and _CODE.search(value)):
            continue
        kind = "password" if "pass" in name.lower() else "key"
        if kind == "key" and _IDENTIFIER.fullmatch(value):
            continue
        yield Secret(start=match.start(group), end=match.end(group), kind=kind)


def _opens(value: str) -> bool:
    """Whether an assigned value can be a secret: no word, no sentence, no number of a few digits, no placeholder."""
    if _WORD.fullmatch(value) or " " in value or is_placeholder(value) or is_uuid(value):
        return False
    return classes(value) > 1 or (value.isdigit() and len(value) >= 8)


def _name_around(text: str, place: int) -> str:
    """The whole name in code that a word is a part of."""
    start = place
    while start > max(0, place - _LONGEST_NAME) and (text[start - 1].isalnum() or text[start - 1] in "_.-"):
        start -= 1
    end = place
    while end < min(len(text), place + _LONGEST_NAME) and (text[end].isalnum() or text[end] in "_.-"):
        end += 1
    return text[start:end]


def _values(kind: str, matches: Iterable[re.Match[str]]) -> Iterator[Secret]:
    for match in matches:
        if not is_placeholder(match["value"]):
            yield Secret(start=match.start("value"), end=match.end("value"), kind=kind)


def _is_chosen(value: str) -> bool:
    """Whether somebody chose it, and it does not only show where a password would stand."""
    return value.lower() not in _IN_MANUALS and not value.startswith("$")


def _random(scanned: Scanned) -> Iterator[Secret]:
    text = scanned.text
    for token_start, token_end in scanned.tokens:
        for match in _RANDOM.finditer(text, token_start, token_end):
            start, end = match.span()
            start += match[0].rstrip("=").rfind("=") + 1
            if end - start > _LONGEST or not _is_named(text, start, end):
                continue
            value = text[start:end].strip("=.-")
            if looks_random(value) and not _is_address(value):
                yield Secret(start=start, end=end, kind="key")


def _is_named(text: str, start: int, end: int) -> bool:
    """Whether a word in the same line, before or after, says that a string is a secret, and none that it is not."""
    before = text[max(0, start - _BEFORE) : start].rpartition("\n")[2]
    if _NAMED_BEFORE.search(before):
        return not _OPEN.search(before[-60:])
    after = text[end : end + _BEFORE].partition("\n")[0]
    return _NAMED_AFTER.search(after) is not None and not _OPEN.search(before[-60:])


def _is_address(value: str) -> bool:
    """Whether a token is a path, a host or a number of memory rather than a key."""
    is_host = re.fullmatch(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+|[a-z]+-\d+", value) or _IDENTIFIER.fullmatch(value)
    return value.count("/") > 2 or bool(is_host) or value.startswith(("http", "/", "0x"))
