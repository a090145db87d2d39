"""Recalling as of a day: what was known and held then."""

from datetime import date, datetime, timedelta

from chatmem.domain.errors import UsageError


def day_named(text: str, now: datetime) -> date:
    """The day that a person names: `2026-03-04`, `March 2026`, `three weeks ago`. May block to load a library.

    Args:
        text: As it was typed.
        now: The present.

    Raises:
        UsageError: If it names none.
    """
    from chatmem.recall.period import bounds_in

    moment = bounds_in(f'as-of:"{text.strip()}"', now)[1].as_of
    if moment is None:
        raise UsageError(f"{text} names no day. Say it as 2026-03-04, or March 2026, or three weeks ago.")
    # Bounds end with the day that was named; a moment ends in its own day.
    return (moment - timedelta(microseconds=1)).date()


def asked_as_of(question: str, day: date | None) -> str:
    """A question as recall is to read it: as of a day, unless it names another one itself."""
    return f"as-of:{day:%Y-%m-%d} {question}" if day else question
