"""The rules extractor: memories from what the user said, word for word, without a model."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from chatmem.consolidation import cues
from chatmem.consolidation.certainty import LIKELY, SURE, UNSURE
from chatmem.consolidation.corrections import put_right
from chatmem.consolidation.dates import Timeline
from chatmem.consolidation.prose import own_sentences, spoken, statements, straight
from chatmem.consolidation.slots import other_in, slot_of, subject_of
from chatmem.consolidation.telling import happening_of, practice_of
from chatmem.domain.forgetting import BLOT
from chatmem.domain.memory import Candidate, Extractor, Kind, Quote
from chatmem.domain.patterns import Pattern
from chatmem.domain.text import content_words, words
from chatmem.domain.turn import Role, Turn

EPISODES = 3
"""At most so many episodes are drawn from ten turns, the most telling ones."""

CORRECTABLE = 4
"""So many statements back a correction may reach."""

_LONGEST = 240
_LONGEST_EPISODE = 400
_SHORT = 160
_GAP = 120
_TOLD = 2
_OPENING = 200
_PROCEDURE_IMPORTANCE = 0.85
_REMINDER_IMPORTANCE = 0.75
_FIRST_PERSON = Pattern(
    r"(?:i|i'm|im|i've|i'll|we|we're|we've|my|our|me and|ich|wir|mein\w*|unser\w*|soy|tengo|vivo|mi|mis|yo|je|j'\w+"
    r"|mon|ma|mes"
    r"|nous|on)\b|.*(?:ています|しています|ました|始め|私|僕|俺|나는|나\s|저는|제가|내가|우리|있어|싶어)",
    re.IGNORECASE,
)
_INVOLVED = Pattern(
    r"\b(?:i|i'm|i've|i'll|i'd|my|me|we|we're|we've|our|us|ich|mich|mir|mein\w*|wir|uns\w*|yo|mi|mis|me|nos|je|j'"
    r"|mon|ma|mes|nous"
    r"|both \w+|the (?:boys|girls|kids|twins|children)|in-laws|parents|they|he|she)\b|[\u3040-\u30ff\uac00-\ud7af]",
    re.IGNORECASE,
)
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CLAUSE_END = re.compile(r"[,;:]\s+|\s[-\u2013—]+\s+")
_WEAK = frozenset({"language", "habit", "goal", "hobby", "project", "equipment"})
"""Slots whose patterns also fit what is said of the moment."""

_LASTING = "name home origin occupation employer age relationship family pet diet allergy language hobby equipment"
_STATES = frozenset(_LASTING.split())
"""Slots of what lasts: a statement of how it came about (`I've moved to Graz`) says how it is now."""


@dataclass(frozen=True, slots=True)
class _Finding:
    """A statement worth keeping; `telling` ranks episodes."""

    kind: Kind
    text: str
    slot: str | None
    importance: float
    confidence: float
    telling: int = 0


@dataclass(frozen=True, slots=True)
class _Found:
    """A finding with where it stands (`start`, in its turn) and what is known around it."""

    finding: _Finding
    turn: Turn
    start: int
    subject: str
    when: str | None
    quote: str

    @property
    def end(self) -> int:
        return self.start + len(self.quote)


def extract_by_rules(turns: Sequence[Turn]) -> list[Candidate]:
    """Draw facts, episodes and procedures from the user's turns, in the order in which they were said.

    The text of each is what the user said, tidied, with a value that was put right in the same talk put right; its
    quote is the statement as it stands in the turn.
    """
    found: list[_Found] = []
    other: str | None = None
    timeline = Timeline()
    for turn in mined(turns):
        text, place, here = spoken(turn.text), 0, list[_Found]()
        for statement in stated_in(turn.text):
            place = text.index(statement, place)
            other_before, other = other, other_in(statement) or other
            when = timeline.read(statement, turn.said_at)
            if corrected := _put_right([*found, *here], statement, turn, place, when):
                found, here = ([one for one in some if one is not corrected[0]] for some in (found, here))
                here.append(corrected[1])
            elif finding := _judge(statement, when, turn.said_at):
                subject = subject_of(statement, other_before)
                here.append(_Found(finding, turn, place, subject, when, finding.text))
        found += _joined(here)
    most = EPISODES * max(1, len(turns) // 10)
    telling = sorted((one for one in found if one.finding.kind is Kind.EPISODE), key=lambda one: -one.finding.telling)
    return [_candidate(one) for one in found if one.finding.kind is not Kind.EPISODE or one in telling[:most]]


def _put_right(
    found: Sequence[_Found], statement: str, turn: Turn, place: int, when: str | None
) -> tuple[_Found, _Found] | None:
    """What was found before and a statement corrects, and how it reads then."""
    if not cues.is_correction(statement):
        return None
    for before in reversed(found[-CORRECTABLE:]):
        redated = before.when is not None and when is not None and before.when != when
        if text := put_right(before.finding.text, statement, turn.said_at, redated=redated):
            finding = replace(before.finding, text=text)
            return before, _Found(finding, turn, place, before.subject, when or before.when, statement)
    return None


def _joined(found: Sequence[_Found]) -> list[_Found]:
    """The findings of one turn, with neighbouring parts of one story put together."""
    joined: list[_Found] = []
    for one in found:
        if joined and _one_story(joined[-1], one):
            first = joined[-1]
            text = one.turn.text[first.start : one.end]
            finding = replace(
                first.finding,
                text=text,
                telling=first.finding.telling + one.finding.telling,
                confidence=max(first.finding.confidence, one.finding.confidence),
            )
            joined[-1] = replace(first, finding=finding, quote=text, when=first.when or one.when)
        else:
            joined.append(one)
    return joined


def _one_story(first: _Found, second: _Found) -> bool:
    if not all(one.finding.kind is Kind.EPISODE and one.finding.slot is None for one in (first, second)):
        return False
    if first.when and second.when and first.when != second.when:
        return False
    between = first.turn.text[first.end : second.start]
    apart = len(between) > _GAP or "?" in between or "\n" in between or BLOT in between
    return not apart and second.end - first.start <= _LONGEST_EPISODE and first.subject == second.subject


def mined(turns: Sequence[Turn]) -> Iterator[Turn]:
    """The user's turns without those that are play, or that the user then asked not to keep."""
    told = [turn for turn in turns if turn.role is Role.USER]
    for place, turn in enumerate(told):
        following = told[place + 1].text if place + 1 < len(told) else ""
        withdrawn = any(cues.is_withdrawal(sentence) for sentence in own_sentences(following))
        if not withdrawn and not cues.is_played(turn.text[:_OPENING]):
            yield turn


