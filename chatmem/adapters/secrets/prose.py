"""Passwords, codes and phrases that people write into a sentence."""

import re
from collections.abc import Iterator
from functools import cache

from chatmem.adapters.secrets.shape import classes, is_placeholder
from chatmem.domain.policy import Secret

_NAMES_OF_IT = (
    r"pass ?words?|passwd|passphrase|passcode|pwd|\bpw\b|passwort|kennwort|wlan-?schlüssel|wachtwoord|contrase[nñ]a|"
    r"clave|mot de passe|mdp|senha|palavra-passe|parola d'ordine|lösenord|adgangskode|salasana|hasło|heslo|jelszó|"
    r"şifre|пароль|비밀번호|비번|암호|パスワード|暗証番号|密码|密碼|wi-?fi key|network key"
)
_CODE_WORDS = (
    r"verification code|verification:|verifica\b|security code|one[- ]?time (?:code|password|pin)|login code|"
    r"auth(?:entication)? code|confirmation code|access code|2fa code|otp|mtan|tan|sms code|passcode|"
    r"sicherheitscode|bestätigungscode|einmalcode|código(?: de verificación)?|code de (?:vérification|sécurité)|"
    r"인증번호|인증 ?코드|認証コード|確認コード|验证码"
)
_PIN_WORDS = (
    r"pin|pin code|geheimzahl|alarm code|door code|gate code|entry code|lock ?box code|safe code|garage code|gate|"
    r"alarm|unlock code|türcode|zugangscode"
)
_QUOTES = "\"'“”‘’`「」"  # noqa: RUF001 the quotation marks that people type
_IS = (
    r"(?:['’]s\s+|\s*(?:[:=]|->|→|is|was|to|are|ist|lautet|war|es|era|est|é|è|jest|är|er|on)(?=\W)\s*|"  # noqa: RUF001
    r"\s*(?:는|은|이|가|は|が|是)\s*|\s*[:：=]\s*)"  # noqa: RUF001 the colon of Chinese and Japanese
)
_SOME_WORDS = r"(?:[^\w\n]{1,3}[^\W\d]+)"
_VALUE = rf"[{_QUOTES}]?(?P<value>[^\s{_QUOTES},;]{{4,64}}?)[{_QUOTES}]?"
_STOP = rf"(?=(?:[.,;!?){_QUOTES}]*(?:\s|$))|です|だ|이야|입니다|예요|이에요|야\b)"

_SAID = re.compile(rf"(?:{_NAMES_OF_IT})(?:[ ]?{_SOME_WORDS}{{0,7}}?)?{_IS}{_VALUE}{_STOP}", re.IGNORECASE)
_NEXT = re.compile(rf"(?:{_NAMES_OF_IT})\s+{_VALUE}{_STOP}", re.IGNORECASE)
_WIFI = re.compile(r"\bwi-?fi\b[^\n]{0,60}?\b(?:key|pass)\s*[:=]\s*(?P<value>\S{8,63})", re.IGNORECASE)
_TOLD_OF = re.compile(rf"(?:{_NAMES_OF_IT}|credentials?|rejecting|rejected|login:)", re.IGNORECASE)
_STRONG = re.compile(rf"(?<![\w/@.:#=+-])(?P<value>[^\s{_QUOTES},;:()<>/\\=@{{}}\[\]]{{8,40}})(?![\w@/])")
_NO_PASSWORD = re.compile(
    r"https?:|www\.|\.(?:com|org|net|py|js|json|md)\b|^v?\d+[\d.]*|[$%{}]|^[A-Z][a-z]+-\d|^[A-Z]?[a-z]+\d{1,2}$"
)
_DATE = re.compile(r"\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?")

