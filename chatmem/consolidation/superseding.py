"""Whether one memory takes the place of another: it claims another value, corrects it, or takes it back.

Each rule asks for words that show it; likeness alone retires nothing. What happened once stays true, so an episode
gives way only to a correction of its date or number.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from chatmem.consolidation.claims import claims, measures
from chatmem.consolidation.prose import straight
from chatmem.consolidation.wording import denies, names, overlap, stems
from chatmem.domain.memory import Kind, Memory
from chatmem.domain.text import words

_ADDED = re.compile(
    r"\b(?:also|too|as well|another|a second|besides|in addition|additionally|one addition|on top of|both|alongside"
    r"|plus|auch|außerdem|también|además)\b",
    re.IGNORECASE,
)
_CORRECTED = re.compile(
    r"\b(?:actually|no,? wait|wait,? no|hold on|i meant|i mean\b.*\bnot|correction|scratch that|my mistake"
    r"|mixed (?:it|that|them) up|i said|i was wrong|take (?:it|that|this) back|out of date|outdated|change of plans?"
    r"|plans? changed|schedule change\w*|(?:re)?scheduled|postponed|pushed back|brought forward|no longer|any ?more"
    r"|instead of|(?:they|i|we|he|she) moved|moved (?:from|to|up|back|forward|by)"
    r"|(?:has|have|was|were|is|been) (?:moved|changed)|cancell?ed|switched|swapped|replaced"
    r"|changed (?:my|our|the|jobs?|to)|cambio de planes|en realidad|eigentlich|doch nicht|statt)\b",
    re.IGNORECASE,
)
_SHIFTED = re.compile(
    r"\b(?:moved|pushed|postponed|delayed|brought)\b[^.;]{0,40}?\b(?:by )?(an?|one|two|three|\d) (day|week|fortnight)",
    re.IGNORECASE,
)
_MOVED = "Its day was moved."
_AMENDED = "A part of it was changed."
_EXTENDED = "One more thing was added to it."
_ONE_MORE = re.compile(
    r"\b(?:add|put|include|append|want|need|use)\w* (?:in |me |us )?(?:an?(?:other| extra| additional)?|one more)"
    r" (?:second |third |fourth |fifth |sixth |new )?([\w-]+)"
    r"|\ba (?:second|third|fourth|fifth|sixth) ([\w-]+)",
    re.IGNORECASE,
)
_STANDS_ALONE = re.compile(r"^(?:when|whenever|if|for|in) ", re.IGNORECASE)
_LONGEST = 500
"""Characters of an instruction and its amendment, told as one."""

_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_TIMES = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
_SINCE = re.compile(
    r"\b(?:now|nowadays|these days|as of|since (?:last|this|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|monday|yesterday)|from \w+(?: on)?,? |new (?:job|role|position|employer|flat|place)"
    r"|promoted|moved|i (?:left|quit)|jetzt|seit|ahora|desde)\b",
    re.IGNORECASE,
)
_ENDED = "quit|gave up|given up|sold|cancell?ed|got rid of|gave away|stopped(?= \\w+ing)|ditched|broke up with"
_RETRACTIONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bno longer ([^,.;!?]+)",
        r"\b(?:don't|do not|doesn't|does not|isn't|aren't|not) ([^,.;!?]+?) (?:anymore|any more|any longer)\b",
        rf"\b(?:{_ENDED}) (?!and |but )(?:on )?(?:my |our |the |his |her |their |with )?([^,.;!?]+)",
        r"\bleft (?:my |our |the )?(job|company|firm|(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+)",
        r"\b(?:switched|changed|swapped|went|moved)(?: over)? from ([^,.;!?]+?) to\b",
        r"\b(?:replaced|swapped) (?:my |our |the )?([^,.;!?]+?) (?:with|for|by)\b",
        r"\b(?:instead of|statt) ([^,.;!?]+)",
        r"(?:^|[,;:.] |\band |\bthe |\bmy )(\w+) (?:is|are) (?:gone|over|cancell?ed|off)(?=[,.;!]|$| now| for good)",
        r"\b(\w+(?: \w+)?) (?:got|was|were) cancell?ed\b",
        r"\b(?:it's|is|am|are|was|i'm|,) not (?:an? |the |in |on )?([^,.;!?]+?),? (?:but|it's|it is)\b",
        r", not (?:an? |the |on |in |at )?([^,.;!?]+)[.!]?$",
        r"\bi said ([^,.;!?]+)",
    )
)
_OBJECT_END = re.compile(
    r"\s(?:for|at|because|since|and|so|but|in|on|with|last|this|yesterday|today|when|after|before|to|as)\s.*", re.DOTALL
)
_TAKEN_BACK = re.compile(
    r"\b(?:take (?:it|that|this) back|(?:is|are|it's|they're) (?:fine|ok|okay|allowed)(?: again| now)?|never mind"
    r"|no need to|again after all|you (?:can|may) (?:\w+ )?again)\b",
    re.IGNORECASE,
)
_FEELING = frozenset(
    {
        "lov",
        "lik",
        "hat",
        "enjo",
        "dislik",
        "detest",
        "ador",
        "eat",
        "drink",
        "prefer",
        "anymor",
        "longer",
        "stop",
        "quit",
    }
)
_WORKING = frozenset({"occupation", "employer"})
_LASTING = frozenset({"home", "occupation", "employer", "name", "age", "relationship", "diet"})
_DWELLING = re.compile(r"\b(studio|flat|apartment|house|room|bedsit|dormitory|dorm|van|boat|camper)\b", re.IGNORECASE)
_WORK = re.compile(
    r"\b(?:i'm|i am|user is|we're|started|working|work|works|promoted to)(?: now| just)*(?: as| to)?"
    r" (?:an? \w|doing \w|\w+ (?:at|for) )",
    re.IGNORECASE,
)
_OF_OLD = 0.1
"""Share of an older statement's words that what is taken back must make up, so that it is its matter."""

