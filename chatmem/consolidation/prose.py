"""The user's own words in a turn: what is left without code, logs and the speech of others.

Every piece that is returned is an exact substring of the turn, so that it can stand as a quote.
"""

import re
from collections.abc import Iterator

from chatmem.domain.text import normalised, sentences

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_PASTED = re.compile(
    r"""^(?:
        \s*(?:\$|>>>|\.\.\.|>|\#!|//|/\*|<[/\w!])        # shells, interpreters, mail quotes, comments, markup
      | \s*[\[({]?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d)     # a time stamp
      | \s*(?:Traceback|File\ "|Caused\ by:|---|\+\+\+|@@\ )
      | \s+at\ [\w.$<>]+\(
      | \s*(?:export\ \w+=|curl\ -|sudo\ |pip\ install|npm\ |git\ \w+\ -
         |from\ [\w.]+\ import\ |import\ \w+(?:\ as\ |\s*$))
      | \s*(?:def|class|for|while|if|elif|with|fn|func|function|public|private|const|let|var)\b.*[:{;]\s*(?:pass|$)
      | \s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE)\ .*\b(?:FROM|INTO|SET|TABLE)\b
      | \s*\w*(?:Error|Exception|Warning)\b[^a-z]*:
      | \s*(?:error|warning|info|debug|fatal)\b[\[:]
      | \s*exit\ code\ \d
      | (?:\ {3,}|\t)\S
      | \s*[{}\[\]()<>;]
      | \s*[\w.\[\]"']+\s*=\s*\S                         # an assignment
      | \s*print\(
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_SPEECH = re.compile(r'"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»')
_PARAGRAPH = re.compile(r"(\n[ \t]*\n)")
_LONGEST = 3000
"""Nobody says a longer sentence; it was pasted."""

_QUOTED_TITLE_WORDS = 3
_BREAK = re.compile(
    r"""\s*(?:;|(?<!\d),|,(?!\d)|:(?=\s)|\s[-\u2013—]+)\s+
      | \s+(?=(?:and|but|so|und|aber|y|pero)\ )""",
    re.VERBOSE | re.IGNORECASE,
)
_OWN_START = re.compile(
    r"""(?:(?:and|but|so|also|oh|btw|by\ the\ way|anyway|then|now|plus|last\ but\ not\ least|besides|und|aber|y
      |pero|et|mais)\s+)*
        (?:anyway\b|by\ the\ way\b|(?:i|i'm|i've|i'd|i'll|im|ive|we|we're|we've|we'll|my|our|ich|mein\w*|wir|yo|mi
          |mis|soy|tengo|vivo|trabajo
        |je|mon|ma|mes|nous)\b|j')""",
    re.VERBOSE | re.IGNORECASE,
)
_LEAD = re.compile(
    r"""(?:(?:and|but|so|also|oh|ok|okay|btw|by\ the\ way|anyway|fyi|well|yeah|yes|no|hi|hey|hello|hola|hallo|true|right
        |ah|ooh|hmm|lol|haha|und|aber|also|y|pero|übrigens|then|now|plus|fun\ fact|update|in\ other\ news|because
        |last\ but\ not\ least|besides|i\ should\ (?:mention|say|add)\ that|just\ so\ you\ know|note\ that
        |for\ the\ record
        |i\ forgot\ to\ (?:say|mention)\ that|au\ fait|por\ cierto|et|mais
        |(?:as|like)\ i\ (?:said|mentioned)|as\ you\ know)
        \b[\s,:!.-]*)+(?=\w|$)""",
    re.VERBOSE | re.IGNORECASE,
)


def straight(text: str) -> str:
    """The text with typewriter apostrophes; of the same length, so that places stay valid."""
    return text.replace("\u2019", "'").replace("\u2018", "'")


def own_words(text: str) -> str:
    """The text with code blocks, logs and other pasted lines blotted out by line ends; of the same length."""
    text = _FENCE.sub(lambda block: "\n" * len(block.group()), text)
    return "".join(map(_without_pasted, _PARAGRAPH.split(text)))


def spoken(text: str) -> str:
    """The user's own words without the speech of others, which is blotted out by ellipses; of the same length."""
    return _SPEECH.sub(_blotted_speech, own_words(text))


def own_sentences(text: str) -> Iterator[str]:
    """The sentences of a turn that the user wrote; those around someone else's speech are left out."""
    return (sentence for sentence in sentences(spoken(text)) if len(sentence) <= _LONGEST and sentence in text)


def _without_pasted(paragraph: str) -> str:
    """A paragraph without its pasted lines; with nothing left where pasted lines make up a good part of it."""
    lines = paragraph.splitlines(keepends=True)
    pasted = [bool(_PASTED.match(line)) for line in lines]
    whole = sum(pasted) >= 2 and 3 * sum(pasted) >= len(lines)
    return "".join(
        "\n" * len(line) if whole or is_pasted else line for line, is_pasted in zip(lines, pasted, strict=True)
    )


def _blotted_speech(speech: re.Match[str]) -> str:
    """Quoted speech as an ellipsis of the same length; a quoted name or title of up to three words stays."""
    return speech.group() if len(speech.group().split()) <= _QUOTED_TITLE_WORDS else "…" * len(speech.group())


def statements(sentence: str) -> list[str]:
    """Split a sentence where the user starts to speak of themselves anew, and drop what leads in (`oh and`)."""
    line = straight(sentence)
    starts = [0, *(gap.end() for gap in _BREAK.finditer(line) if _OWN_START.match(line, gap.end()))]
    ends = [*starts[1:], len(sentence)]
    pieces = (sentence[start:end].strip(" \t,;:-\u2013—") for start, end in zip(starts, ends, strict=True))
    return [own for piece in pieces if (own := without_lead(piece))]


def without_lead(text: str) -> str:
    """The text without the words that only lead in."""
    lead = _LEAD.match(text)
    return text[lead.end() :] if lead else text


def occurs_in(quote: str, text: str) -> bool:
    """Whether a text holds the quote; case and white space are ignored."""
    return bool(normalised(quote)) and normalised(quote) in normalised(text)
