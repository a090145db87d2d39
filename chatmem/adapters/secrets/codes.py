"""Codes that people pass on: for one time, of doors and cards, and those for when all else is lost."""

import re
from collections.abc import Iterator

from chatmem.adapters.secrets.scanned import Scanned
from chatmem.domain.policy import Secret

_CODE_STEMS = (
    "verifica,security code,one time,one-time,onetime,login code,auth code,authentication code,confirmation code,"
    "access code,2fa code,otp,tan,sms code,passcode,sicherheitscode,bestätigungscode,einmalcode,código,code de,"
    "인증,認証,確認,验证码,your code,code is,code ist,código es,código de,ihr code,dein code"
)
_PIN_STEMS = (
    "pin,geheimzahl,alarm,door,gate,entry code,lock box,lockbox,safe,garage,building,locker,unlock,türcode,zugangscode,"
    "digicode,puerta,porte,combination,핀,暗証"
)
_REACH = 96
_CODE_WORDS = (
    r"verification code|verification:|verifica\b|security code|one[- ]?time (?:code|password|pin)|login code|"
    r"auth(?:entication)? code|confirmation code|access code|2fa code|otp|mtan|tan|sms code|passcode|"
    r"sicherheitscode|bestätigungscode|einmalcode|código(?: de verificación)?|code de (?:vérification|sécurité)|"
    r"인증 ?번호|인증 ?코드|認証(?:コード|番号)|確認(?:コード|番号)|验证码|"
    r"(?:your|ihr|dein|tu|su|votre)(?: [^\W\d]+){0,2} (?:code|código)|code(?= (?:is|ist)\b)"
)
_PIN_WORDS = (
    r"pin|pin code|geheimzahl|alarm code|door code|gate code|entry code|lock ?box code|safe code|garage code|gate|"
    r"alarm|unlock code|türcode|zugangscode|digicode|safe combination|combination"
    r"|(?:código|clave) de la (?:puerta|alarma)|"
    r"code (?:for|to|of) (?:the |my |our )?(?:[^\W\d]+ )?(?:gate|garage|door|house|building|alarm"
    r"|safe|locker|lock|office)|code de (?:la porte|l['’]immeuble|l['’]alarme)|핀 ?번호"  # noqa: RUF001 the apostrophe that people type
)
_NO_CODE = re.compile(
    r"(?:zip|postal|post|area|country|error|status|exit|return|product|promo|discount"
    r"|coupon|voucher|referral|source|dress|qr"
    r"|bar|item|article|currency|airport|color|colour|sort|tax|country|language|stock) ?$",
    re.IGNORECASE,
)
"""Before `code`: one that opens nothing."""

_SAYS = re.compile(
    r"(?:^|[\s(])(?:is|was|are|to|ist|lautet|war|auf|es|era|est|c['’]est|é|è|jest|är|number|no|nr|code|with|mit|now|jetzt)"  # noqa: RUF001
    r"\W{0,4}$|[:=#→>\[(]\s*$|[는은이가はがを]\s*$|^\W{0,4}$",
    re.IGNORECASE,
)
"""Between what a number is called and the number: that it is this one."""

_DIGITS = r"(?<![\d.+])(?P<value>\d(?:[ -]?\d){3,8})(?!\d)"
_NUMBERS = (
    (
        "one-time code",
        re.compile(
            rf"\b(?P<name>{_CODE_WORDS})(?P<between>[는은は]?(?:\W{{1,3}}[^\W\d]++){{0,5}}?\W{{0,4}}){_DIGITS}",
            re.IGNORECASE,
        ),
        _CODE_STEMS.split(","),
    ),
    (
        "one-time code",
        re.compile(rf"{_DIGITS}(?:\W{{1,3}}[^\W\d]++){{0,5}}?\W{{0,3}}(?:{_CODE_WORDS})(?!\w)", re.IGNORECASE),
        _CODE_STEMS.split(","),
    ),
    (
        "PIN",
        re.compile(
            rf"\b(?P<name>{_PIN_WORDS})(?P<between>(?:(?!\w)|[는은は])(?:\W{{1,3}}[^\W\d]++){{0,6}}?\W{{0,4}})"
            r"(?<!\d)(?P<value>\d{4,8}|\d{2}(?:[ -]\d{2}){1,3}|\d{1,3}[A-Z]\d{1,3})(?!\w|[.,]\d)",
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
        "PIN",
        re.compile(r"\bunlock\b[^\n\d]{0,32}\bwith\s+(?P<value>\d{4,8})(?!\w|[.,]\d)", re.IGNORECASE),
        ["unlock"],
    ),
    (
        "one-time code",
        re.compile(rf"{_DIGITS}\s+is your\b[^\n\d]{{0,40}}?\bcode\b", re.IGNORECASE),
        ["is your"],
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


def find(scanned: Scanned) -> Iterator[Secret]:
    """Codes, by what stands before or behind them."""
    if not scanned.has_digits:
        return
    for kind, pattern, stems in _NUMBERS:
        for match in scanned.around(pattern, stems, before=_REACH, after=_REACH):
            if _is_meant(match):
                yield Secret(start=match.start("value"), end=match.end("value"), kind=kind)
    yield from _backup_codes(scanned)


def _is_meant(match: re.Match[str]) -> bool:
    """Whether a number is what it stands behind the name of, and no year or channel further on."""
    parts = match.groupdict()
    if parts.get("name") is None:
        return True
    between, value = parts["between"], parts["value"]
    bare = parts["name"].lower() in _BARE
    if _NO_CODE.search(match.string[max(0, match.start() - 12) : match.start()]):
        return False
    if not between.strip(" ") and (bare or _YEAR.fullmatch(value)):
        return False
    return _SAYS.search(between) is not None


_BARE = frozenset({"gate", "alarm", "combination"})
"""Names that stand before many a number; of a code, only where it is said to be it."""

_YEAR = re.compile(r"(?:19|20)\d\d")


def _backup_codes(scanned: Scanned) -> Iterator[Secret]:
    for match in scanned.at(_BACKUP, ("backup", "recovery", "emergency", "wiederherstellungs", "scratch")):
        for code in re.finditer(_BACKUP_CODE, match["codes"]):
            if any(character.isdigit() for character in code[0]):
                start = match.start("codes") + code.start()
                yield Secret(start=start, end=start + len(code[0]), kind="recovery code")
