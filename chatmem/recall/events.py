"""A time given by an event: "before the move" is before the day of the move, or the day on which it was told of.

In the six languages that dates are read in. The event is looked for among the memories and turns like a question.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from chatmem.domain.text import content_words
from chatmem.recall.period import Period

_OWNER = (
    r"(?:i|we|he|she|they|it|you|my|our|his|her|their|the|that|der|die|das|dem|den|ich|wir|mein\w*|unser\w*"
    r"|el|la|los|las|mi|mis|nuestr[oa]|yo|le|les|ma|mon|mes|notre|je|l['\u2019])"
)
_BEFORE = r"before|bevor|vor|until|bis|antes de(?: que)?|hasta|avant(?: que)?|jusqu['\u2019]à"
_AFTER = r"after|since|nachdem|nach|seit(?:dem)?|después de(?: que)?|desde(?: que)?|après(?: que)?|depuis(?: que)?"
_EVENT = re.compile(
    rf"\b(?:(?P<before>{_BEFORE})|{_AFTER})\s+(?:{_OWNER}\b\s*|(?=\w+['\u2019]s\s))(?P<event>[^?.,;!]{{2,60}})",
    re.IGNORECASE,
)
_EVENT_THEN = re.compile(
    r"(?P<event>[\w ]{2,30}?)\s*(?:(?P<before>(?:하기|기)? ?(?:이전|전)에|の前|する前)"
    r"|(?:한)? ?(?:이후|후|뒤)에|の後|した後)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What a question names in place of a date.

    Attributes:
        name: The words for it (`move`).
        before: Whether the time before it is meant; else the time after.
    """

    name: str
    before: bool

    def period(self, moment: datetime) -> Period:
        """The time that is meant, where the event was then."""
        return Period(before=moment) if self.before else Period(since=moment)


def event_in(text: str) -> Event | None:
    """The event by which a question gives a time; `None` if it names none."""
    found = _EVENT.search(text) or _EVENT_THEN.search(text)
    if not found or not content_words(found["event"]):
        return None
    return Event(name=found["event"].strip(), before=found["before"] is not None)
