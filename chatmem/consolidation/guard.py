"""What may become a memory: only what rests on words the user said, meant, and did not forget.

A weak model invents, takes the assistant's words for the user's, and never finds that there is nothing new; so what it
proposes is checked here by code. What the rules extractor finds passes the same guard.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from chatmem.consolidation import cues
from chatmem.consolidation.certainty import LIKELY
from chatmem.consolidation.corrections import put_right
from chatmem.consolidation.dates import event_date
from chatmem.consolidation.prose import occurs_in, own_words, spoken, straight
from chatmem.consolidation.rules import CORRECTABLE, mined, says_enough, stated_in
from chatmem.consolidation.slots import BY_NAME, slot_of, subject_of
from chatmem.consolidation.wording import numbers, stems
from chatmem.domain.memory import Candidate, Extractor, Kind
from chatmem.domain.text import words
from chatmem.domain.turn import Turn, TurnId

LONGEST = 400
"""Characters of the longest text that extraction may store."""

_SUPPORT = 0.5
_GROUND, _BY_SUPPORT, _UNTOLD = 0.5, 0.4, 0.15
_EDGES = " \t\n\"'“”„«».,;:!?…-\u2013—"


@dataclass(frozen=True, slots=True)
class _Part:
    """A statement and where it begins in its turn."""

    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class _Said:
    """What the user said in a turn: all of it but code and logs, and the parts that state something."""

    turn: Turn
    own: str
    statements: tuple[_Part, ...]

    def parts(self, start: int, end: int) -> list[_Part]:
        """The statements that a stretch of the turn touches."""
        return [part for part in self.statements if part.start < end and start < part.end]


def screened(candidates: Iterable[Candidate], turns: Sequence[Turn]) -> list[Candidate]:
    """Keep the candidates that rest on what the user said in these turns, in order, each once.

    The quote of each comes back as the exact substring of its turn. What the user put right later in these turns is not
    kept as it was before; the rules put it right themselves.
    """
    said = {turn.id: _said(turn) for turn in mined(turns)}
    kept: dict[tuple[str, ...], Candidate] = {}
    for candidate in candidates:
        if checked := _checked(candidate, said):
            kept.setdefault(_likeness(checked), checked)
    return list(kept.values())


def beyond_rules(found: Sequence[Candidate], by_rules: Sequence[Candidate]) -> list[Candidate]:
    """What a model found that the rules had not."""
    return [candidate for candidate in found if not any(_tells(candidate, ruled) for ruled in by_rules)]


def passed_over(turns: Sequence[Turn], known: Sequence[Candidate]) -> Mapping[TurnId, int]:
    """The turns in which something may be meant that no sure memory tells, with how many of their statements do."""
    return Counter(
        said.turn.id
        for said in map(_said, mined(turns))
        for part in said.statements
        if _is_meant(part.text, Kind.FACT, said.turn.said_at)
        and not any(one.confidence >= LIKELY and _quotes(one, said.turn.id, part.text) for one in known)
    )


def _quotes(candidate: Candidate, turn_id: TurnId, statement: str) -> bool:
    quote = candidate.quote
    return quote.turn_id == turn_id and (quote.text in statement or statement in quote.text)


def exact(quote: str, text: str) -> str | None:
    """The part of a text that a quote repeats, with case, white space and outer punctuation ignored."""
    return next((text[start:end] for start, end in _repeats(quote, text)), None)


def _repeats(quote: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a text repeats a quote."""
    told = straight(quote).strip(_EDGES).split()
    found = re.finditer(r"\s+".join(map(re.escape, told)), straight(text), re.IGNORECASE) if told else ()
    return (place.span() for place in found)


def _said(turn: Turn) -> _Said:
    parts: list[_Part] = []
    text = spoken(turn.text)
    for statement in stated_in(turn.text):
        at = text.find(statement, parts[-1].end if parts else 0)
        # Where words are said over and over, a statement may begin before the end of the one before it.
        parts.append(_Part(at if at >= 0 else text.index(statement), statement))
    return _Said(turn, own_words(turn.text), tuple(parts))


def _checked(candidate: Candidate, said: dict[TurnId, _Said]) -> Candidate | None:
    candidate = _attributed(candidate, said)
    source = said.get(candidate.quote.turn_id)
    place = _place(source, candidate.quote.text, candidate.kind) if source else None
    if source is None or place is None:
        return None
    start, end, meant = place
    if candidate.extractor is Extractor.MODEL:
        if not _is_faithful(candidate, " … ".join(part.text for part in meant)):
            return None
        if any(_is_put_right(part, source, said) for part in meant):
            return None
        start, end = max(start, meant[0].start), min(end, meant[-1].end)
        candidate = _placed(candidate, meant, source.turn.said_at)
    return replace(candidate, quote=replace(candidate.quote, text=source.turn.text[start:end]))


