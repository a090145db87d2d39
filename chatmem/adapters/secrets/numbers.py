"""Numbers of cards, accounts and persons: the check digits are python-stdnum's, the words around them are ours.

A number whose check digits say little (one in ten random numbers passes) also needs a word that says what it is.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple

from chatmem.adapters.secrets.scanned import Scanned
from chatmem.domain.policy import Secret

_NEAR = 48
"""Characters before and after a number in which the word that names it is looked for."""


_ALTERNATIVES = re.compile(r"(?:\([^)]*\)|[^|(])+")


class _Number(NamedTuple):
    """One kind of number.

    `module` is python-stdnum's; `word` must stand near, or is `None` where form and check digits are enough.
    """

    kind: str
    module: str
    pattern: str
    word: str | None


def _stems(word: str | None) -> list[str]:
    """The plain words of alternatives, in small letters: what stands wherever one of them matches."""
    return [
        re.split(r"\\w|.\?|[+*\[(]", part.replace(r"\b", "").lower())[0] for part in _ALTERNATIVES.findall(word or "")
    ]


_NUMBERS = (
    _Number("card number", "luhn", r"\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{1,7}|\d{4}[ -]?\d{6}[ -]?\d{5}", None),
    _Number(
        "card number",
        "luhn",
        r"\d(?:[ -]?\d){12,18}",
        r"card|visa|karte|tarjeta|carte|cartão|diners|maestro|charge|카드|カード|卡",
    ),
    _Number("bank account", "iban", r"[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,4})?", None),
    _Number("social security number", "us.ssn", r"\d{3}-\d{2}-\d{4}", None),
    _Number("social security number", "us.ssn", r"\d{3}[ ]?\d{2}[ ]?\d{4}", r"\bssn\b|social security|my social\b"),
    _Number("tax number", "us.itin", r"9\d{2}-\d{2}-\d{4}", r"\bitin\b|taxpayer"),
    _Number("tax number", "us.ein", r"\d{2}-\d{7}", r"\bein\b|tax id|employer id"),
    _Number("identity number", "es.dni", r"\d{8}[ -]?[A-Za-z]", None),
    _Number("identity number", "es.nie", r"[XYZ][ -]?\d{7}[ -]?[A-Z]", None),
    _Number("tax number", "de.idnr", r"\d{2}[ ]?\d{3}[ ]?\d{3}[ ]?\d{3}", r"steuer|\btin\b|idnr|\btax\b"),
    _Number("identity number", "in_.aadhaar", r"\d{4}[ -]?\d{4}[ -]?\d{4}", r"aadhaa?r|adhaa?r|uidai"),
    _Number("tax number", "in_.pan", r"[A-Z]{5}\d{4}[A-Z]", r"\bpan\b|income tax"),
    _Number("tax number", "br.cpf", r"\d{3}\.\d{3}\.\d{3}-\d{2}", None),
    _Number("tax number", "br.cpf", r"\d{11}", r"\bcpf\b"),
    _Number("identity number", "kr.rrn", r"\d{6}-\d{7}", None),
    _Number("identity number", "kr.rrn", r"\d{13}", r"주민|\brrn\b"),
    _Number(
        "identity number",
        "se.personnummer",
        r"(?:\d{2})?\d{6}[-+]?\d{4}",
        r"person-nummer|personnummer|personal identity",
    ),
    _Number("identity number", "fi.hetu", r"\d{6}[-+A]\d{3}[0-9A-Y]", None),
    _Number("identity number", "dk.cpr", r"\d{6}-?\d{4}", r"\bcpr\b"),
    _Number("identity number", "no.fodselsnummer", r"\d{6}[ ]?\d{5}", r"fødsels|fodsels|personnummer"),
    _Number("identity number", "nl.bsn", r"\d{9}", r"\bbsn\b|burgerservice|sofi"),
    _Number(
        "identity number",
        "be.nn",
        r"\d{2}\.?\d{2}\.?\d{2}-?\d{3}\.?\d{2}",
        r"rijksregister|registre national|\bniss\b|\binsz\b|national number",
    ),
    _Number("identity number", "pl.pesel", r"\d{11}", r"pesel"),
    _Number("identity number", "cz.rc", r"\d{6}/\d{3,4}", None),
    _Number("tax number", "it.codicefiscale", r"[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]", None),
    _Number("tax number", "pt.nif", r"\d{3}[ ]?\d{3}[ ]?\d{3}", r"\bnif\b|contribuinte"),
    _Number("social security number", "fr.nir", r"[12][ ]?\d{2}[ ]?\d{2}[ ]?\d{2}[ ]?\d{3}[ ]?\d{3}[ ]?\d{2}", None),
    _Number("social security number", "ch.ssn", r"756\.?\d{4}\.?\d{4}\.?\d{2}", None),
    _Number("social security number", "ca.sin", r"\d{3}[ -]?\d{3}[ -]?\d{3}", r"\bsin\b|social insurance|\bnas\b"),
    _Number("health number", "gb.nhs", r"\d{3}[ -]?\d{3}[ -]?\d{4}", r"\bnhs\b"),
    _Number("tax number", "au.tfn", r"\d{3}[ ]?\d{3}[ ]?\d{2,3}", r"\btfn\b|tax file"),
    _Number("health number", "au.medicare", r"\d{4}[ ]?\d{5}[ ]?\d", r"medicare"),
    _Number("identity number", "cn.ric", r"\d{17}[0-9Xx]", None),
    _Number("identity number", "jp.in_", r"\d{4}[ ]?\d{4}[ ]?\d{4}", r"マイナンバー|my number|個人番号"),
    _Number("identity number", "za.idnr", r"\d{13}", r"\bid\b|identity"),
    _Number("identity number", "il.idnr", r"\d{9}", r"teudat|\bת"),
    _Number("identity number", "tr.tckimlik", r"\d{11}", r"kimlik|\btckn?\b"),
    _Number("identity number", "mx.curp", r"[A-Z]{4}\d{6}[A-Z]{6}[A-Z0-9]\d", None),
    _Number("identity number", "ar.dni", r"\d{2}\.\d{3}\.\d{3}", r"\bdni\b"),
    _Number("tax number", "ar.cuit", r"\d{2}-\d{8}-\d", None),
    _Number("tax number", "cl.rut", r"\d{1,2}\.?\d{3}\.?\d{3}-[0-9Kk]", None),
    _Number("identity number", "ro.cnp", r"\d{13}", r"\bcnp\b"),
    _Number("identity number", "hu.anum", r"\d{8}-\d-\d{2}", r"adósz"),
    _Number("identity number", "gr.amka", r"\d{11}", r"amka|αμκα"),
    _Number("tax number", "ie.pps", r"\d{7}[A-W][A-IW]?", r"\bpps"),
    _Number("identity number", "bg.egn", r"\d{10}", r"\begn\b|егн"),
)

_WORDED = (
    (
        "national insurance number",
        r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ ]?\d{2}[ ]?\d{2}[ ]?\d{2}[ ]?[A-D]",
        r"\bni\b|\bnino\b|national insurance",
    ),
    (
        "passport number",
        r"[A-Z0-9]{0,2}\d{6,9}[A-Z0-9]?|[CFGHJK][0-9CFGHJKLMNPRTVWXYZ]{8}",
        r"passport|reisepass|pasaporte|passeport|passnummer|여권|パスポート|护照",
    ),
    ("driving licence number", r"[A-Z0-9]{8,18}", r"driv\w+ licen[cs]e (?:no|number|nr|#)|führerscheinnummer"),
    ("card check number", r"\d{3,4}", r"\bcvv2?\b|\bcvc2?\b|\bcsc\b|security code"),
)

_LONGEST_NAME = 40
_PATTERNS = [
    (number, re.compile(rf"(?<![\w.-])(?:{number.pattern})(?![\w-])"), _stems(number.word)) for number in _NUMBERS
]
_NAMED = [
    (
        kind,
        re.compile(
            rf"(?:{word})\W{{0,3}}+(?:[^\W\d]++\W{{1,3}}+){{0,3}}?(?<![\w.-])(?P<value>{form})(?![\w-])", re.IGNORECASE
        ),
        _stems(word),
    )
    for kind, form, word in _WORDED
]


def find(scanned: Scanned) -> Iterator[Secret]:
    """Numbers whose check digits fit, and those that the words right before them name."""
    if scanned.has_digits:
        yield from _by_check_digits(scanned)
        yield from _by_name(scanned)


def _by_check_digits(scanned: Scanned) -> Iterator[Secret]:
    for number, pattern, stems in _PATTERNS:
        if number.word is None:
            for start, end in scanned.digit_runs:
                yield from _checked(scanned.text, number, pattern, (start, min(end + 2, len(scanned.text))))
        else:
            for place in scanned.near(stems, before=_NEAR, after=_NEAR + _LONGEST_NAME):
                yield from _checked(scanned.text, number, pattern, place)


def _by_name(scanned: Scanned) -> Iterator[Secret]:
    for kind, pattern, stems in _NAMED:
        for match in scanned.around(pattern, stems, before=0, after=4 * _NEAR):
            if any(character.isdigit() for character in match["value"]):
                yield Secret(start=match.start("value"), end=match.end("value"), kind=kind)


def _checked(text: str, number: _Number, pattern: re.Pattern[str], place: tuple[int, int]) -> Iterator[Secret]:
    at, end = place
    while match := pattern.search(text, at, end):
        # What fails may have begun with a number before the one that is looked for.
        at = match.start() + 1
        if _named(text, match, number.word) and _passes(number, match[0]):
            at = match.end()
            yield Secret(start=match.start(), end=match.end(), kind=number.kind)


def _named(text: str, match: re.Match[str], word: str | None) -> bool:
    if word is None:
        return True
    around = text[max(0, match.start() - _NEAR) : match.end() + _NEAR]
    return re.search(word, around, re.IGNORECASE) is not None


def _passes(rule: _Number, number: str) -> bool:
    bare = re.sub(r"\W", "", number)
    if len(set(bare)) < 3 or bare in _PUBLISHED:
        return False
    if rule.module == "luhn":
        lengths = {15, 16} if rule.word is None else range(13, 20)
        return len(bare) in lengths and bare[0] in "23456" and bool(_valid(rule.module)(bare))
    if rule.module == "iban":
        return bool(_valid(rule.module)(number, check_country=False))
    return bool(_valid(rule.module)(number))


_PUBLISHED = frozenset({"123456789", "078051120", "219099999", "DE89370400440532013000", "GB82WEST12345698765432"})
"""Social security and account numbers that every form and manual shows."""


@cache
def _valid(module: str) -> Callable[..., bool]:
    is_valid: Callable[..., bool] = import_module(f"stdnum.{module}").is_valid
    return is_valid
