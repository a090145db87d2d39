"""Which words of a question an answer may repeat, and which of them name the thing that is asked for."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from chatmem.domain.text import words

_GRAMMAR = {
    "english": "what which who whom whose when where why how much many long often old far kind type sort name called "
    "title do does did am is are was were should can could may must will would has have had know tell me my i the a an "
    "of to for in on at it with our we user be and or",
    "german": "was wer wen wem wo wohin woher wann warum wie welche welcher welches welchen wogegen womit viel viele "
    "oft alt lange heißt heiße bin bist ist sind war waren habe hast hat haben hatte ich mich mir mein meine meinen "
    "meinem meiner wir uns unser unsere du der die das den dem des ein eine einen und oder in im am an zu von mit für "
    "auf es",
    "spanish": "qué que cuál cuáles quién quiénes cuándo dónde adónde cómo cuánto cuántos cuánta cuántas por se llama "
    "llamo soy es son eres fue era estoy está tengo tiene hay he ha yo me mi mis nos nuestro nuestra tú el la los las "
    "un una de del en a con para y o lo al",
    "french": "que quoi qui quel quelle quels quelles quand où comment combien pourquoi est ce s appelle suis es sont "
    "était ai as a avons j je m me moi mon ma mes nous notre nos tu le la les l un une de des du d en à au aux avec "
    "pour et ou qu c n y",
    "korean": "내가 내 나는 나의 저는 제가 제 저의 우리 무슨 뭐 뭐지 뭐야 뭐예요 무엇 무엇인가요 어디 어디에 어디지 "
    "어디야 언제 언제지 언제야 누구 누구지 누구야 어떤 몇 얼마나 제일 가장 이지 있지 있어 있어요 하지 해 했지",
}
_FRAMES = {name: frozenset(told.split()) for name, told in _GRAMMAR.items()}
"""What a question says in any case, whatever it is about."""

_EMPTY_SIGNS = frozenset("我你您的是什么哪里儿在了最吗呢何时候多少几个谁有对做开会要私僕俺誰今")
"""The same, of the signs of Chinese and Japanese."""

_ATTRIBUTE = re.compile(
    r"^(?:what|which|what(?:'s| is| was| are| were) (?:my|the|our))\s+(?:(?:kind|type|sort) of )?"
    r"((?:[\w'-]+ ){0,3}?[\w'-]+?)"
    r"(?= (?:do|did|does|is|are|was|were|should|can|must|have|has|will|of|for|at|from|to|in)\b|\?|$)",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"[\u3400-\u9fff]|[\u30a1-\u30ff]+")
_CAPITALISED = re.compile(r"(?<!^)\b[A-ZÀ-Þ]\w+")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def frame_of(spoken: Sequence[str]) -> frozenset[str]:
    """The words that a question of this language says in any case."""
    return _FRAMES[_language_of(spoken)]


def names_in(question: str) -> list[str]:
    """The words of a question, but for the first, that have a capital: names, and in German other nouns too."""
    return [name for name in _CAPITALISED.findall(question) if name != "I"]


def in_german(question: str) -> bool:
    """Whether a question is in German, where a capital shows no name."""
    return _language_of(words(question)) == "german"


def _language_of(spoken: Sequence[str]) -> str:
    """The language that most of the words belong to; English, where nothing tells."""
    told = {name: sum(word in frame for word in spoken) for name, frame in _FRAMES.items()}
    return max(told, key=lambda name: told[name])


@lru_cache(maxsize=16)
def telling_words(question: str) -> tuple[str, ...]:
    """The words of a question that an answer may repeat, each once; of Chinese and Japanese the signs."""
    spoken = spoken_words(question)
    frame = frame_of(spoken)
    return tuple(word for word in dict.fromkeys(spoken) if word not in frame and word not in _EMPTY_SIGNS)


def spoken_words(text: str) -> list[str]:
    """The words of a text; where a script puts no spaces between them, its ideograms and its foreign words."""
    return words(text) if text.isascii() else [part for word in words(text) for part in _parts(word)]


def _parts(word: str) -> Iterator[str]:
    yield from _SIGNS.findall(word) if _DENSE.search(word) else (word,)


@lru_cache(maxsize=16)
def attribute(question: str) -> str | None:
    """The thing asked for: `brand` of "which brand is my bike?"; `None` where it is not named."""
    found = _ATTRIBUTE.search(question.strip())
    telling = [word for word in words(found[1]) if word not in _FRAMES["english"]] if found else []
    return telling[-1] if telling else None
