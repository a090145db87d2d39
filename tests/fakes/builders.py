"""Builders of domain values, with sensible values for what a test does not care about."""

from datetime import UTC, datetime, timedelta

from chatmem.domain.memory import Extractor, Kind, Memory, Quote, memory_id
from chatmem.domain.model import ModelChoice
from chatmem.domain.turn import Role, Session, SessionId, Turn, TurnId

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


def a_session(number: int = 1, **changes: object) -> Session:
    values: dict[str, object] = {"id": SessionId(f"s{number}"), "title": f"Session {number}", "started_at": NOON}
    return Session(**(values | changes))  # type: ignore[arg-type]  # a builder takes any field


def a_turn(seq: int = 1, text: str = "I live in Porto.", **changes: object) -> Turn:
    values: dict[str, object] = {
        "id": TurnId(f"s1t{seq}"),
        "session_id": SessionId("s1"),
        "seq": seq,
        "role": Role.USER,
        "text": text,
        "said_at": NOON + timedelta(minutes=seq),
    }
    return Turn(**(values | changes))  # type: ignore[arg-type]  # a builder takes any field


def a_quote(text: str = "I live in Porto.", turn_id: str = "s1t1") -> Quote:
    return Quote(session_id=SessionId("s1"), turn_id=TurnId(turn_id), text=text, said_at=NOON)


def a_fact(text: str = "The user lives in Porto.", **changes: object) -> Memory:
    values: dict[str, object] = {
        "id": memory_id(Kind.FACT, text, TurnId("s1t1")),
        "kind": Kind.FACT,
        "text": text,
        "extractor": Extractor.RULES,
        "created_at": NOON,
        "updated_at": NOON,
        "valid_from": NOON,
        "quotes": (a_quote(),),
    }
    return Memory(**(values | changes))  # type: ignore[arg-type]  # a builder takes any field


def a_choice(name: str = "fake", **changes: object) -> ModelChoice:
    values: dict[str, object] = {"name": name, "model": "openai/fake"}
    return ModelChoice(**(values | changes))  # type: ignore[arg-type]  # a builder takes any field
