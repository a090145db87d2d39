"""What a statement says about whom: patterns that name the slot and the subject."""

import re
from dataclasses import dataclass, replace

from chatmem.consolidation.prose import straight
from chatmem.domain.patterns import Pattern

_KIN = (
    "sister|brother|mother|mum|mom|mam|father|dad|son|daughter|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?"
    "|niece|nephew|aunt|uncle|cousin|grandmother|grandma|gran|grandfather|grandpa|grandson|granddaughter|mother-in-law"
    "|father-in-law|sister-in-law|brother-in-law|twin|child|kid|stepson|stepdaughter|friend|flatmate|roommate|housemate"
    "|colleague|boss|manager|neighbou?r|landlord|landlady|teacher|coach|therapist"
)
_FOREIGN_KIN = {
    "schwester": "sister", "bruder": "brother", "mutter": "mother", "vater": "father", "sohn": "son",
    "tochter": "daughter", "frau": "wife", "mann": "husband", "freund": "friend", "freundin": "friend",
    "hermana": "sister", "hermano": "brother", "madre": "mother", "padre": "father", "hijo": "son", "hija": "daughter",
    "mujer": "wife", "marido": "husband", "amigo": "friend", "amiga": "friend",
}  # fmt: skip
_PET = (
    "dog|cat|puppy|kitten|hamster|rabbit|parrot|budgie|tomcat|horse|pony|tortoise|goldfish|guinea pig|beagle|labrador"
    "|poodle|terrier|collie|spaniel|retriever|dachshund|hund|katze|kater|perro|perra|gato|gata"
)
_LANGUAGE = (
    "english|german|french|spanish|italian|portuguese|dutch|swedish|norwegian|danish|finnish|icelandic|polish|czech|slovak"
    "|hungarian|romanian|bulgarian|serbian|croatian|greek|turkish|russian|ukrainian|arabic|hebrew|hindi|urdu|bengali|persian"
    "|farsi|japanese|korean|chinese|mandarin|cantonese|vietnamese|thai|indonesian|malay|swahili|latin|welsh|irish|catalan"
)
_NATION = (
    "german|french|spanish|italian|portuguese|dutch|swedish|norwegian|danish|finnish|polish|czech|hungarian|greek|turkish"
    "|russian|ukrainian|american|british|english|scottish|irish|welsh|canadian|mexican|brazilian|indian|chinese|japanese|korean"
)
_COUNT = (
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty)"
)
_NAMED = r"(?-i:[A-ZÀ-ÖØ-Þ][\w'-]+)"
_ADVERBS = r"(?:(?:really|absolutely|also|both|just|now|still|currently) )*"
_I = rf"\b(?:i|we) {_ADVERBS}"
_AM = rf"\b(?:i'm|i am|we're|we are) {_ADVERBS}"
_CALLING = (
    r"(?:\w+(?:wife|ist|eer|ician|yer|her|tor|sor|ger|per|ker|ter|der|ner|nurse)|nurse|student|chef|cook|architect|clerk|pilot"
    r"|vet|postdoc|doctor|solicitor|buyer|apprentice|assistant|analyst)\b"
)


@dataclass(frozen=True, slots=True)
class Slot:
    """A pattern for what a statement says.

    Attributes:
        name: What it says about its subject (`home`, `diet`).
        importance: How much losing it would matter, [0, 1].
        additive: Whether a subject may have several values at once.
    """

    name: str
    pattern: Pattern
    importance: float
    additive: bool


def _slot(name: str, importance: float, *patterns: str) -> Slot:
    """A slot that keeps all its values."""
    return Slot(name, Pattern("|".join(patterns), re.IGNORECASE), importance, additive=True)


def _single(name: str, importance: float, *patterns: str) -> Slot:
    """A slot with one value at a time."""
    return replace(_slot(name, importance, *patterns), additive=False)