def stated_in(text: str) -> Iterator[str]:
    """What the user states in a turn: no questions, no requests to forget; exact substrings, in order."""
    for sentence in own_sentences(text):
        yield from _stated(sentence)


def tidied(statement: str) -> str:
    """A statement as a sentence: on one line, beginning with a capital and ending with a full stop."""
    line = " ".join(statement.split()).strip(" ,;:-\u2013—").lstrip("… ")
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
    return slot_of(statement) is None or slot_of(following) is None


def _judge(statement: str, when: str | None, said_at: datetime) -> _Finding | None:
    """What kind of memory a statement makes, if any."""
    if cues.is_standing(statement) and _tells(statement):
        return _Finding(Kind.PROCEDURE, _excerpt(statement), None, _PROCEDURE_IMPORTANCE, SURE)
    if cues.is_supposed(statement) or cues.is_reported(statement):
        return None
    if cues.is_reminder(statement):
        return _Finding(Kind.EPISODE, _excerpt(statement), "reminder", _REMINDER_IMPORTANCE, LIKELY, telling=3)
    if cues.is_request(statement):
        return None
    slot = slot_of(statement)
    if slot and not (slot.name in _WEAK and cues.is_passing(statement)):
        kind = Kind.EPISODE if slot.name not in _STATES and _is_event(statement, when) else Kind.FACT
        sure = LIKELY if slot.name in _WEAK else SURE
        return _Finding(kind, _excerpt(statement, slot.pattern), slot.name, slot.importance, sure, telling=3)
    return _unslotted(statement, when, said_at) if says_enough(statement) else None


def _unslotted(statement: str, when: str | None, said_at: datetime) -> _Finding | None:
    about_someone = bool(_FIRST_PERSON.match(straight(statement))) or other_in(statement) is not None
    involved = about_someone or bool(_INVOLVED.search(straight(statement)))
    dated = when is not None or cues.is_dated(statement)
    if _is_event(statement, when) and (involved or cues.is_outcome(statement) or cues.is_life_event(statement)):
        return _episode(statement, LIKELY, dated)
    if dated and involved and not cues.is_event(statement) and not cues.is_passing(statement):
        return _episode(statement, LIKELY, dated)
    if when is not None and when > str(said_at.date()) and not cues.is_passing(statement):
        return _episode(statement, UNSURE, dated)
    if not about_someone or cues.is_passing(statement) or cues.is_denied(statement) or cues.is_event(statement):
        return None
    sure = cues.is_lasting(statement) or _names_someone(statement)
    return _Finding(Kind.FACT, _excerpt(statement), None, 0.5, LIKELY if sure else UNSURE)


def _names_someone(statement: str) -> bool:
    """Whether it is about somebody close who is named, as `My sister Rita plays the cello`: no passing remark."""
    _, _, name = subject_of(statement).partition(" ")
    return name[:1].isupper()


def _episode(statement: str, confidence: float, dated: bool) -> _Finding:
    telling = dated + cues.is_outcome(statement) + cues.is_life_event(statement)
    return _Finding(Kind.EPISODE, _excerpt(statement), None, 0.5, confidence, telling)


def says_enough(statement: str) -> bool:
    """Whether a statement is long enough to be understood by itself."""
    return len(words(statement)) >= 4 or (bool(_UNSPACED.search(statement)) and len(statement) >= 8)


def _is_event(statement: str, when: str | None) -> bool:
    if cues.is_life_event(statement):
        return True
    if cues.is_event(statement) and (when is not None or cues.is_dated(statement)):
        return not cues.is_passing(statement)
    return cues.is_outcome(statement) and _tells(statement)


def _tells(statement: str) -> bool:
    """Whether a statement holds enough to be understood away from what it was said about."""
    return len(content_words(statement)) >= _TOLD or bool(_UNSPACED.search(statement))


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


def _candidate(found: _Found) -> Candidate:
    finding, turn = found.finding, found.turn
    return Candidate(
        kind=finding.kind,
        text=tidied(finding.text),
        quote=Quote(session_id=turn.session_id, turn_id=turn.id, text=found.quote, said_at=turn.said_at),
        extractor=Extractor.RULES,
        # An instruction is the user's, whoever it speaks of.
        subject="user" if finding.kind is Kind.PROCEDURE else found.subject,
        slot=finding.slot,
        event_date=found.when,
        importance=finding.importance,
        confidence=finding.confidence,
        happening=happening_of(finding.text) if finding.kind is Kind.EPISODE else None,
        practice=practice_of(finding.text) if finding.kind is Kind.PROCEDURE else None,
    )
