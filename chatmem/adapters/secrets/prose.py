"""Passwords, codes and phrases that people write into a sentence."""

import re
from collections.abc import Iterator
from functools import cache

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
_CODE_STEMS = (
    "verifica,security code,one time,one-time,onetime,login code,auth code,authentication code,confirmation code,"
    "access code,2fa code,otp,tan,sms code,passcode,sicherheitscode,bestätigungscode,einmalcode,código,code de,"
    "인증,認証,確認,验证码"
)
_PIN_STEMS = (
    "pin,geheimzahl,alarm,door code,gate,entry code,lock box,lockbox,safe code,garage code,unlock code,türcode,"
    "zugangscode"
)
_REACH = 96
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
_SOME_WORDS = r"(?:[^\w\n]{1,3}[^\W\d]++)"
_VALUE = rf"[{_QUOTES}]?(?P<value>[^\s{_QUOTES},;]{{4,64}}?)[{_QUOTES}]?"
_STOP = rf"(?=(?:[.,;!?){_QUOTES}]*(?:\s|$))|です|だ|이야|입니다|예요|이에요|야\b)"

_SAID = re.compile(rf"(?:{_NAMES_OF_IT})(?:[ ]?{_SOME_WORDS}{{0,7}}?)?{_IS}{_VALUE}{_STOP}", re.IGNORECASE)
_NEXT = re.compile(rf"(?:{_NAMES_OF_IT})\s+{_VALUE}{_STOP}", re.IGNORECASE)
_WIFI = re.compile(r"\bwi-?fi\b[^\n]{0,60}?\b(?:key|pass)\s*[:=]\s*(?P<value>\S{8,63})", re.IGNORECASE)
_TOLD_OF = (_NAME_STEMS + ",credential,rejecting,rejected,login:").split(",")
_STRONG = re.compile(rf"(?<![\w/@.:#=+-])(?P<value>[^\s{_QUOTES},;:()<>/\\=@{{}}\[\]]{{8,40}})(?![\w@/])")
_NO_PASSWORD = re.compile(
    r"https?:|www\.|\.(?:com|org|net|py|js|json|md)\b|^v?\d+[\d.]*|[$%{}]|^[A-Z][a-z]+-\d|^[A-Z]?[a-z]+\d{1,2}$"
)
_DATE = re.compile(r"\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?")

_DIGITS = r"(?<![\d.])(?P<value>\d(?:[ -]?\d){3,8})(?!\d)"
_NUMBERS = (
    (
        "one-time code",
        re.compile(rf"(?:{_CODE_WORDS})(?:\W{{1,3}}[^\W\d]++){{0,4}}?\W{{0,4}}{_DIGITS}", re.IGNORECASE),
        _CODE_STEMS.split(","),
    ),
    (
        "one-time code",
        re.compile(rf"{_DIGITS}(?:\W{{1,3}}[^\W\d]++){{0,5}}?\W{{0,3}}(?:{_CODE_WORDS})", re.IGNORECASE),
        _CODE_STEMS.split(","),
    ),
    (
        "PIN",
        re.compile(
            rf"\b(?:{_PIN_WORDS})\b(?:\W{{1,3}}[^\W\d]++){{0,6}}?\W{{0,4}}(?<!\d)(?P<value>\d{{4,8}})(?!\d)",
            re.IGNORECASE,
        ),
        _PIN_STEMS.split(","),
    ),
    (
        "PIN",
        re.compile(
            r"(?<![\d.-])(?P<value>\d{4,8})\s+(?:as|als|como|comme)\s+(?:\w+\s+){0,2}(?:pin|passcode|geheimzahl)\b",
            re.IGNORECASE,
        ),
        ["pin", "passcode", "geheimzahl"],
    ),
    (
        "private key",
        re.compile(r"private key[^\n]{0,30}?\b(?P<value>0x[0-9a-f]{64}|[0-9a-f]{64})\b", re.IGNORECASE),
        ["private key"],
    ),
)
_BACKUP_CODE = r"[A-Za-z0-9]{4,6}[ -]?[A-Za-z0-9]{4,6}"
_BACKUP = re.compile(
    rf"(?:backup|recovery|emergency|wiederherstellungs|scratch)[ -]?(?:codes?|keys?)\b[^\n]{{0,30}}?[:=]?\s"
    rf"(?P<codes>(?:{_BACKUP_CODE}[,;\s]{{0,3}}){{1,16}})",
    re.IGNORECASE,
)
_FEWEST_SEED_WORDS = 12
_WORDS = re.compile(r"(?<![\w])[a-z]{3,8}+(?:[\s,;.\d)(-]{1,8}+[a-z]{3,8}+(?!\w)){11,}+")
"""Words of the lengths of that list, with no more between them than white space, a comma or a number."""


def find(scanned: Scanned) -> Iterator[Secret]:
    """Secrets in prose."""
    yield from _passwords(scanned)
    if scanned.has_digits:
        for kind, pattern, stems in _NUMBERS:
            for match in scanned.around(pattern, stems, before=_REACH, after=_REACH):
                yield Secret(start=match.start("value"), end=match.end("value"), kind=kind)
        yield from _backup_codes(scanned)
    yield from _seed_phrases(scanned.text)


def _passwords(scanned: Scanned) -> Iterator[Secret]:
    for pattern in (_SAID, _NEXT, _WIFI):
        for match in scanned.at(pattern, _NAME_STEMS.split(",")):
            if _may_be_password(match["value"], alone=pattern is _NEXT):
                yield Secret(start=match.start("value"), end=match.end("value"), kind="password")
    for start, end in scanned.lines(_TOLD_OF):
        for match in _STRONG.finditer(scanned.text, start, end):
            value = match["value"].rstrip(".?")
            if _is_strong(value):
                yield Secret(start=match.start("value"), end=match.start("value") + len(value), kind="password")


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


def _backup_codes(scanned: Scanned) -> Iterator[Secret]:
    for match in scanned.at(_BACKUP, ("backup", "recovery", "emergency", "wiederherstellungs", "scratch")):
        for code in re.finditer(_BACKUP_CODE, match["codes"]):
            if any(character.isdigit() for character in code[0]):
                start = match.start("codes") + code.start()
                yield Secret(start=start, end=start + len(code[0]), kind="recovery code")


def _seed_phrases(text: str) -> Iterator[Secret]:
    """Runs of words that all stand in the list of BIP-39."""
    for run in _WORDS.finditer(text):
        words = list(re.finditer(r"[a-z]+", run[0]))
        start = 0
        for end in range(len(words) + 1):
            if end < len(words) and words[end][0] in _bip39():
                continue
            if end - start >= _FEWEST_SEED_WORDS:
                first, last = words[start].start(), words[end - 1].end()
                yield Secret(start=run.start() + first, end=run.start() + last, kind="seed phrase")
            start = end + 1


@cache
def _bip39() -> frozenset[str]:
    from mnemonic import Mnemonic

    return frozenset(Mnemonic("english").wordlist)
