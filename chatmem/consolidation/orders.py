"""Which texts read like an order to the model: somebody wrote them to be obeyed, not to be remembered.

A memory comes back into prompts again and again, so that one which gives orders would be an attack that lasts. What is
found here waits for the person, who loses a keypress where a text was harmless.
"""

import re
import unicodedata

from chatmem.domain.memory import Kind, Memory

_RULES = (
    r"(?:instructions?|rules?|prompts?|guidelines?|directives?|orders|safety|polic(?:y|ies)|restrictions?|training)"
)
_WHICH = r"(?:all|any|every|your|the|my|these|those|of|previous|prior|earlier|above|preceding|initial|system|current)"
_HIDDEN = r"(?:system|developer|hidden|initial) (?:prompt|message|instructions?)"
_MODE = r"(?:developer|god|dan|jailbreak|unrestricted|sudo) mode"
_KEPT = r"(?:conversation|chat|history|memor(?:y|ies)|passwords?|credentials?|api keys?|secrets?|system prompt)"
_TELL = r"(?:tell|inform|mention|alert|notify|warn|reveal|show|disclose)(?:ing)?"

_HIJACK = (
    # To drop what the model was told before; in the languages that are spoken most.
    rf"\b(?:ignor(?:e|ing)|disregard|overrid(?:e|ing)|bypass|forget|stop following)(?:\s+{_WHICH})+\s+{_RULES}\b",
    r"\b(?:ignore|disregard|forget) (?:everything|anything|all)(?: that)? (?:above|before|you (?:were|have been))",
    r"\b(?:ignorier|missacht|vergiss|vergesse)\w*\s+(?:\w+\s+){0,4}(?:anweisung|instruktion|regel|vorgabe)\w*",
    r"\b(?:ignor[ae]|olvid[ae])\w*\s+(?:\w+\s+){0,4}(?:instrucci|instruç|istruzion|órdenes|reglas|regras|regole)\w*",
    r"\b(?:ignore|oublie)[rz]?\s+(?:\w+\s+){0,4}(?:instructions|consignes|règles)",
    r"(?:以前|上記|これまで|前)の(?:指示|命令|ルール)を(?:すべて|全て)?無視",
    r"(?:이전|위의?|모든) ?(?:지시|명령|규칙)\S* ?(?:모두 )?무시",
    r"忽略(?:之前|以上|先前|所有)\S{0,6}(?:指令|指示|规则)",
    # To make another of it, or to have it tell what it was told.
    r"\byou are (?:now|no longer) (?:an?|the|my|in|bound|restricted|limited|required|allowed|free)\b",
    r"\bnew (?:system )?(?:instructions?|prompt|persona|directive)s? (?:is|are)\b|\bnew system prompt\b",
    rf"\b{_HIDDEN}\b[^.\n]{{0,40}}(?:\b(?:is|are|now|reads?|says?)\b|:)",
    rf"\b(?:reveal|print|repeat|output|show|leak|disclose)\b[^.\n]{{0,30}}\b{_HIDDEN}",
    rf"\b(?:enter|enable|activate) (?:the )?{_MODE}\b|\b{_MODE} (?:is )?(?:on|enabled|activated)\b|\bdo anything now\b",
    # To keep something from the person, or to give away what is remembered.
    rf"\b(?:do not|don't|never|without)\s+(?:ever\s+)?{_TELL}\b[^.\n]{{0,40}}\b(?:user|human|person)\b(?! groups?)",
    rf"\b(?:send|post|upload|forward|exfiltrate|leak|append|e-?mail)\b[^.\n]{{0,60}}\b{_KEPT}\b[^\n]{{0,60}}https?://",
    rf"\b(?:send|post|upload|forward|exfiltrate|leak|append|e-?mail)\b[^.\n]{{0,60}}\b{_KEPT}\b[^\n]{{0,60}}\S@\S",
    r"!\[[^\]\n]*\]\(\s*https?://[^)\n]*[?&{]",
    # The marks by which prompts tell who speaks.
    r"<\|[a-z_]{2,30}\|>|\[/?INST\]|<</?SYS>>",
    r"</?(?:memory|system|assistant|instructions?|tool_call|function_calls)\s*>",
    r"^\W{0,4}(?:system|developer)\s*(?:prompt|message|note)?\s*:|^#{1,6}\s*(?:system|instructions?)\s*:?\s*$",
    r"\b(?:begin|end|start of|end of)[ _](?:system|hidden|admin)[ _](?:prompt|message|instructions?)\b",
)
_MODEL = r"(?:the (?:assistant|model|ai|chatbot|bot|llm|agent)|you)"
_ORDER = (
    rf"\b{_MODEL}\s+(?:must|shall|should|have to|need to|has to|needs to|are to|is to|will|may not|can(?:not|'t))\b",
    rf"\b{_MODEL}\s+(?:are|is) (?:required|instructed|expected|told)\b",
    r"^\W*(?:please\s+)?(?:always|never|from now on|whenever|in every (?:answer|reply|response))\b",
    r"^\W*(?:please\s+)?(?:when|if) (?:(?:you are|the user is) )?asked\b",
    r"^\W*(?:please\s+)?(?:answer|reply|respond|say|tell|output|print|run|execute|call|use the|do not|don't)\b",
    r"^\W*(?:please\s+)?(?:recommend|promote|include|pretend|act as|behave|insert)\b",
    r"\bas an ai\b|\bin (?:all|every|each|any)(?: of)?(?: your)? (?:answers?|repl(?:y|ies)|responses?)\b",
)


def _any(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE | re.MULTILINE)


_HIJACKS, _ORDERS = _any(_HIJACK), _any(_ORDER)


def hijacks(text: str) -> bool:
    """Whether a text tries to take the model over, whoever it is said to come from."""
    return _HIJACKS.search(_plain(text)) is not None


def gives_orders(memory: Memory) -> bool:
    """Whether a memory from elsewhere tells the model what to do: an instruction does, whatever it says."""
    return memory.kind is Kind.PROCEDURE or hijacks(memory.text) or _ORDERS.search(_plain(memory.text)) is not None


def _plain(text: str) -> str:
    """A text as it is read: without marks that show nothing, by which words are hidden or broken up."""
    folded = unicodedata.normalize("NFKC", text)
    return "".join(letter for letter in folded if unicodedata.category(letter) != "Cf")
