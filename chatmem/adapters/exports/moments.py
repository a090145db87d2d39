"""Times as files have them, brought to UTC. One that no calendar has is refused where it is read."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

_FIRST, _LAST = 2, 9998
"""Years; a day less would be outside the calendar in some places on earth, where it is shown."""


def utc(moment: datetime) -> datetime:
    """A moment in UTC; one without a zone is taken to be.

    Raises:
        ValueError: If it is no time that can be shown everywhere.
    """
    if not _FIRST <= moment.year <= _LAST:
        raise PydanticCustomError("moment", "the year {year} is out of range", {"year": moment.year})
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def since_epoch(seconds: float) -> datetime:
    """The moment so many seconds after 1970 began.

    Raises:
        ValueError: If it is no time that can be shown everywhere.
    """
    try:
        return utc(datetime.fromtimestamp(seconds, UTC))
    except PydanticCustomError:
        raise
    except (OverflowError, ValueError, OSError) as error:
        raise PydanticCustomError("moment", "{seconds} seconds since 1970 is no time", {"seconds": seconds}) from error


def _checked(seconds: float) -> float:
    since_epoch(seconds)
    return seconds


Moment = Annotated[datetime, AfterValidator(utc)]
Seconds = Annotated[float, AfterValidator(_checked)]
