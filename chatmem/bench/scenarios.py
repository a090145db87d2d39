"""Conversations with what should be remembered of them, as the benchmark of long-term memory writes them."""

import gzip
import re
import zlib
from datetime import UTC, date, datetime
from pathlib import Path

import msgspec

from chatmem.domain.errors import UsageError
from chatmem.domain.turn import Role


class ScenarioTurn(msgspec.Struct, frozen=True):
    """One utterance."""

    id: str
    role: Role
    text: str


class ScenarioSession(msgspec.Struct, frozen=True):
    """One conversation; `started_at` (`2025-03-04T19:12`) is taken as UTC where it bears no zone."""

    id: str
    started_at: str
    turns: tuple[ScenarioTurn, ...]

    @property
    def began(self) -> datetime:
        """When it began, aware."""
        moment = datetime.fromisoformat(self.started_at)
        return moment.replace(tzinfo=moment.tzinfo or UTC)

    def __post_init__(self) -> None:
        """Refuse a time that is none."""
        datetime.fromisoformat(self.started_at)


class ForgetRequest(msgspec.Struct, frozen=True):
    """What the user asks to have forgotten once a session has ended."""

    after_session: str
    query: str


class Query(msgspec.Struct, frozen=True):
    """A question to recall."""

    text: str


class Gold(msgspec.Struct, frozen=True):
    """Of the expected outcome only what must be done to get there; the rest is the scorer's."""

    forget: tuple[ForgetRequest, ...] = ()
    queries: tuple[Query, ...] = ()


class Scenario(msgspec.Struct, frozen=True):
    """Sessions of one invented person, in order, and what is asked of their memory at `profile_date`."""

    id: str
    profile_date: date
    sessions: tuple[ScenarioSession, ...]
    gold: Gold
    policy: dict[str, str] = {}

    @property
    def asked_at(self) -> datetime:
        """Noon of the day on which the questions are asked."""
        return datetime(self.profile_date.year, self.profile_date.month, self.profile_date.day, 12, tzinfo=UTC)


_NEW_LINE = b"\n"


def read_scenarios(file: Path) -> list[Scenario]:
    """The scenarios of a JSON file, plain or compressed by gzip.

    Raises:
        UsageError: If it can't be read, or is of another form.
    """
    try:
        content = file.read_bytes()
        content = gzip.decompress(content) if file.suffix == ".gz" else content
    except (EOFError, zlib.error) as error:
        raise UsageError(f"{file} was cut off or is damaged.") from error
    except OSError as error:
        raise UsageError(f"{file} can't be read: {error.strerror or 'it is not packed by gzip'}.") from error
    try:
        return msgspec.json.decode(content, type=list[Scenario])
    except msgspec.ValidationError as error:
        told = str(error).rstrip(".")
        raise UsageError(f"{file} holds no scenarios of the memory benchmark: {told}.") from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        place = re.search(r"\(byte (\d+)\)", str(error))
        where = f": look at line {1 + content.count(_NEW_LINE, 0, int(place[1]))}" if place else ", or was cut off"
        raise UsageError(f"{file} is no JSON{where}.") from error
