"""The rules extractor: memories from what the user said, word for word, without a model."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chatmem.consolidation import cues
from chatmem.consolidation.dates import Timeline
from chatmem.consolidation.prose import own_sentences, statements, straight
from chatmem.consolidation.slots import other_in, slot_of, subject_of
from chatmem.domain.forgetting import BLOT
from chatmem.domain.memory import Candidate, Extractor, Kind, Quote
from chatmem.domain.patterns import Pattern
from chatmem.domain.text import words
from chatmem.domain.turn import Role, Turn

EPISODES = 3
"""At most so many episodes are drawn from one stretch, the most telling ones."""

_LONGEST = 240
_SHORT = 160
_OPENING = 200
_PROCEDURE_IMPORTANCE = 0.85
_FIRST_PERSON = Pattern(
    r"(?:i|i'm|im|i've|we|we're|we've|my|our|me and|ich|wir|mein\w*|unser\w*|soy|tengo|vivo|mi|mis|yo)\b"
    r"|.*(?:ています|しています|ました|始め|私|僕|俺|나는|나\s|저는|제가|내가|있어|싶어)",
    re.IGNORECASE,
)
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CLAUSE_END = re.compile(r"[,;:]\s+|\s[-\u2013—]+\s+")


@dataclass(frozen=True, slots=True)
class _Finding:
    """A statement worth keeping; `telling` ranks episodes."""

    kind: Kind
    text: str
    slot: str | None
    importance: float
    confidence: float
    telling: int = 0


def extract_by_rules(turns: Sequence[Turn]) -> list[Candidate]:
    """Draw facts, episodes and procedures from the user's turns, in the order in which they were said.

    The text of each is a statement of the user, tidied; its quote is the statement as it stands in the turn.
    """
    found: list[tuple[_Finding, Candidate]] = []
    other: str | None = None
    timeline = Timeline()
    for turn in mined(turns):
        for statement in stated_in(turn.text):
            other_before, other = other, other_in(statement) or other
            when = timeline.read(statement, turn.said_at)
            if finding := _judge(statement):
                found.append((finding, _candidate(finding, turn, subject_of(statement, other_before), when)))
    episodes = sorted((f for f, _ in found if f.kind is Kind.EPISODE), key=lambda f: -f.telling)[:EPISODES]
    return [candidate for finding, candidate in found if finding.kind is not Kind.EPISODE or finding in episodes]


def mined(turns: Sequence[Turn]) -> Iterator[Turn]:
    """The user's turns without those that are play, or that the user then asked not to keep."""
    spoken = [turn for turn in turns if turn.role is Role.USER]
    for place, turn in enumerate(spoken):
        following = spoken[place + 1].text if place + 1 < len(spoken) else ""
        withdrawn = any(cues.is_withdrawal(sentence) for sentence in own_sentences(following))
        if not withdrawn and not cues.is_played(turn.text[:_OPENING]):
            yield turn


def stated_in(text: str) -> Iterator[str]:
    """What the user states in a turn: no questions, no requests to forget; exact substrings, in order."""
    for sentence in own_sentences(text):
        yield from _stated(sentence)


def tidied(statement: str) -> str:
    """A statement as a sentence: on one line, beginning with a capital and ending with a full stop."""
    line = " ".join(statement.split()).rstrip(" ,;:-\u2013—")
    return line[:1].upper() + line[1:] + ("" if line.endswith((".", "!", "?", "…", "。")) else ".")


def _stated(sentence: str) -> Iterator[str]:
    """The statements of a sentence; of one that ends in a question only what comes before the question."""
    if cues.is_unsaid(sentence) or BLOT in sentence:
        return
    pieces = statements(sentence)
    if pieces and cues.is_question(pieces[-1]):
        pieces[-1] = _before_last_clause(pieces[-1])
    own = [piece for piece in pieces if piece and not cues.is_question(piece)]
    joined: list[str] = []
    for piece in own:
        if joined and _belong_together(joined[-1], piece):
            start, end = sentence.index(joined[-1]), sentence.rindex(piece) + len(piece)
            joined[-1] = sentence[start:end]
        else:
            joined.append(piece)
    yield from joined


def _before_last_clause(text: str) -> str:
    ends = [gap.start() for gap in _CLAUSE_END.finditer(text)]
    return text[: ends[-1]] if ends else ""


def _belong_together(statement: str, following: str) -> bool:
    """Whether two neighbouring statements are better kept as one: short, meant alike, and not on two matters."""
    if cues.is_condition(statement):
        return True
    if len(statement) + len(following) > _SHORT or cues.is_supposed(statement) or cues.is_supposed(following):
        return False
    first, second = slot_of(statement), slot_of(following)
    return first is None or second is None or first is second


def _judge(statement: str) -> _Finding | None:
    """What kind of memory a statement makes, if any."""
    if cues.is_standing(statement):
        return _Finding(Kind.PROCEDURE, _excerpt(statement), None, _PROCEDURE_IMPORTANCE, 0.8)
    if cues.is_supposed(statement) or cues.is_reported(statement) or cues.is_request(statement):
        return None
    if slot := slot_of(statement):
        kind = Kind.EPISODE if _is_event(statement) else Kind.FACT
        return _Finding(kind, _excerpt(statement, slot.pattern), slot.name, slot.importance, 0.8, telling=3)
    return _unslotted(statement) if says_enough(statement) else None


def _unslotted(statement: str) -> _Finding | None:
    about_someone = bool(_FIRST_PERSON.match(straight(statement))) or other_in(statement) is not None
    if _is_event(statement) or (cues.is_dated(statement) and about_someone and not cues.is_event(statement)):
        telling = cues.is_dated(statement) + cues.is_outcome(statement)
        return _Finding(Kind.EPISODE, _excerpt(statement), None, 0.5, 0.7, telling)
    if not about_someone or cues.is_passing(statement) or cues.is_denied(statement) or cues.is_event(statement):
        return None
    return _Finding(Kind.FACT, _excerpt(statement), None, 0.5, 0.7)


def says_enough(statement: str) -> bool:
    """Whether a statement is long enough to be understood by itself."""
    return len(words(statement)) >= 4 or (bool(_UNSPACED.search(statement)) and len(statement) >= 8)


def _is_event(statement: str) -> bool:
    return cues.is_outcome(statement) or (cues.is_event(statement) and cues.is_dated(statement))


def _excerpt(statement: str, pattern: Pattern | None = None) -> str:
    """The statement, or, of a long one, the clause where the pattern fits and what fits in after it."""
    if len(statement) <= _LONGEST:
        return statement
    place = pattern.search(straight(statement)) if pattern else None
    at = place.start() if place else 0
    breaks = [0, *(gap.end() for gap in _CLAUSE_END.finditer(statement)), len(statement)]
    start = max(place for place in breaks if place <= at)
    ends = [place for place in breaks if at < place <= start + _LONGEST // 2]
    return statement[start : max(ends, default=start + _LONGEST)].strip(" ,;:-\u2013—")


def _candidate(finding: _Finding, turn: Turn, subject: str, when: str | None) -> Candidate:
    return Candidate(
        kind=finding.kind,
        text=tidied(finding.text),
        quote=Quote(session_id=turn.session_id, turn_id=turn.id, text=finding.text, said_at=turn.said_at),
        extractor=Extractor.RULES,
        subject=subject,
        slot=finding.slot,
        event_date=when,
        importance=finding.importance,
        confidence=finding.confidence,
    )
