"""What a statement claims that can hold only one value at a time: where someone lives, how old they are, when it is.

Two statements about one subject that claim different values of one matter cannot both hold now. Patterns for English,
with the commonest of German and Spanish; they fit the first person and `The user ...` alike.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from chatmem.consolidation.prose import straight
from chatmem.consolidation.wording import READ_AT_ONCE
from chatmem.domain.text import words

_NAME = r"(?-i:[A-ZÀ-ÖØ-Þ][\w'-]+(?: (?:de |da |do |del |la )?[A-ZÀ-ÖØ-Þ][\w'-]+)*)"
_AS = r"(?: as [\w -]{2,30}?| \w+.time)?"
_NOUN = r"(?:an? )?([\w -]+?)(?= (?:at|in|for|and|with)\b|[.,;!]|$)"
_ADVERBS = (
    r"(?:(?:am|are|is|have|has|been|now|currently|just|actually|still|recently|finally|all|both|already|really)\s+)*"
)
_USER = r"(?:^|\b(?:i|we|user)(?:'m|'re|'ve|'s)?\s+)"
_OTHER = r"(?:^|\b(?:he|she|they|\w+)(?:'s|'re|'ve)?\s+)"
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_NO_PLACE = frozenset([*_MONTHS, *_WEEKDAYS, "i", "christmas", "easter"])
_STREET = re.compile(
    r"\b(?:street|st|road|rd|avenue|ave|lane|square|rua|calle|rue|via|platz|\w*stra(?:ß|ss)e|\w+weg|floor)\b"
)
_AFTER = 8
"""Characters after a name in which it may turn out to be that of a street."""

_NOT_NOW = re.compile(
    r"\b(?:used to|formerly|previously|back then|back when|as a (?:child|kid|student)|grew up|when i was"
    r"|until (?:last|\d)|will|i'll|we'll|going to|want to|wants to|hope to|plan(?:s|ning)? to|about to|would|might"
    r"|may move|if i|if we|früher|antes)\b",
    re.IGNORECASE,
)

_WHERE = (
    r"(?:(?:live|lives|living|lived|based|reside|resides|residing|settled)(?:\s[a-zà-ÿ'-]+){{0,4}}? in"
    r"|(?:moved|relocated)(?: back| house| away| out here| home)?(?: from {name})? (?:in)?to) (?:the )?({name})"
)
_PATTERNS = {
    "home": [
        rf"{{who}}{_ADVERBS}{_WHERE.format(name=_NAME)}",
        rf"\b(?:my|our|the|user's) (?:new )?(?:flat|house|apartment|studio|home)(?: is)? in (?:the )?({_NAME})",
        rf"\b(?:wohne|lebe|vivo|me mudé)(?: jetzt| ahora)? (?:in|en|a) ({_NAME})",
    ],
    "employer": [
        rf"{{who}}{_ADVERBS}(?:work|works|working|employed){_AS} (?:for|at) (?:the )?({_NAME})",
        rf"\bnew job{_AS} (?:at|with) (?:the )?({_NAME})",
        rf"\bemployer is ({_NAME})",
    ],
    "occupation": [
        rf"{{who}}{_ADVERBS}(?:work|works|working|employed) as {_NOUN}",
        rf"\b(?:my|user's) (?:job|occupation|profession) is {_NOUN}",
    ],
    "age": [rf"{{who}}{_ADVERBS}(?:turned |turns )?(\w+)(?: years? old(?: now)?| now)?(?=[,.!;]|$)"],
    "name": [rf"\bname(?:'s| is)(?: now)? ({_NAME})", rf"\b(?:i'm|i am|user is) called ({_NAME})"],
    "relationship": [
        rf"{{who}}{_ADVERBS}(?:got )?(single|married|engaged|divorced|widowed|separated)\b",
    ],
    "birthday": [r"\bbirthday(?:'s| is)(?: on)?(?: the)? ([\w ]{3,24})"],
}
_COMPILED = {
    who: {
        matter: [re.compile(pattern.replace("{who}", start), re.IGNORECASE) for pattern in patterns]
        for matter, patterns in _PATTERNS.items()
    }
    for who, start in (("user", _USER), ("other", _OTHER))
}
_OWNED = re.compile(
    r"\b(?:my|our|user's|his|her|their) ((?:favou?rite )?[\w-]+(?: [\w-]+)?)"
    r"(?:'s| is| are| runs| costs| starts| ends)(?: now| on| at| in| due| an?| the| from){0,3} ([^.;!?]{1,60})",
    re.IGNORECASE,
)
_ONE_OF_A_KIND = frozenset(
    {"boss", "manager", "landlord", "landlady", "doctor", "dentist", "therapist", "bank", "gym", "phone", "laptop"}
)
_ATE = r"\b(?:eat|eats|eating|como|esse)\b[^.;]{0,20}"
_DIETS = (
    ({"vegan"}, r"\bvegan\w*\b"),
    ({"vegetarian"}, r"\bvegetarian\w*\b|\bvegetarier\w*\b"),
    # Whoever eats one may eat the other.
    ({"fish", "meat"}, rf"\bpescatarian\b|{_ATE}\b(?:fish|pescado|fisch|meat|chicken|beef|pork|carne|pollo|fleisch)\b"),
)
_DIET = tuple((frozenset(kept), re.compile(pattern, re.IGNORECASE)) for kept, pattern in _DIETS)
_DENIED = re.compile(r"\b(?:not|no|never|no longer|\w+n't|kein\w*|nicht)\b", re.IGNORECASE)
_MONTH = "|".join(_MONTHS)
_DAY = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b|\b(?:{_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?\b"
    r"|\b(\d{1,2})(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"\b(mon|tue|wed|thu|fri|sat|sun)(?:(?<=tue)s|(?<=wed)nes|(?<=thu)rs?|(?<=sat)ur)?(?:days?\b|(?<!sat)(?<!sun)\b)",
    re.IGNORECASE,
)
_TIME = re.compile(r"\b(\d{1,2}(?::\d\d)? ?[ap]m|\d{1,2}:\d\d)\b", re.IGNORECASE)
_NUMBER = re.compile(rf"\b(\d+(?:[.,]\d+)*|{'|'.join(_NUMBERS)})(?:k|km|kg|%)?\b", re.IGNORECASE)


@lru_cache(maxsize=READ_AT_ONCE)
def claims(text: str, subject: str = "user") -> Mapping[str, frozenset[str]]:
    """What a statement claims to hold now: the words of the value for each matter.

    Args:
        text: The statement.
        subject: Whom it is about.
    """
    text = straight(text).replace("The user", "the user")
    if _NOT_NOW.search(text):
        return {}
    found = dict(_by_pattern(text, "user" if subject == "user" else "other"))
    found |= _owned(text)
    if (diets := [kept for kept, pattern in _DIET if pattern.search(text)]) and not _DENIED.search(text):
        found["diet"] = frozenset().union(*diets)
    return found


@lru_cache(maxsize=READ_AT_ONCE)
def measures(text: str) -> Mapping[str, frozenset[str]]:
    """The days, weekdays, times of day and other numbers that a text names, by kind."""
    text = straight(text)
    days = frozenset("".join(day) for day in _DAY.findall(text))
    left = _TIME.sub(" ", _DAY.sub(" ", text))
    found = {
        "day": days,
        "weekday": frozenset(day.lower() for day in _WEEKDAY.findall(text)),
        "time": frozenset(time.lower().replace(" ", "") for time in _TIME.findall(text)),
        "number": frozenset(_figure(number) for number in _NUMBER.findall(left)),
    }
    return {kind: values for kind, values in found.items() if values}


def _figure(number: str) -> str:
    number = number.lower()
    return str(_NUMBERS.index(number)) if number in _NUMBERS else number


def _by_pattern(text: str, who: str) -> Iterator[tuple[str, frozenset[str]]]:
    for matter, patterns in _COMPILED[who].items():
        for pattern in patterns:
            if (found := pattern.search(text)) and (value := _value(matter, found)):
                yield matter, value
                break


def _value(matter: str, found: re.Match[str]) -> frozenset[str]:
    told = found[1]
    if matter == "age":
        return frozenset([_figure(told)]) if told.isdigit() or told.lower() in _NUMBERS else frozenset()
    if matter == "birthday":
        return measures(told).get("day", frozenset())
    if matter in {"home", "employer"} and _STREET.search(found.string[found.start(1) : found.end() + _AFTER].lower()):
        return frozenset()
    return frozenset(words(told)) - _NO_PLACE


def _owned(text: str) -> dict[str, frozenset[str]]:
    """Values of what somebody has one of: `my boss is Ida`, `our rent is 900`, `my favourite colour is green`."""
    found = _OWNED.search(text)
    if found is None:
        return {}
    thing, told = found[1].lower(), found[2]
    if thing.startswith("favo") or thing in _ONE_OF_A_KIND:
        return {thing: frozenset(words(told)[:6])}
    return {f"{thing}, {kind}": values for kind, values in measures(told).items() if kind != "weekday"}
