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
    "oma": "grandmother", "opa": "grandfather", "tante": "aunt", "onkel": "uncle", "chefin": "boss",
    "kollege": "colleague", "kollegin": "colleague", "hermana": "sister", "hermano": "brother",
    "madre": "mother", "padre": "father", "hijo": "son", "hija": "daughter",
    "mujer": "wife", "marido": "husband", "amigo": "friend", "amiga": "friend",
    "novio": "boyfriend", "novia": "girlfriend", "abuela": "grandmother", "abuelo": "grandfather", "jefe": "boss",
    "sœur": "sister", "soeur": "sister", "frère": "brother", "mère": "mother", "père": "father", "fils": "son",
    "fille": "daughter", "femme": "wife", "mari": "husband", "ami": "friend", "amie": "friend", "copain": "boyfriend",
    "copine": "girlfriend", "grand-mère": "grandmother", "grand-père": "grandfather",
}  # fmt: skip
_UNSPACED_KIN = {
    "언니": "sister", "누나": "sister", "여동생": "sister", "오빠": "brother", "형": "brother",
    "남동생": "brother",
    "엄마": "mother", "어머니": "mother", "아빠": "father", "아버지": "father",
    "아들": "son", "딸": "daughter",
    "남편": "husband", "아내": "wife", "친구": "friend", "妹": "sister", "姉": "sister", "弟": "brother",
    "兄": "brother", "母": "mother", "父": "father", "息子": "son", "娘": "daughter", "夫": "husband", "妻": "wife",
    "祖母": "grandmother", "祖父": "grandfather", "友達": "friend", "友人": "friend",
}  # fmt: skip
_PET = (
    "dog|cat|puppy|kitten|hamster|rabbit|parrot|budgie|tomcat|horse|pony|tortoise|goldfish|guinea pig|beagle|labrador"
    "|poodle|terrier|collie|spaniel|retriever|dachshund|hund|hündin|katze|kater|kaninchen"
    "|perro|perra|gato|gata"
)
_LANGUAGE = (
    "english|german|french|spanish|italian|portuguese|dutch|swedish|norwegian|danish|finnish|icelandic|polish|czech"
    "|slovak"
    "|hungarian|romanian|bulgarian|serbian|croatian|greek|turkish|russian|ukrainian|arabic|hebrew|hindi|urdu"
    "|bengali|persian"
    "|farsi|japanese|korean|chinese|mandarin|cantonese|vietnamese|thai|indonesian|malay|swahili|latin|welsh|irish"
    "|catalan"
)
_NATION = (
    "german|french|spanish|italian|portuguese|dutch|swedish|norwegian|danish|finnish|polish|czech|hungarian|greek"
    "|turkish"
    "|russian|ukrainian|american|british|english|scottish|irish|welsh|canadian|mexican|brazilian|indian|chinese"
    "|japanese|korean"
)
_COUNT = (
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty)"
)
_NAMED = r"(?-i:[A-ZÀ-ÖØ-Þ][\w'-]+)"
_ADVERBS = r"(?:(?:really|absolutely|also|both|just|now|still|currently) )*"
_I = rf"\b(?:i|we) {_ADVERBS}"
_AM = rf"\b(?:i'm|i am|we're|we are) {_ADVERBS}"
_NOT_THIS = r"(?! (?:it|that|this|these|those|them|your|the (?:first|second|third|last|other|idea|new|sound))\b)"
_CALLING = (
    r"(?:(?!beginner|lover|reader|sleeper|smoker|drinker|member|user|customer|stranger|winner|loser|father|mother|brother"
    r"|sister|foreigner|newcomer|runner|swimmer|number|matter|human|fan\b)"
    r"\w+(?:wife|ist|eer|ier|ian|yer|er|or|smith|man|woman|nurse)|nurse|student|chef|cook|architect|clerk|pilot|vet"
    r"|paramedic|judge|postdoc|apprentice|assistant|analyst)\b"
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
        r"\b(?:my name(?:'s| is)|i'm called|i go by|ich heiße|me llamo|je m'appelle) \w",
        rf"\b(?:you can|just|everyone|people|friends) calls? me (?:just )?{_NAMED}|이름은|名前は|と申します",
        rf"^(?:i'm|i am) (?!(?:{_NATION})\b){_NAMED}(?: {_NAMED})?(?=[.,!]|$| and | from )",
    ),
    _slot(
        "allergy",
        0.95,
        r"\b(?:allerg\w+|anaphyla\w+|epipen|hay fever|intoleran\w+|unverträglich\w*|allergi\w+|alérgic\w+"
        r"|alergi\w+)\b|알레르기|알러지|アレルギー",
        r"\b(?:throat|face|lips) (?:swells?|closes?|itch\w*)\b",
        r"\bgives? (?:me|them|him|her) (?:hives|a rash|palpitations)\b",
    ),
    _slot(
        "diet",
        0.85,
        r"\b(?:vegan\w*|vegetarian\w*|vegetarier\w*|pescatarian|coeliac|celiac|gluten.free|lactose|kosher|halal"
        r"|teetotal|decaf)\b",
        r"\b(?:don't|do not|never|can't|cannot|no longer|stopped|quit) (?:eat|eating|drink|drinking|have|do) \w+",
        r"\b(?:esse|trinke) (?:ich )?(?:kein\w*|nur)\b|\bcomo (?:pescado|carne)\b|\b(?:no )?(?:bebo|tomo) (?!nota)\w+",
        r"\bje ne (?:mange|bois) (?:pas|plus|jamais)\b|\b(?:végétarien|végétalien)\w*\b|채식|비건|고기.*(?:안|못)",
        r"(?:肉|魚|卵|牛乳|酒)\w*(?:食べ|飲み|飲め)(?:ません|ない|られ)|ベジタリアン|ヴィーガン",
    ),
    _slot(
        "health",
        0.85,
        r"\b(?:diabet\w+|asthma\w*|epilep\w+|migraine\w*|blood pressure|hearing aid|pacemaker|insulin|surgery"
        r"|pregnan\w+|diagnos\w+|chronic|wheelchair|insomnia|adhd|autis\w+|dyslexi\w+|arthritis|light sleeper|i snore"
        r"|blood type|medication|tore a \w+|bandscheibe\w*|bluthochdruck|enceinte|embarazada|colou?r.?blind)\b",
        r"\bmy (?:\w+ )?(?:knee|ankle|back|hip|shoulder|heart|hearing|eyesight)\b",
        rf"(?:{_AM}|\b(?:he|she)(?:'s| is) )(?:left|right).handed\b",
        r"당뇨|천식|임신|수술|왼손잡이|糖尿病|喘息|妊娠|手術|左利き",
    ),
    _single(
        "home",
        0.85,
        rf"{_I}(?:live|lived|moved|reside|rent|settled)\b|\bi've (?:lived|moved)\b",
        r"\b(?:i'm|been|we're) (?:now )?(?:living|based)\b|\bshar(?:e|ing) a (?:flat|house)\b",
        r"\b(?:my|our|the) (?:new )?(?:flat|house|apartment|place|home) (?:is |in |on |near )",
        r"\bmy (?:home ?town|address)\b|\b(?:in|into) a (?:flat|studio|house)\b|\b(?:wohne?|ich lebe|vivo en"
        r"|vivimos en|j'habite|on habite)\b",
        rf"\b(?:here|living|based) in {_NAMED}|\b(?:hier in|hab ich in|aquí en|acá en|ici à) {_NAMED}",
        rf"\b(?:bought|rented|have|got) an? (?:\w+ )?(?:house|flat|apartment|cabin|cottage)\b|\bnew place in {_NAMED}",
        r"\b(?:umgezogen|eingezogen|me mudé|nos mudamos|emménagé|déménagé)\b|에 살|에서 살|이사|に住ん|引っ越",
    ),
    _single(
        "origin",
        0.7,
        rf"\b(?:i'm|i am|i come|originally) from {_NAMED}|\b(?:i was born|born in|i grew up|komme aus|soy de"
        rf"|je viens de)\b|출신|出身",
    ),
    _single(
        "occupation",
        0.8,
        rf"{_I}(?:work|teach|study|translate|manage|freelance|wait tables|run an?|own an?)\b",
        rf"(?:{_AM}|\bi (?:work|started) |\bi've (?:just )?started )(?:as )?an? (?:[\w-]+ ){{0,3}}?{_CALLING}",
        rf"{_AM}(?:doing (?:[\w-]+ ){{1,4}}(?:at|for|in) an?|studying|working|employed|teaching"
        r"|an? (?:[\w-]+ ){1,3}(?:at|in|for|with) \w|in my \w+ (?:year|semester)"
        rf"|the \w+ team|on the \w+ shift|in charge)\b",
        r"\bmy (?:job|work|profession|shift\w*|company|employer|studies|degree)\b",
        r"\b(?:year|semester) of \w+ (?:in|at)\b|\b(?:arbeite ich|ich arbeite|ich studiere|studiere ich"
        r"|trabajo (?:en|como|de)|estudio|je travaille|je suis étudiante?)\b",
        r"\bich bin (?!allerg|veg)\w+(?:er|erin|ärztin|arzt|ist|istin|eur|eurin)\b",
        r"\bsoy (?!aler|alér|veg)\w+(?:er[oa]|or|ora|ista|ante|ente|ogo|oga)\b",
        r"\bje suis (?!alle|vég)\w+(?:ière?|eur|euse|ien|ienne|iste|ante?|ecin|ate|ier)\b",
        r"\b(?:start|starting|begin) (?:at|as) \w+|\bon call\b|\boffered an? (?:job|promotion|post)\b",
        r"\bno longer work\b|\bgot (?:the|a) job\b|\bwork \w+ days a week\b",
        r"(?:간호사|의사|교사|선생님|변호사|개발자|학생|회사원|디자이너|요리사|기자|공무원)(?:이에요|예요|입니다|이야|야)",
        r"에서 일하|에 다니|회사|として働|勤め|に勤務",
        r"(?:司書|教師|看護師|医者|医師|会社員|大学生|エンジニア|料理人|弁護士).*(?:です|ます|して|いて)",
    ),
    _single("employer", 0.8, r"\b(?:work\w*|job|employed|started|position|role) (?:at|for|with) \w"),
    _single(
        "age",
        0.7,
        rf"\b(?:i'm|i am|turn(?:s|ed|ing)?|he's|she's|will be) {_COUNT}(?: years? old)?(?=[\s,.!]|$)",
        rf"\b{_COUNT} years old\b|\bbin \d+(?: jahre)?\b|\btengo \d+ años\b|\bj'ai \d+ ans\b|\d+ ?살|\d+歳",
    ),
    _single("birthday", 0.7, r"\b(?:birthday|geburtstag|cumpleaños)\b"),
    _single(
        "relationship",
        0.7,
        rf"(?:{_AM}|{_I})(?:got |getting )?(?:married|engaged|divorced|single|widowed|separated)\b|\b(?:broke"
        rf"|split) up\b",
        r"\b(?:verheiratet|geschieden|verlobt|casad[oa]|divorciad[oa]|mariée?|divorcée?)\b|결혼|이혼|結婚|離婚",
    ),
    _slot(
        "family",
        0.75,
        rf"\b(?:he|she|they)(?:'s| is|'re| are) my (?:{_KIN})s?\b"
        rf"|\bmy (?:\w+ )?(?:{_KIN})(?:'s name)? is (?:called )?{_NAMED}",
        rf"\b(?:my|our) (?:{_KIN})(?:'s| is| was| works?| lives?| studies| teaches| runs?) (?:an? |the |in |as |at )",
        rf"\b(?:i've|i have|we have|we've)(?: got)? (?:an? |{_COUNT} )?(?:\w+ )?(?:{_KIN}|kids|children|boys|girls"
        rf"|siblings)s?\b",
        r"\b(?:ich habe|wir haben) (?:\w+ )?(?:kinder|söhne|töchter|geschwister)\b|\btengo (?:\w+ )?(?:hij"
        r"|herman)[oa]s?\b",
        r"\bj'ai (?:\w+ )?(?:enfants?|frères?|sœurs?|fils|filles?)\b",
    ),
    _slot(
        "pet",
        0.7,
        rf"\b(?:my|our|adopt\w*|i have|i've|we have|we've|mein\w*|mi)\b.{{0,40}}\b(?:{_PET})s?\b",
        rf"\b(?:got|getting|adopted|rescued|tengo|tenemos|adopté|haben|habe) .{{0,20}}\b(?:{_PET})s?\b",
        # In English a chat is something else.
        r"\b(?:j'ai|on a|nous avons|mon|ma|mes|notre|nos)\b.{0,20}\b(?:chien|chienne|chat|chatte|lapin)s?\b",
        r"(?:고양이|강아지|猫|犬|うさぎ).*(?:키워|키우|飼)",
        rf"\b(?:he's|she's|it's) my (?:\w+ )?(?:{_PET})\b|\ban? (?:\w+ )?(?:{_PET}) (?:called|named)\b",
    ),
    _slot(
        "language",
        0.7,
        rf"\b(?:speaks?|fluent|native|learn\w*|lessons?|bilingual|spreche|hablo)\b.*\b(?:{_LANGUAGE})\b",
        r"\b(?:i|we) speak (?-i:[A-Z])\w+|\b(?:lerne|aprendo|j'apprends) (?:gerade )?\w*(?:isch|és|mán|ais|nol)\b",
        rf"\bmy (?:{_LANGUAGE})\b|\b(?:{_LANGUAGE})(?: \w+)? (?:lessons?|classes|course)\b",
    ),
    _slot(
        "goal",
        0.7,
        r"\bmy (?:goal|target|plan|aim|dream)\b|\b(?:goal|target|plan) is\b|\bi promised myself\b|\bhold me to\b",
        r"\bi want to (?:run|learn|finish|write|move|build|have|become|save|lose|read|get my)\b|\bi want (?:the|my)\b",
        rf"{_AM}(?:training|saving) (?:for|up)\b|\baiming (?:for|to)\b",
        r"\b(?:mein ziel|mi meta|mon objectif)\b|목표|目標",
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
        rf"{_I}(?:hate|can't stand|cannot stand|dislike|don't (?:really )?like|loathe|detest)\b{_NOT_THIS}",
        r"\b\w+ scare me\b",
        r"\bich (?:hasse|mag kein\w*)\b|\b(?:odio|no soporto|no me gusta|no lo soporto|je déteste|je n'aime pas)\b"
        r"|싫어|嫌い|苦手",
    ),
    _slot(
        "likes",
        0.6,
        rf"{_I}(?:love|like|enjoy|adore|prefer)\b{_NOT_THIS}|\bmy favou?rite\b|{_AM}(?:a fan of|into|fond of)\b",
        r"\bich (?:liebe|mag)\b|\b(?:me gusta|me encanta|j'aime|j'adore)\b|좋아해|좋아합|好きです",
    ),
    _slot(
        "hobby",
        0.6,
        rf"{_I}(?:play|run|swim|climb|cycle|sing|paint|knit|dance|ski|hike|row|garden|bake|collect|fish)\b",
        r"(?:^|\b(?:i|i've|we|we've|he|she|have|just|finally) )(?:started|took up|taken up|begun"
        r"|learning) (?:to )?(?:\w+ing|lessons)\b",
        r"\bmy (?:club|band|choir|team|quartet|orchestra)\b|\bich (?:spiele|tanze|klettere|singe|schwimme|male)\b",
        r"\b(?:toco|juego al?|je joue|je fais d[ue])\b|\blearning (?:the|to)\b|배우|배워|習い|習って|練習して|を始め",
    ),
    _single(
        "equipment",
        0.55,
        r"\b(?:i|we) (?:drive|ride|own) an? \w+|\bkein(?:en)? (?:auto|führerschein)\b|\bauto hab\w* ich\b",
        r"\bmy (?:\w+ )?(?:laptop|computer|phone|car|bike|camera|pump|printer|server|desktop)\b",
    ),
    _slot(
        "habit",
        0.6,
        r"\bonly (?:on )?\w+days?\b",
        rf"{_I}(?:always|usually|never|often|only)\b|{_I}(?:use|stopped|switched|gave up|quit)\b",
        r"\bevery (?:day|morning|evening|night|week)\b|\b\w+days and \w+days\b",
        rf"\b(?:once|twice|{_COUNT} (?:times|days|nights|hours|lessons|periods|shifts|sessions|classes|\w+s)) (?:a"
        rf"|per|every|each) (?:day|week|month|year)\b",
        rf"\b{_COUNT} (?:lessons|periods|shifts|classes) on \w+days?\b",
        r"\bevery (?:second|third|other|fourth) \w+|\b\w+ (?:week|day|weekend|month|night)s? (?:out of|in) (?:two"
        r"|three|four|five|six|\d)\b",
        r"\b(?:jeden|jede) \w+|\b(?:cada|todos los|todas las) \w+|\b(?:chaque|tous les|toutes les) \w+|매(?:일|주|달)"
        r"|毎(?:日|週|朝|晩|月)",
    ),
)
"""Tried in order; the first that fits a statement names its slot."""

BY_NAME = {slot.name: slot for slot in SLOTS}
"""The slots by name."""

_THEIRS = Pattern(
    rf"\b(?:my|our|mein\w*|mi|mis|unser\w*|mon|ma|notre) (?:(?!{_KIN})[\w-]+ )?({_KIN}|{'|'.join(_FOREIGN_KIN)})\b"
    rf"(?!'),?(?: ({_NAMED}))?",
    re.IGNORECASE,
)
_UNSPACED_THEIRS = Pattern(
    rf"(?:^|우리 ?|제 ?|내 ?|私の|うちの|[\s、。])({'|'.join(_UNSPACED_KIN)})(?=[은는이가의랑과はがのとも])"
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
    if found := _UNSPACED_THEIRS.search(text):
        return _UNSPACED_KIN[found[1]]
    if found := _PRESENTED.search(text):
        return f"{found[2].lower()} {found[1]}" if found[1] else found[3].lower()
    if found := _STRANGER.search(text):
        return found[1]
    return None
