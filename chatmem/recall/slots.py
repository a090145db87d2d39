"""What slot a question asks for: patterns for what people ask about themselves and theirs."""

import re

_ASKED = {
    "name": r"what(?:'s| is) my name|who am i\b|wie heiße ich|cómo me llamo|comment je m'appelle|내 이름|私の名前",
    "allergy": r"allerg|intoleran|unverträglich|alérgic|알레르기|アレルギー",
    "diet": r"\b(?:eat|diet|food|meat|drink|coffee|vegan|vegetarian|gluten|lactose|esse|trinke|como|comer|mange)\b"
    r"|먹|食べ",
    "health": r"\b(?:health|illness|condition|disease|medicine|medication|surgery|operation|blood|sleep"
    r"|krank\w*|operación)\b|병|病",
    "home": r"where (?:do|did|am) (?:i|we) (?:live|liv|stay|based)|\b(?:live|lives|home|address|city|town"
    r"|flat|flatmate|house|wohne|wohnt|vivo|vive|habite)\b|사는|살아|住ん",
    "origin": r"where (?:am|do|was) i (?:from|come|born)|\b(?:born|from originally|komme|soy de)\b",
    "occupation": r"\b(?:job|work|profession|occupation|living|teach|study|studying|subject|degree|beruf"
    r"|arbeit\w*|trabajo|métier|travail\w*)\b|직업|仕事",
    "employer": r"\b(?:employer|company|firm|office|work for|work at|firma|empresa)\b|회사|会社",
    "age": r"how old|\b(?:age|alt bin|años tengo)\b|몇 살|何歳",
    "birthday": r"\b(?:birthday|geburtstag|cumpleaños|anniversaire)\b|생일|誕生日",
    "relationship": r"\b(?:married|single|divorced|engaged|partner|wife|husband|boyfriend|girlfriend)\b",
    "pet": r"\b(?:pets?|dogs?|cats?|animals?|hund|katze|perro|gato|chien|chat)\b|개|고양이|犬|猫",
    "language": r"\b(?:languages?|speak|sprachen?|spreche|idiomas?|hablo|langues?)\b|언어|言語",
    "goal": r"\b(?:goal|target|plan|aim|hold myself|promise\w*|ziel|meta)\b|목표|目標",
    "project": r"\b(?:project|novel|thesis|book|podcast|app|startup|working on|projekt)\b",
    "finance": r"\b(?:salary|earn|rent|mortgage|debts?|loan|savings|pay|gehalt)\b",
    "dislikes": r"\b(?:dislike|hate|can't stand|don't like|no me gusta)\b",
    "likes": r"\b(?:like|favou?rite|love|prefer|enjoy|gusta|lieblings\w*|préfér\w*)\b|좋아|好き",
    "hobby": r"\b(?:hobb\w+|sport|instrument|play|free time|climb|run|swim)\b|취미|趣味",
    "equipment": r"\b(?:laptop|computer|phone|car|bike|camera|printer|operating system|drive)\b",
    "habit": r"\b(?:usually|always|often|routine|every day|every week)\b",
}
_PATTERNS = {slot: re.compile(pattern, re.IGNORECASE) for slot, pattern in _ASKED.items()}


def slots_asked(question: str) -> frozenset[str]:
    """Names of the slots that a question may ask for; several where its words fit several."""
    return frozenset(slot for slot, pattern in _PATTERNS.items() if pattern.search(question))