_OF_OLD_DAY = 0.25
"""The same where a day is taken back: one that stands beside much else leaves the rest in force."""

_NEAR = 0.4
"""Cosine from which two statements with differing days or numbers may speak of one matter."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two statements about one subject, and what is shared by the words that carry them."""

    later: Memory
    earlier: Memory
    similarity: float | None
    said: str

    @property
    def shared(self) -> frozenset[str]:
        """The stems both have, but for days, numbers and whom they are about."""
        both = stems(self.later.text) & stems(self.earlier.text)
        return frozenset(stem for stem in both - stems(self.later.subject) if not _is_measure(stem))


_CALENDAR = frozenset(
    {"mon", "tue", "wed", "thu", "fri", "sat", "sun"}
    | {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
)


def supersedes(later: Memory, earlier: Memory, similarity: float | None = None, said: str = "") -> str:
    """Why the later of two memories takes the earlier one's place, in words; empty where it does not.

    Args:
        later: The one that was said later.
        earlier: The one that was said before.
        similarity: The cosine of the two, where it is known.
        said: What else was stated in the breath of the later one, where it is known: `I left in May`.
    """
    if later.subject.casefold() != earlier.subject.casefold() or later.text == earlier.text:
        return ""
    pair = _Pair(later, earlier, similarity, said)
    return next((reason for rule in _RULES if (reason := rule(pair))), "")


def _claims_other(pair: _Pair) -> str:
    """Both claim what has one value at a time, and the values have nothing in common."""
    if not _both_last(pair) or _ADDED.search(pair.later.text):
        return ""
    new = claims(pair.later.text, pair.later.subject)
    for matter, value in claims(pair.earlier.text, pair.earlier.subject).items():
        if new.get(matter) and value.isdisjoint(new[matter]):
            return f"Another {matter.split(',')[0]} was told later."
    return ""


def _moves_on(pair: _Pair) -> str:
    """Both tell of the home or the work, and the later one says that it is so now."""
    slots = {pair.later.slot or pair.earlier.slot, pair.earlier.slot}
    later, earlier = straight(pair.later.text), straight(pair.earlier.text)
    if (
        not _both_last(pair)
        or (len(slots) > 1 and not slots <= _WORKING)
        or _ADDED.search(later)
        or not (_says_now(later) or _says_now(pair.said))
    ):
        return ""
    if slots == {"home"} and (new := _dwellings(later)) and (old := _dwellings(earlier)):
        return "Another home was told later." if new.isdisjoint(old) else ""
    if slots <= _WORKING and _WORK.search(later) and _WORK.search(earlier):
        return "" if overlap(later, earlier) > 0.5 else "Another work was told later."
    return ""


def _takes_back(pair: _Pair) -> str:
    """The later one names what is over, and that is what the earlier one is about."""
    if pair.earlier.kind is Kind.EPISODE:
        return ""
    old = stems(pair.earlier.text)
    for pattern in _RETRACTIONS:
        for found in pattern.finditer(straight(pair.later.text)):
            over = stems(_OBJECT_END.sub("", found[1])) - _FEELING
            if not over or not over <= old or _is_denied(over, pair.earlier.text):
                continue
            if _is_matter(over, pair):
                return "It was said to be over."
            if _amends(over, pair):
                return _AMENDED
    return ""


def _amends(over: frozenset[str], pair: _Pair) -> bool:
    """Whether the later instruction changes but the day of the earlier one, whose rest stays in force."""
    both = {pair.later.kind, pair.earlier.kind} == {Kind.PROCEDURE}
    fits = len(pair.later.text) + len(pair.earlier.text) <= _LONGEST
    return both and fits and bool(pair.shared) and all(map(_is_measure, over))


def _is_denied(over: frozenset[str], text: str) -> bool:
    """Whether a statement itself says that it is not so: `I don't eat meat` outlives `I no longer eat meat`."""
    return any(denies(clause) and over & stems(clause) for clause in re.split(r"[,;:]", text))


def _is_matter(over: frozenset[str], pair: _Pair) -> bool:
    """Whether what is over is the matter of the earlier one; a mere day or number is not, without more in common."""
    if all(_is_measure(stem) for stem in over):
        return _share_of_old(pair) >= _OF_OLD_DAY or _same_breath(pair)
    clauses = (stems(clause) for clause in re.split(r"[,;:]", pair.earlier.text))
    return any(over <= clause and len(over) >= _OF_OLD * len(clause) for clause in clauses)


def _corrects_measure(pair: _Pair) -> str:
    """The later one corrects a day, a time or a number of the earlier one's matter."""
    later = straight(pair.later.text)
    corrected = bool(_CORRECTED.search(later))
    if _ADDED.search(later) or not (corrected or _SINCE.search(later)):
        return ""
    if Kind.EPISODE in {pair.later.kind, pair.earlier.kind} and not corrected:
        return ""
    new, old = measures(later), measures(pair.earlier.text)
    differ = any(values - new[kind] and new[kind] - values for kind, values in old.items() if kind in new)
    return "A day or a number was corrected." if differ and _one_matter(pair, corrected=corrected) else ""


def _shifts_day(pair: _Pair) -> str:
    """The later one says by how much a day was moved, and that is what lies between the two."""
    shifted = _SHIFTED.search(straight(pair.later.text))
    new, old = (measures(one.text).get("day", frozenset()) for one in (pair.later, pair.earlier))
    if shifted is None or len(new) != 1 or len(old) != 1 or _other_names(pair):
        return ""
    times, unit = shifted[1].lower(), shifted[2].lower()
    apart = _DAYS[unit] * (int(times) if times.isdigit() else _TIMES[times])
    return _MOVED if abs(int(next(iter(new))) - int(next(iter(old)))) == apart else ""


def restated(later: Memory, earlier: Memory, reason: str) -> Memory:
    """The later memory so that it stands alone: the earlier one with its day moved, or with what amends it.

    It stays as it is where it replaces all of the earlier one. Where both are told as one, it rests on both.

    Args:
        later: The one that was said later.
        earlier: The one whose place it takes.
        reason: Why, as `supersedes` says.
    """
    if reason in {_AMENDED, _EXTENDED}:
        quotes = tuple(dict.fromkeys((*later.quotes, *earlier.quotes)))
        return replace(later, text=f"{earlier.text} {later.text}", kind=earlier.kind, quotes=quotes)
    if reason != _MOVED:
        return later
    (new,), (old,) = (measures(one.text)["day"] for one in (later, earlier))
    text = re.sub(rf"\b{old}(?:st|nd|rd|th)?\b", ordinal(int(new)), earlier.text)
    return replace(later, text=text, kind=earlier.kind, slot=earlier.slot, importance=earlier.importance)


def ordinal(number: int) -> str:
    """A day of the month as it is said: `21st`."""
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _one_matter(pair: _Pair, *, corrected: bool) -> bool:
    shared = pair.shared
    if corrected and _same_breath(pair) and not _other_names(pair):
        return True
    if _other_names(pair):
        return False
    of_old = _share_of_old(pair)
    if corrected:
        return bool(shared) and (len(shared) >= 2 or of_old >= _OF_OLD or (pair.similarity or 0.0) >= _NEAR)
    return len(shared) >= 1 and of_old >= 0.5


def _share_of_old(pair: _Pair) -> float:
    """Share of the earlier one's words, days and numbers aside, that the later one has too."""
    return len(pair.shared) / max(1, sum(not _is_measure(stem) for stem in stems(pair.earlier.text)))


def _revokes(pair: _Pair) -> str:
    """An instruction is taken back, or its opposite is asked for."""
    if pair.earlier.kind is not Kind.PROCEDURE:
        return ""
    shared = pair.shared - _FEELING
    if shared and _TAKEN_BACK.search(straight(pair.later.text)):
        return "The instruction was taken back."
    if pair.later.kind is not Kind.PROCEDURE:
        return ""
    least = min(len(stems(pair.later.text) - _FEELING), len(stems(pair.earlier.text) - _FEELING))
    opposed = denies(pair.later.text) != denies(pair.earlier.text)
    return "The opposite was asked for." if opposed and shared and len(shared) >= 0.75 * least else ""


def _denies_it(pair: _Pair) -> str:
    """The later one says of the same matter that it is not so, or is so after all."""
    if not _both_last(pair) or denies(pair.later.text) == denies(pair.earlier.text):
        return ""
    new, old = stems(pair.later.text) - _FEELING, stems(pair.earlier.text) - _FEELING
    if not new or new != old or measures(pair.later.text) != measures(pair.earlier.text):
        return ""
    return "The opposite was told later."


def _adds(pair: _Pair) -> str:
    """The later one adds a thing to what the earlier instruction lists: they are one instruction from then on."""
    if pair.earlier.kind is not Kind.PROCEDURE or _STANDS_ALONE.search(straight(pair.later.text)):
        return ""
    fits = len(pair.later.text) + len(pair.earlier.text) <= _LONGEST
    listed = {word.removesuffix("s") for word in words(pair.earlier.text)}
    more = (found[1] or found[2] for found in _ONE_MORE.finditer(straight(pair.later.text)))
    return _EXTENDED if fits and any(one.lower().removesuffix("s") in listed for one in more) else ""


_RULES: tuple[Callable[[_Pair], str], ...] = (
    _claims_other,
    _moves_on,
    _takes_back,
    _corrects_measure,
    _shifts_day,
    _adds,
    _revokes,
    _denies_it,
)


def _both_last(pair: _Pair) -> bool:
    """Whether both tell what lasts, not what happened once: `I moved to Porto` tells where one lives since."""
    return all(one.kind is not Kind.EPISODE or one.slot in _LASTING for one in (pair.later, pair.earlier))


@lru_cache(maxsize=16)
def _says_now(text: str) -> bool:
    # Asked anew for each memory that one is compared with, of all that was said in its turn.
    text = straight(text)
    return bool(_SINCE.search(text) or _CORRECTED.search(text))


def _same_breath(pair: _Pair) -> bool:
    """Whether both were said in one session within ten minutes."""
    return any(
        new.session_id == old.session_id and abs((new.said_at - old.said_at).total_seconds()) <= 600
        for new in pair.later.quotes
        for old in pair.earlier.quotes
    )


def _other_names(pair: _Pair) -> bool:
    """Whether each names somebody or something that the other does not."""
    new, old = names(pair.later.text), names(pair.earlier.text)
    only_new = {name for name in new - set(words(pair.earlier.text)) if name[:3] not in _CALENDAR}
    return bool(only_new) and any(name[:3] not in _CALENDAR for name in old - set(words(pair.later.text)))


def _dwellings(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _DWELLING.findall(text))


def _is_measure(stem: str) -> bool:
    return stem[:3] in _CALENDAR or bool(measures(stem)) or bool(re.match(r"\d", stem))