SLOTS = (
    _single(
        "name",
        0.9,
        r"\b(?:my name(?:'s| is)|i'm called|i go by|ich heiße|me llamo) \w",
        rf"^(?:i'm|i am) (?!(?:{_NATION})\b){_NAMED}(?: {_NAMED})?(?=[.,!]|$| and | from )",
    ),
    _slot(
        "allergy",
        0.95,
        r"\b(?:allerg\w+|anaphyla\w+|epipen|hay fever|intoleran\w+|unverträglich\w*|alérgic\w+)\b",
        r"\bgives? (?:me|them|him|her) (?:hives|a rash|palpitations)\b",
    ),
    _slot(
        "diet",
        0.85,
        r"\b(?:vegan\w*|vegetarian\w*|vegetarier\w*|pescatarian|coeliac|celiac|gluten.free|lactose|kosher|halal|teetotal|decaf)\b",
        r"\b(?:don't|do not|never|can't|cannot|no longer|stopped|quit) (?:eat|eating|drink|drinking|have|do) \w+",
        r"\b(?:esse|trinke) (?:kein\w*|nur)\b|\b(?:no )?como (?:pescado|carne)\b",
    ),
    _slot(
        "health",
        0.85,
        r"\b(?:diabet\w+|asthma\w*|epilep\w+|migraine\w*|blood pressure|hearing aid|pacemaker|insulin|surgery"
        r"|pregnan\w+|diagnos\w+|chronic|wheelchair|insomnia|adhd|autis\w+|dyslexi\w+|arthritis|light sleeper|i snore"
        r"|blood type|medication|tore a \w+|bandscheibe\w*)\b",
    ),
    _single(
        "home",
        0.85,
        rf"{_I}(?:live|lived|moved|reside|rent|settled)\b|\bi've (?:lived|moved)\b",
        r"\b(?:i'm|been|we're) (?:now )?(?:living|based)\b|\bshar(?:e|ing) a (?:flat|house)\b",
        r"\b(?:my|our|the) (?:new )?(?:flat|house|apartment|place|home) (?:is |in |on |near )",
        r"\bmy (?:home ?town|address)\b|\b(?:in|into) a (?:flat|studio|house)\b|\b(?:wohne\w*|ich lebe|vivo en)\b",
    ),
    _single(
        "origin",
        0.7,
        rf"\b(?:i'm|i am|i come|originally) from {_NAMED}|\b(?:i was born|born in|i grew up|komme aus|soy de)\b",
    ),
    _single(
        "occupation",
        0.8,
        rf"{_I}(?:work|teach|study|translate|manage|freelance|wait tables|run an?|own an?)\b",
        rf"(?:{_AM}|\bi (?:work|started) |\bi've (?:just )?started )(?:as )?an? (?:[\w-]+ ){{0,3}}?{_CALLING}",
        rf"{_AM}(?:doing|studying|working|employed|teaching|an? \w+ at|the \w+ team|on the \w+ shift|in charge)\b",
        r"\bmy (?:job|work|profession|shift\w*|company|employer|studies|degree)\b",
        r"\b(?:year|semester) of \w+ (?:in|at)\b|\b(?:ich arbeite|ich studiere|trabajo (?:en|como|de))\b",
    ),
    _single("employer", 0.8, r"\b(?:work\w*|job|employed|started|position|role) (?:at|for|with) \w"),
    _single(
        "age",
        0.7,
        rf"\b(?:i'm|i am|turn(?:s|ed|ing)?|he's|she's|will be) {_COUNT}(?: years? old)?(?=[\s,.!]|$)",
        rf"\b{_COUNT} years old\b|\bbin \d+(?: jahre)?\b|\btengo \d+ años\b",
    ),
    _single("birthday", 0.7, r"\b(?:birthday|geburtstag|cumpleaños)\b"),
    _single(
        "relationship",
        0.7,
        rf"(?:{_AM}|{_I})(?:got )?(?:married|engaged|divorced|single|widowed|separated)\b|\bbroke up\b",
    ),
    _slot(
        "pet",
        0.7,
        rf"\b(?:my|our|adopt\w*|i have|i've|we have|we've|mein\w*|mi)\b.{{0,40}}\b(?:{_PET})s?\b",
        rf"\b(?:he's|she's|it's) my (?:\w+ )?(?:{_PET})\b|\ban? (?:\w+ )?(?:{_PET}) (?:called|named)\b",
    ),
    _slot(
        "language",
        0.7,
        rf"\b(?:speaks?|fluent|native|learn\w*|lessons?|bilingual|spreche|hablo)\b.*\b(?:{_LANGUAGE})\b",
        rf"\bmy (?:{_LANGUAGE})\b|\b(?:{_LANGUAGE})(?: \w+)? (?:lessons?|classes|course)\b",
    ),
    _slot(
        "goal",
        0.7,
        r"\bmy (?:goal|target|plan|aim|dream)\b|\b(?:goal|target|plan) is\b|\bi promised myself\b|\bhold me to\b",
        r"\bi want to (?:run|learn|finish|write|move|build|have|become|save|lose|read|get my)\b|\bi want (?:the|my)\b",
        rf"{_AM}(?:training|saving) (?:for|up)\b|\baiming (?:for|to)\b|\bmein ziel\b|\bquiero\b",
    ),
    _slot(
        "project",
        0.65,
        r"\b(?:my|our) (?:\w+ )?(?:project|novel|thesis|startup|blog|podcast|app)\b",
        r"\b(?:working on|writing a|building a|this is for)\b",
    ),
    _slot("finance", 0.7, r"\b(?:mortgage|salary|i earn|i owe|loan|debts?|credit card|savings|offered \d+)\b"),
    _slot(
        "dislikes",
        0.65,
        rf"{_I}(?:hate|can't stand|cannot stand|dislike|don't (?:really )?like|loathe|detest)\b|\b\w+ scare me\b",
        r"\bich (?:hasse|mag kein\w*)\b|\b(?:odio|no soporto|no me gusta|no lo soporto)\b",
    ),
    _slot(
        "likes",
        0.6,
        rf"{_I}(?:love|like|enjoy|adore|prefer)\b|\bmy favou?rite\b|{_AM}(?:a fan of|into|fond of)\b",
        r"\bich (?:liebe|mag)\b|\b(?:me gusta|me encanta)\b",
    ),
    _slot(
        "hobby",
        0.6,
        rf"{_I}(?:play|run|swim|climb|cycle|sing|paint|knit|dance|ski|hike|row|garden|bake|collect|fish)\b",
        r"\b(?:started|took up|taken up|begun|learning) (?:to )?(?:\w+ing|lessons)\b",
        r"\bmy (?:club|band|choir|team|quartet|orchestra)\b|\bich (?:spiele|tanze|klettere)\b",
    ),
    _single(
        "equipment", 0.55, r"\bmy (?:\w+ )?(?:laptop|computer|phone|car|bike|camera|pump|printer|server|desktop)\b"
    ),
    _slot(
        "habit",
        0.6,
        rf"{_I}(?:always|usually|never|often|only)\b|{_I}(?:use|stopped|switched|gave up|quit)\b",
        r"\bevery (?:day|morning|evening|night|week)\b|\b\w+days and \w+days\b",
    ),
)
"""Tried in order; the first that fits a statement names its slot."""

