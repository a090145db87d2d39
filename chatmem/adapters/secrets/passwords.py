"""Passwords that people write into a sentence."""

import re
from collections.abc import Iterator

from chatmem.adapters.secrets.scanned import Scanned
from chatmem.adapters.secrets.shape import classes, is_placeholder
from chatmem.domain.policy import Secret

_NAMES_OF_IT = (
    r"pass ?words?|passwd|passphrase|passcode|pwd|\bpw\b|passwort|kennwort|wlan-?schlüssel|wachtwoord|contrase[nñ]a|"
    r"clave|mot de passe|mdp|senha|palavra-passe|parola d'ordine|lösenord|adgangskode|salasana|hasło|heslo|jelszó|"
    r"şifre|пароль|비밀번호|비번|암호|パスワード|暗証番号|密码|密碼|wi-?fi key|network key"
)
_NAME_STEMS = (
    "pass word,password,passw,passp,passc,pwd,pw,kennwort,wlan,wachtwoord,contrase,clave,mot de passe,mdp,senha,"
    "palavra,parola,lösenord,adgangskode,salasana,hasło,heslo,jelszó,şifre,пароль,비밀번호,비번,암호,パスワード,暗証番号,密码,密碼,"
    "wifi,wi-fi,network key"
)
_QUOTES = "\"'“”‘’`「」"  # noqa: RUF001 the quotation marks that people type
_IS = (
    r"(?:['’]s\s+|\s*(?:[:=]|->|→|is|was|to|are|ist|lautet|war|es|era|est|c['’]est|é|è|jest|är|er|on)(?=\W)\s*|"  # noqa: RUF001
    r"\s*(?:는|은|이|가|は|が|是)\s*|\s*[:：=]\s*)"  # noqa: RUF001 the colon of Chinese and Japanese
)
_SOME_WORDS = r"(?:[^\w\n]{1,3}[^\W\d]++)"
_VALUE = rf"[{_QUOTES}]?(?P<value>[^\s{_QUOTES},;]{{4,64}}?)[{_QUOTES}]?"
_STOP = rf"(?=(?:[.,;!?){_QUOTES}]*(?:\s|$))|です|だ|이야|입니다|예요|이에요|야\b)"

_SAID = re.compile(rf"(?:{_NAMES_OF_IT})(?:[ ]?{_SOME_WORDS}{{0,7}}?)?{_IS}{_VALUE}{_STOP}", re.IGNORECASE)
_NEXT = re.compile(rf"(?:{_NAMES_OF_IT})\s+{_VALUE}{_STOP}", re.IGNORECASE)
_LETTERS_AND_MORE = rf"(?=[^\s{_QUOTES}]*\d)(?=[^\s{_QUOTES}]*[A-Za-z])[^\s{_QUOTES},;]{{6,64}}?"
_FOR_THAT = r"as (?:the |my |a |your |our )?(?:\w+ )?pass(?:word|phrase)|to (?:log ?in|sign in|unlock)"
_LOGINS = (
    r"(?:credentials?|creds|log-?in|logins|zugangsdaten|anmeldedaten|zugang|credenciales"
    r"|acceso|identifiants?|로그인|계정|ログイン)"
)
_WITH_LOGIN = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # credentials are admin:... , login is bob / ...
        rf"{_LOGINS}\b[^\n]{{0,24}}?[\s:][\w.@+-]{{2,40}}\s?[/:|]\s?(?P<value>{_LETTERS_AND_MORE}){_STOP}",
        rf"\blog ?in with [\w.@+-]+ and (?P<value>{_LETTERS_AND_MORE}){_STOP}",
        rf"\b(?:use|try|with|mit|con|avec)\s+[{_QUOTES}]?(?P<value>{_LETTERS_AND_MORE})[{_QUOTES}]?\s+(?:{_FOR_THAT})\b",
    )
]
_LOGIN_STEMS = (
    "credential,creds,login,log in,log-in,zugang,anmeldedaten,credenciales,acceso,identifiant,로그인,계정,ログイン,"
    "use ,try ,with ,mit ,con ,avec "
)
_CHANGED = [
    re.compile(rf"(?:{_NAMES_OF_IT})\s+(?:from|von|de)\s+{pattern}", re.IGNORECASE)
    for pattern in (
        rf"\S+\s+(?:to|auf|zu|a|à)\s+(?P<value>{_LETTERS_AND_MORE}){_STOP}",
        rf"(?P<value>{_LETTERS_AND_MORE})\s+(?:to|auf|zu|a|à)\s",
    )
]
_WIFI = re.compile(r"\bwi-?fi\b[^\n]{0,60}?\b(?:key|pass)\s*[:=]\s*(?P<value>\S{8,63})", re.IGNORECASE)
_TOLD_WORDS = re.compile(
    rf"(?:{_NAMES_OF_IT}|credentials?|rejecting|rejected|login:|(?:wi-?fi|wlan)\s*:)", re.IGNORECASE
)
_TOLD_OF = (_NAME_STEMS + ",credential,rejecting,rejected,login:").split(",")
_STRONG = re.compile(rf"(?<![\w/@.:#=+-])(?P<value>[^\s{_QUOTES},;:()<>/\\=@{{}}\[\]]{{8,40}})(?![\w@/])")
_NO_PASSWORD = re.compile(
    r"https?:|www\.|\.(?:com|org|net|py|js|json|md)\b|^v?\d+[\d.]*|^\$|[%{}]|^[A-Z][a-z]+-\d|^[A-Z]?[a-z]+\d{1,2}$"
)
_NOT_TYPED = re.compile(r"[()\[\]{}]|^\$|[\u3000-\u9fff\uac00-\ud7a3]")
"""What stands in code, or in a language whose letters nobody types into a password."""

