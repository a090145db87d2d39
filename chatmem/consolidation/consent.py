"""Whether the person has agreed, in the talk itself, that something is remembered, or has refused it."""

import re
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

from chatmem.consolidation.wording import stems
from chatmem.domain.memory import Memory
from chatmem.domain.turn import Role, Turn

_TOLD = r"(?:(?:^|[.!?,;:(…]\s*|\n)|\b(?:please|pls|but|and|so|also|btw|just|no|ok|okay|yes|you|fyi|better)\s+)"
"""Before a verb that tells chatmem what to do; `I don't remember that` does not."""

_THAT = (
    r"(?:\s+(?:that|this|it|those|these|any of (?:that|this|it)|anything(?: i \w+)?|what i \w+|the last (?:bit"
    r"|part|thing|message)))?"
    r"(?:\s+(?:one|part|bit|please|anywhere|down|about me|(?:in|to) (?:your |the |my )?(?:memory|notes|records?"
    r"|profile)))*"
    r"(?=\s*(?:$|[.,;:!?)…\n]|and\b|ok\b|though\b))"
)
_REFUSED = re.compile(
    rf"{_TOLD}(?:please )?(?:do(?:n't| not)|never|rather not|not) (?:ever )?(?:save|store|remember|keep|record"
    rf"|note|log|write"
    rf"|memori[sz]e){_THAT}"
    r"|\boff the record\b|\bstrictly between (?:us|you and me)\b|\bkeep (?:that|this|it) out of (?:your "
    r"|the )?(?:memory|notes)\b"
    r"|\brather you (?:didn't|did not) (?:save|store|remember|keep|note)\b"
    r"|\b(?:das|es|dies|bitte) (?:\w+ )?nicht (?:merken|speichern|notieren|aufschreiben)\b|\b(?:merk|speicher"
    r"|notier)e? (?:dir )?"
    r"(?:das|es|dies) (?:bitte )?nicht\b"
    r"|\bno (?:lo |la |eso )?(?:guardes|recuerdes|anotes|apuntes|memorices)\b(?: (?:eso|esto|nada))?(?=\s*(?:$"
    r"|[.,;!?]))"
    r"|\bne (?:le |la |l'|les )?(?:retiens|note|garde|mémorise|sauvegarde|enregistre)\w* pas\b(?: (?:ça"
    r"|cela))?(?=\s*(?:$|[.,;!?]))"
    r"|(?:기억|저장|기록)하지 ?(?:마|말)|(?:覚え|保存し|記録し|メモし)ないで|内緒にして",
    re.IGNORECASE,
)
_ASKED_FOR = re.compile(
    rf"{_TOLD}(?:please )?(?:remember|note|keep in mind|make a note|save|store|don't forget|bear in mind|memori[sz]e)"
    r"(?: (?:of )?(?:that|this|it|for|the following|my|i|i'm)\b|\s*:)|\bfor (?:your|the) (?:memory|notes|records?)\b"
    r"|\b(?:can|could|would|will|should) you (?:please )?(?:remember|note|keep in mind|save|store)\b"
    r"|\byou (?:can|may|should) (?:keep|save|store|remember|note) (?:that|this|it)\b"
    r"|\bmerke? dir\b|\bbitte (?:merken|notieren|speichern)\b|\bvergiss (?:bitte )?nicht\b"
    r"|\b(?:recuerda que|apunta que|anota que|ten en cuenta|no olvides|guarda esto)\b"
    r"|\b(?:retiens que|souviens-toi|note que|n'oublie pas|garde en mémoire)\b"
    r"|기억해|메모해|覚えておいて|覚えてて|メモして",
    re.IGNORECASE,
)
_OFFERED = re.compile(
    r"\b(?:remember|save|store|keep (?:that|this|it|track|a note|in mind)|note (?:that|this|it)|make a note"
    r"|check (?:in )?on|remind"
    r"|track|merken|speichern|notieren|erinnern|recuerd\w*|guard\w*|anot\w*|retenir|noter|garder|mémoris\w*)\b[^?]*\?"
    r"|(?:기억|저장|메모)(?:해|할)[^?]*\?|(?:覚え|メモし|保存し)[^?？]*[?？か]",  # noqa: RUF001 the mark of Chinese and Japanese
    re.IGNORECASE,
)
_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|sure|ok(?:ay)?|please do|go ahead|fine|of course|absolutely|do (?:it|that)"
    r"|you can|you may|by all "
    r"means|ja|gerne|klar|natürlich|sí|si|claro|vale|por favor|oui|bien sûr|d'accord|volontiers|응|네|예|그래|좋아|はい"
    r"|うん|お願い)"
    r"(?!\w)",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^\W*(?:no|nope|nah|rather not|please don't|don't|better not|nein|lieber nicht|mejor no|non|plutôt pas|아니"
    r"|괜찮아|いいえ|いや|やめて)"
    r"(?!\w)",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:that|this|it)\b(?=\s*(?:[?.,!]|$|for\b|too\b|down\b|in\b|please\b))|\b(?:das|es|eso|esto|lo|ça|cela|le)\b"
    r"|그거|이거|그건|이건|그걸|이걸|それ|これ",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?…。！？]+\s*|\n+")  # noqa: RUF001 the marks of Chinese and Japanese
