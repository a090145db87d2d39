"""Stems of European languages but English, which the index itself stems.

A text whose language can be told is indexed by its words and by their stems, so that a question finds it in either
form. English texts get nothing, and neither do texts of which nothing can be told, such as a name: a single word is
found as it was written, or by the stem of what was. Compounds are not taken apart.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

_GRAMMAR = {
    "english": "the and is are was were have has of to in that it for with you my your what where which when how does",
    "german": "der die das und ist nicht ein eine einen ich du wir mit auf den dem von zu wo wie was mein meine habe",
    "french": "le la les des est une et je tu nous vous dans pour que qui où mon ma mes avec sur pas ai du elle il",
    "spanish": "el los las es una y yo tú en que de mi mis con por para no dónde qué está tengo muy del al se",
    "italian": "il gli è una e io che di in con per non sono ho mio mia dove cosa della nel alla lo si del",
    "portuguese": "o os as é uma e eu que de em com para não meu minha onde está tenho no na do da um moro",
    "dutch": "de het een is en niet ik je wij met op van te waar mijn heb zijn naar voor dat aan wat",
    "swedish": "och är en ett jag du vi med på av att inte min mitt var har till som det den för",
    "danish": "og er en et jeg du vi med på af at ikke min mit hvor har til som det den for",
    "turkish": "ve bir bu ben sen biz ile için değil mi mı ne nerede var yok çok benim da de",  # noqa: RUF001
    "polish": "i jest nie w na z do że to ja ty się mój moja gdzie mam jak co dla",
    "russian": "и в не на я ты мы что с как где мой моя у меня есть это по к",  # noqa: RUF001
}
"""Some of the commonest words; a few belong to several languages."""

_LETTERS = {
    "german": "äöüß",
    "french": "èêëîïôûùçœ",
    "spanish": "ñ¿¡",
    "portuguese": "ãõ",
    "turkish": "ğış",
    "polish": "łąęśżź",
    "danish": "øæ",
    "swedish": "å",
}
_LANGUAGE_OF = {
    word: [name for name, told in _GRAMMAR.items() if word in told.split()]
    for told in _GRAMMAR.values()
    for word in told.split()
}
_SIGNS = {letter: name for name, letters in _LETTERS.items() for letter in letters}
_WORD = re.compile(r"[^\W\d_]+")
_CYRILLIC = re.compile(r"[а-яё]")  # noqa: RUF001  that is what they are
_LOOKED_AT = 2_000
_SHORTEST = 4


def stems(text: str) -> Iterator[str]:
    """The stems of the words of a folded text, accents kept, where they are others than the words."""
    if (language := language_of(text)) is not None:
        stemmer = _stemmer(language)
        for found in _WORD.finditer(text):
            word = found[0]
            if len(word) >= _SHORTEST and (stem := stemmer.stemWord(word)) != word:
                yield stem


def language_of(text: str) -> str | None:
    """Which language a folded text seems to be in; `None` for English, and where nothing tells."""
    beginning = text[:_LOOKED_AT]
    told = Counter(name for found in _WORD.finditer(beginning) for name in _LANGUAGE_OF.get(found[0], ()))
    told.update(_SIGNS[letter] for letter in beginning if letter in _SIGNS)
    if _CYRILLIC.search(beginning):
        told["russian"] += 1
    best = told.most_common(1)
    if not best or told["english"] >= best[0][1]:
        return None
    return best[0][0]


@cache
def _stemmer(language: str) -> Any:
    from Stemmer import Stemmer

    return Stemmer(language)
