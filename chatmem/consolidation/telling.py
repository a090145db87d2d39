"""What an episode tells and how a procedure is carried out, as far as the words themselves say it."""

import re

from chatmem.consolidation import cues
from chatmem.consolidation.prose import straight
from chatmem.domain.memory import Happening, Practice
from chatmem.domain.patterns import Pattern
from chatmem.domain.text import words

_CLAUSE_END = re.compile(
    r"(?<=[.!?;])\s+|[,;:]\s+|\s[-\u2013—]+\s+|\s+(?=(?:and|but|so|und|aber|y|pero|et|mais)\s)|(?<=[。、])"
)
_WHY = Pattern(
    r"\b(?:because|cause|since (?!\w+day|\d|january|february|march|april|may|june|july|august|september|october"
    r"|november|december)"
    r"|due to|weil|denn|porque|ya que|parce que|car)\b\s*(?P<why>[^.!?;]+)|(?P<ja>[^。、]+)(?:から|ので|때문에)",
    re.IGNORECASE,
)
_TRIGGER = Pattern(
    r"\b(?:(?:when(?:ever)?|if|each time|every time|any time) (?:i|you|we)\b[^,;:.]*?(?=,|;|:| (?:please |just "
    r"|only |then )?(?:answer|reply"
    r"|write|use|give|show|say|tell|explain|put|add|list|make|leave|skip|do|don't|never|always|point|keep)\b|$)"
    r"|(?:wenn ich|cuando|siempre que|quand je)\b[^,;:.]*|every \w+(?: \w+)?(?=,| i\b| ask\b)"
    r"|for \w+(?: \w+){0,3}(?=,| use| write| give| it's))",
    re.IGNORECASE,
)
_STEP_END = re.compile(r"[,;:]\s+(?:and then\s+|then\s+|and\s+)?|\s+(?:and then|then)\s+|\.\s+", re.IGNORECASE)
_GLAD_WORDS = (
    "great good love loved lovely proud happy glad perfect finally passed won yay brilliant wonderful best works worked"
    " success accepted excited fantastic relieved super nice toll froh stolz endlich feliz contento genial orgullosa"
    " heureux content fier enfin"
)
_SAD_WORDS = (
    "ugh sad weird angry hate hated terrible awful bad worst failed lost broke broken nervous worried annoyed died"
    " scared embarrassed stressed meh sick hurt nothing stuck trauriger traurig schlecht leider triste mal nerviosa"
    " malheureusement peur"
)
_GLAD, _SAD = frozenset(_GLAD_WORDS.split()), frozenset(_SAD_WORDS.split())


def happening_of(text: str) -> Happening:
    """The situation, actions, outcome and reason that an episode's words tell, each an extract; empty where untold."""
    clauses = [clause.strip() for clause in _CLAUSE_END.split(text) if clause and clause.strip()]
    outcome = [clause for clause in clauses if cues.is_outcome(clause)]
    actions = [clause for clause in clauses if clause not in outcome and _acts(clause)]
    situation = [clause for clause in clauses if clause not in outcome and clause not in actions]
    why = _WHY.search(straight(text))
    return Happening(
        situation=", ".join(situation),
        actions=", ".join(actions),
        outcome=", ".join(outcome),
        why=(why["why"] or why["ja"] or "").strip() if why else "",
        sentiment=_sentiment(text),
    )


def practice_of(text: str) -> Practice:
    """When an instruction applies, and its steps where it has several."""
    found = _TRIGGER.search(straight(text))
    trigger = text[found.start() : found.end()].strip(" ,;:") if found else ""
    rest = text[: found.start()] + text[found.end() :] if found else text
    steps = tuple(step for piece in _STEP_END.split(rest) if (step := piece.strip(" ,;:.")) and len(words(step)) > 1)
    return Practice(trigger=trigger, steps=steps if len(steps) > 1 else ())


def _acts(clause: str) -> bool:
    return cues.is_event(clause) or cues.is_life_event(clause)


def _sentiment(text: str) -> float:
    """How glad the words sound, [-1, 1]: the balance of glad and sad ones."""
    said = words(text)
    glad, sad = sum(word in _GLAD for word in said), sum(word in _SAD for word in said)
    return (glad - sad) / (glad + sad) if glad + sad else 0.0