BY_NAME = {slot.name: slot for slot in SLOTS}
"""The slots by name."""

_THEIRS = Pattern(
    rf"\b(?:my|our|mein\w*|mi|unser\w*) (?:(?!{_KIN})[\w-]+ )?({_KIN}|{'|'.join(_FOREIGN_KIN)})\b"
    rf"(?!'),?(?: ({_NAMED}))?",
    re.IGNORECASE,
)
_PRESENTED = Pattern(rf"\b({_NAMED})(?:'s|,? is)? my ({_KIN})\b|\b(?:he's|she's) my ({_KIN})\b", re.IGNORECASE)
_STRANGER = Pattern(rf"\b(?:one of|a friend|her friends?|his friends?)\b.*?({_NAMED})", re.IGNORECASE)
_OTHER = Pattern(r"\b(?:he|she|they)(?:'s|'re|'ll)?\b", re.IGNORECASE)
_SELF = Pattern(r"(?:i|we|i'm|i've|i'd|we're|we've|my own|me and|ich|wir|yo|soy|tengo)\b", re.IGNORECASE)


def slot_of(statement: str) -> Slot | None:
    """The slot a statement fills, where a pattern knows it."""
    text = straight(statement)
    return next((slot for slot in SLOTS if slot.pattern.search(text)), None)


def subject_of(statement: str, last_other: str | None = None) -> str:
    """Whom a statement is about: `user`, or the one it names.

    Args:
        statement: The statement.
        last_other: Whom else the user spoke of last; `he`, `she` and `they` are taken for them.
    """
    text = straight(statement)
    if other := other_in(text):
        return "user" if _SELF.match(text) and not _PRESENTED.search(text) else other
    if last_other and _OTHER.match(text):
        return last_other
    return "user"


def other_in(statement: str) -> str | None:
    """The relative, friend or other person a statement speaks of: `sister Ana`."""
    text = straight(statement)
    if found := _THEIRS.search(text):
        kin = _FOREIGN_KIN.get(found[1].lower(), found[1].lower())
        return f"{kin} {found[2]}" if found[2] else kin
    if found := _PRESENTED.search(text):
        return f"{found[2].lower()} {found[1]}" if found[1] else found[3].lower()
    if found := _STRANGER.search(text):
        return found[1]
    return None