_DIGITS = r"(?<![\d.])(?P<value>\d(?:[ -]?\d){3,8})(?!\d)"
_NUMBERS = (
    (
        "one-time code",
        re.compile(rf"(?:{_CODE_WORDS})(?:\W{{1,3}}[^\W\d]+){{0,4}}?\W{{0,4}}{_DIGITS}", re.IGNORECASE),
    ),
    (
        "one-time code",
        re.compile(rf"{_DIGITS}(?:\W{{1,3}}[^\W\d]+){{0,5}}?\W{{0,3}}(?:{_CODE_WORDS})", re.IGNORECASE),
    ),
    (
        "PIN",
        re.compile(
            rf"\b(?:{_PIN_WORDS})\b(?:\W{{1,3}}[^\W\d]+){{0,6}}?\W{{0,4}}(?<!\d)(?P<value>\d{{4,8}})(?!\d)",
            re.IGNORECASE,
        ),
    ),
    (
        "PIN",
        re.compile(
            r"(?<![\d.-])(?P<value>\d{4,8})\s+(?:as|als|como|comme)\s+(?:\w+\s+){0,2}(?:pin|passcode|geheimzahl)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "private key",
        re.compile(r"private key[^\n]{0,30}?\b(?P<value>0x[0-9a-f]{64}|[0-9a-f]{64})\b", re.IGNORECASE),
    ),
)
_BACKUP_CODE = r"[A-Za-z0-9]{4,6}[ -]?[A-Za-z0-9]{4,6}"
_BACKUP = re.compile(
    rf"(?:backup|recovery|emergency|wiederherstellungs|scratch)[ -]?(?:codes?|keys?)\b[^\n]{{0,30}}?[:=]?\s"
    rf"(?P<codes>(?:{_BACKUP_CODE}[,;\s]{{0,3}}){{1,16}})",
    re.IGNORECASE,
)
_FEWEST_SEED_WORDS = 12


def find(text: str) -> Iterator[Secret]:
    """Secrets in prose."""
    yield from _passwords(text)
    for kind, pattern in _NUMBERS:
        for match in pattern.finditer(text):
            yield Secret(start=match.start("value"), end=match.end("value"), kind=kind)
    yield from _backup_codes(text)
    yield from _seed_phrases(text)


def _passwords(text: str) -> Iterator[Secret]:
    for pattern in (_SAID, _NEXT, _WIFI):
        for match in pattern.finditer(text):
            if _may_be_password(match["value"], alone=pattern is _NEXT):
                yield Secret(start=match.start("value"), end=match.end("value"), kind="password")
    at = 0
    for line in text.splitlines(keepends=True):
        if _TOLD_OF.search(line):
            for match in _STRONG.finditer(line):
                value = match["value"].rstrip(".?")
                if _is_strong(value):
                    start = at + match.start("value")
                    yield Secret(start=start, end=start + len(value), kind="password")
        at += len(line)


def _may_be_password(value: str, *, alone: bool) -> bool:
    """Whether a word can be a password; `alone` where nothing but its place says so."""
    if is_placeholder(value) or re.search(r"[()\[\]{}$]", value) or _DATE.fullmatch(value):
        return False
    digit = any(c.isdigit() for c in value)
    if alone:
        return digit and any(c.isalpha() for c in value)
    return digit or (classes(value) > 2 and re.search(r"[^\w.]", value[:-1]) is not None)


def _is_strong(value: str) -> bool:
    """Whether a word is what rules for passwords ask for: small letters, capitals and digits; no name or version."""
    if is_placeholder(value) or _NO_PASSWORD.search(value) or _DATE.fullmatch(value):
        return False
    return all(any(test(c) for c in value) for test in (str.islower, str.isupper, str.isdigit))


def _backup_codes(text: str) -> Iterator[Secret]:
    for match in _BACKUP.finditer(text):
        for code in re.finditer(_BACKUP_CODE, match["codes"]):
            if any(character.isdigit() for character in code[0]):
                start = match.start("codes") + code.start()
                yield Secret(start=start, end=start + len(code[0]), kind="recovery code")


def _seed_phrases(text: str) -> Iterator[Secret]:
    """Runs of words that all stand in the list of BIP-39."""
    words = list(re.finditer(r"[a-z]+", text))
    start = 0
    while start <= len(words) - _FEWEST_SEED_WORDS:
        end = start
        while (
            end < len(words)
            and words[end][0] in _bip39()
            and (end == start or _adjoin(text, *words[end - 1 : end + 1]))
        ):
            end += 1
        if end - start >= _FEWEST_SEED_WORDS:
            yield Secret(start=words[start].start(), end=words[end - 1].end(), kind="seed phrase")
        start = max(end, start + 1)


def _adjoin(text: str, one: re.Match[str], other: re.Match[str]) -> bool:
    """Whether only white space, a comma or a number stands between two words."""
    return re.fullmatch(r"[\s,;.\d)(-]{1,8}", text[one.end() : other.start()]) is not None


@cache
def _bip39() -> frozenset[str]:
    from mnemonic import Mnemonic

    return frozenset(Mnemonic("english").wordlist)