_DATE = re.compile(r"\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?")


def find(scanned: Scanned) -> Iterator[Secret]:
    """Passwords in prose: behind a word for one, beside a user's name, and by their look in a line about logging in."""
    yield from _said(scanned)
    if scanned.has_digits:
        yield from _given(scanned)
        yield from _strong(scanned)


def _said(scanned: Scanned) -> Iterator[Secret]:
    for pattern in (_SAID, _NEXT, _WIFI):
        for match in scanned.at(pattern, _NAME_STEMS.split(",")):
            if _may_be_password(match["value"], alone=pattern is _NEXT):
                yield Secret(start=match.start("value"), end=match.end("value"), kind="password")


def _given(scanned: Scanned) -> Iterator[Secret]:
    for patterns, stems in ((_WITH_LOGIN, _LOGIN_STEMS), (_CHANGED, _NAME_STEMS)):
        for pattern in patterns:
            for match in scanned.at(pattern, stems.split(",")):
                if _may_be_password(match["value"], alone=True):
                    yield Secret(start=match.start("value"), end=match.end("value"), kind="password")


def _strong(scanned: Scanned) -> Iterator[Secret]:
    for start, end in scanned.lines(_TOLD_OF):
        if not _TOLD_WORDS.search(scanned.text, start, end):
            continue
        for match in _STRONG.finditer(scanned.text, start, end):
            value = match["value"].rstrip(".?")
            if _is_strong(value):
                yield Secret(start=match.start("value"), end=match.start("value") + len(value), kind="password")


def _may_be_password(value: str, *, alone: bool) -> bool:
    """Whether a word can be a password; `alone` where nothing but its place says so."""
    if is_placeholder(value) or _NOT_TYPED.search(value) or _DATE.fullmatch(value):
        return False
    digit = any(c.isdigit() for c in value)
    if alone:
        return digit and any(c.isalpha() for c in value)
    return digit or (classes(value) > 2 and re.search(r"[^\w.]", value[:-1]) is not None)


def _is_strong(value: str) -> bool:
    """Whether a word is what rules for passwords ask for: small letters, capitals and digits; no name or version."""
    if is_placeholder(value) or _NO_PASSWORD.search(value) or _NOT_TYPED.search(value) or _DATE.fullmatch(value):
        return False
    return all(any(test(c) for c in value) for test in (str.islower, str.isupper, str.isdigit))
