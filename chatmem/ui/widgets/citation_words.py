"""Putting what was recalled, and how it came to its rank, into words."""

from collections.abc import Iterable

from textual.content import Content

from chatmem.domain.recall import Recalled, Source, Tier
from chatmem.domain.text import clean, shortened
from chatmem.ui.wording import short_date

TEXT_LENGTH = 180
SHARED_WORDS = 8
LEAST = 0.05
"""What a part of a score must be to be told: less changes no rank that is worth a line."""

MUTED = "$foreground-muted"

BY_HAND = "It was written by hand: no turn stands behind it."
TAKEN_OVER = "It was taken over from {}: no turn stands behind it."
ONLY_MEMORIES = "Only memories can be forgotten here. To forget what was said, forget what was learned from it: F2."

GROUPS = {"✓": "Used by the answer", "●": "Shown to the model", "○": "Found, but left out"}

WORDS = {
    Source.FACT: "fact",
    Source.EPISODE: "episode",
    Source.PROCEDURE: "how to",
    Source.TURN: "said",
    Source.SUMMARY: "summary",
    Source.REMOTE: "elsewhere",
}
TIERS = {
    Tier.WORKING: "in this conversation",
    Tier.LEARNED: "among the memories",
    Tier.SAID: "among earlier words",
    Tier.REMOTE: "in the remote store",
}
PARTS = {
    "words": "words in common",
    "meaning": "same meaning",
    "neighbours": "said beside what fits",
    "session": "in a conversation that fits",
    "substance": "how much it says",
    "question": "only asked something",
    "speaker": "said by the one asked about",
    "date": "of the time asked about",
    "answer": "the kind of answer asked for",
    "recency": "said recently",
    "retention": "still fresh",
    "importance": "importance",
    "confidence": "how sure it is",
    "subject": "about the one asked about",
    "slot": "tells just what is asked",
    "link": "linked to by what fits",
    "superseded": "replaced by a newer one",
    "episode": "said around an episode that fits",
}
"""What the terms of a score mean, by the names that recall gives them."""


def unsourced(imported_from: str) -> str:
    """Why there is no turn to go to.

    Args:
        imported_from: What the memory was taken over from; empty where it was written by hand.
    """
    return TAKEN_OVER.format(clean(imported_from)) if imported_from else BY_HAND


def mark_of(item: Recalled) -> str:
    """Whether it was used, shown or only found, without colour."""
    if item.used:
        return "✓"
    return "●" if item.injected else "○"


def group_of(item: Recalled) -> int:
    """The place of its group: used, shown, only found."""
    return list(GROUPS).index(mark_of(item))


def headline(item: Recalled) -> Content:
    """What it is, and of when."""
    by = f" by {clean(item.speaker)}" if item.source is Source.TURN and item.speaker else ""
    score = f" · {item.score:.2f}" if item.score else ""
    return Content.assemble(
        (f"{mark_of(item)} {WORDS[item.source]}{by}", "$accent" if item.injected else MUTED),
        (f" · {short_date(item.said_at)}{score}", MUTED),
    )


def wording(item: Recalled) -> Content:
    """Its words, on one line and shortened."""
    return Content.styled(shortened(clean(item.text), TEXT_LENGTH), "$foreground" if item.injected else MUTED)


def score_in_words(parts: Iterable[tuple[str, float]]) -> str:
    """The parts of a score, the weightiest first: `words in common +1.2, same meaning +0.8`; empty for none."""
    telling = sorted((part for part in parts if abs(part[1]) >= LEAST), key=lambda part: -abs(part[1]))
    return ", ".join(f"{PARTS.get(name, name)} {value:+.1f}" for name, value in telling)


def shared_in_words(shared: Iterable[str]) -> str:
    """The words that an answer repeats: `the answer has its words porto, rita`; empty where there are none."""
    words = list(shared)
    more = " …" if len(words) > SHARED_WORDS else ""
    return f"the answer has its words: {', '.join(words[:SHARED_WORDS])}{more}" if words else ""