_FEW = 3
"""So few words of content say nothing besides."""


class Consent(Enum):
    """What the person has said about remembering something."""

    NONE = "none"
    GIVEN = "given"
    REFUSED = "refused"


def consent_to(memory: Memory, turns: Sequence[Turn]) -> Consent:
    """Whether the person wants what they said to be remembered; their last word counts.

    Args:
        memory: What would be remembered.
        turns: The talk around it, in order.
    """
    quote = next((one for one in memory.quotes if any(turn.id == one.turn_id for turn in turns)), None)
    if quote is None:
        return Consent.NONE
    place = next(number for number, turn in enumerate(turns) if turn.id == quote.turn_id)
    consent = _in_turn(quote.text, turns[place].text)
    for number in range(place + 1, len(turns)):
        if turns[number].role is Role.USER:
            later = _later(f"{memory.text} {quote.text}", place, number, turns)
            consent = later if later is not Consent.NONE else consent
    return consent


def is_refusal(text: str) -> bool:
    """Whether a text says no more than that something is not to be remembered."""
    return _REFUSED.search(text) is not None and len(stems(_REFUSED.sub(" ", text))) < _FEW


def _in_turn(quote: str, said: str) -> Consent:
    """What the person says in the same breath: in the sentence that is quoted, or in one beside it."""
    start = max(0, said.find(quote))
    before = [end for end in _sentence_ends(said) if end <= start]
    after = [end for end in _sentence_ends(said) if end >= start + len(quote)]
    around = said[before[-2] if len(before) > 1 else 0 : after[1] if len(after) > 1 else len(said)]
    behind = said[before[-1] if before else 0 : after[1] if len(after) > 1 else len(said)]
    if _REFUSED.search(behind):
        return Consent.REFUSED
    return Consent.GIVEN if _ASKED_FOR.search(around) else Consent.NONE


@lru_cache(maxsize=16)
def _sentence_ends(text: str) -> list[int]:
    return [match.end() for match in _SENTENCE_END.finditer(text)]


def _later(text: str, place: int, number: int, turns: Sequence[Turn]) -> Consent:
    """What a later turn says of an earlier one: an answer to an offer, or a wish about what was said right before."""
    said = turns[number].text
    offer = turns[number - 1].text if turns[number - 1].role is Role.ASSISTANT else ""
    offered = _OFFERED.search(offer)
    if offered and _concerns(offer, text, is_last=_last_before(number - 1, turns) == place):
        if _NO.search(said) or _REFUSED.search(said):
            return Consent.REFUSED
        if _YES.search(said):
            return Consent.GIVEN
    if _last_before(number, turns) == place:
        if is_refusal(said):
            return Consent.REFUSED
        if _POINTS_BACK.search(said) and _ASKED_FOR.search(said) and len(stems(said)) < _FEW + 2:
            return Consent.GIVEN
    return Consent.NONE


def _concerns(offer: str, text: str, *, is_last: bool) -> bool:
    """Whether an offer to remember is about a text: it names some of it, or else what was said last."""
    question = offer[: offer.rfind("?") + 1] or offer
    asked = re.split(r"(?<=[.!?])\s", question)[-1]
    named = stems(asked) & stems(text)
    return bool(named) or (is_last and _POINTS_BACK.search(asked) is not None)


def _last_before(number: int, turns: Sequence[Turn]) -> int | None:
    return next((at for at in range(number - 1, -1, -1) if turns[at].role is Role.USER), None)