def _place(source: _Said, quote: str, kind: Kind) -> tuple[int, int, list[_Part]] | None:
    """Where a quote stands, and what of it is meant: it may be asked in one place and said in another."""
    for start, end in _repeats(quote, source.own):
        # Where code was blotted out within it, it is not what the turn says.
        if source.own[start:end] == source.turn.text[start:end]:
            parts = source.parts(start, end)
            if meant := [part for part in parts if _is_meant(part.text, kind, source.turn.said_at)]:
                return start, end, meant
    return None


def _is_put_right(ground: _Part, source: _Said, said: dict[TurnId, _Said]) -> bool:
    """Whether one of the next things that the user said corrects a statement, rather than another between the two."""
    told = [(part, one.turn) for one in said.values() for part in one.statements]
    before, *following = told[(at := told.index((ground, source.turn))) : at + 1 + CORRECTABLE]
    return any(
        _corrects(later, before) and not any(_corrects(later, between) for between in following[:place])
        for place, later in enumerate(following)
    )


def _corrects(later: tuple[_Part, Turn], before: tuple[_Part, Turn]) -> bool:
    if not cues.is_correction(later[0].text):
        return False
    old, new = (event_date(part.text, turn.said_at) for part, turn in (before, later))
    redated = old is not None and new is not None and old != new
    return put_right(before[0].text, later[0].text, later[1].said_at, redated=redated) is not None


def _attributed(candidate: Candidate, said: dict[TurnId, _Said]) -> Candidate:
    """The candidate with the turn that holds its quote: a weak model copies words well and counts badly."""
    cited = said.get(candidate.quote.turn_id)
    if cited and exact(candidate.quote.text, cited.own):
        return candidate
    holding = next((told.turn for told in said.values() if exact(candidate.quote.text, told.own)), None)
    if holding is None:
        return candidate
    return replace(candidate, quote=replace(candidate.quote, turn_id=holding.id, said_at=holding.said_at))


def _tells(found: Candidate, ruled: Candidate) -> bool:
    """Whether a model's candidate tells what a rule found, from the same words."""
    if found.quote.turn_id != ruled.quote.turn_id:
        return False
    quotes = found.quote.text, ruled.quote.text
    if not (occurs_in(*quotes) or occurs_in(*reversed(quotes))):
        return False
    told, said = stems(found.text), stems(ruled.text)
    return 2 * len(told & said) >= min(len(told), len(said))


def _is_meant(statement: str, kind: Kind, said_at: datetime) -> bool:
    """Whether a statement may be the ground of a memory of this kind."""
    if cues.is_standing(statement) or cues.is_reminder(statement) or cues.is_correction(statement):
        return True
    if cues.is_supposed(statement) or cues.is_reported(statement) or cues.is_request(statement):
        return False
    if kind is Kind.PROCEDURE or slot_of(statement) is not None:
        return True
    told = cues.is_dated(statement) or cues.is_outcome(statement) or cues.is_life_event(statement)
    trifle = cues.is_event(statement) and not told and event_date(statement, said_at) is None
    return says_enough(statement) and not trifle and not cues.is_passing(statement)


def _placed(candidate: Candidate, meant: Sequence[_Part], said_at: datetime) -> Candidate:
    """A model's candidate with subject, slot, date and importance by the patterns where they know better."""
    ground = max(meant, key=lambda part: len(stems(part.text) & stems(candidate.text)))
    known = BY_NAME.get(candidate.slot or "") or slot_of(ground.text)
    own = candidate.subject.casefold() in {"user", "i", "me", "the user"}
    return replace(
        candidate,
        subject=subject_of(ground.text) if own else candidate.subject,
        slot=known.name if known else candidate.slot,
        event_date=candidate.event_date or event_date(ground.text, said_at),
        confidence=_confidence(candidate, ground.text, known=known is not None),
        importance=known.importance if known else candidate.importance,
    )


def _is_faithful(candidate: Candidate, meant: str) -> bool:
    """Whether a text says what its ground says: no other numbers, no lost or added `not`, mostly the same words."""
    text = candidate.text
    content = stems(text) - stems(candidate.subject)
    if not text.strip() or len(text) > LONGEST or not numbers(text) <= numbers(meant):
        return False
    if candidate.kind is not Kind.PROCEDURE and cues.is_denied(text) != cues.is_denied(meant):
        return False
    return bool(content) and len(content & stems(meant)) >= _SUPPORT * len(content)


def _confidence(candidate: Candidate, ground: str, *, known: bool) -> float:
    """How sure a model's candidate is: how much of it was said, and whether a pattern knows what it is about."""
    content = stems(candidate.text) - stems(candidate.subject)
    support = len(content & stems(ground)) / max(1, len(content))
    told = known or cues.is_standing(ground) or cues.is_dated(ground) or cues.is_outcome(ground)
    return round(_GROUND + _BY_SUPPORT * support - (0.0 if told else _UNTOLD), 2)


def _likeness(candidate: Candidate) -> tuple[str, ...]:
    """What makes two candidates of one stretch the same."""
    return (candidate.subject.casefold(), *words(candidate.text))
