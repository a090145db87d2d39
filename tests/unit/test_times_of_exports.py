"""Times that no calendar has, in files of other programs and of our own."""

import json
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from chatmem.adapters.exports import read_export
from chatmem.adapters.exports.mem0 import read_mem0
from chatmem.adapters.exports.memory_lines import read_lines, write_lines
from chatmem.domain.errors import UsageError
from tests.fakes.builders import a_fact

NOW = datetime(2026, 3, 4, tzinfo=UTC)
BEFORE_ALL = "0001-01-01T00:00:00+14:00"


def chatgpt(began: float, said: float) -> dict[str, object]:
    message = {"id": "m", "author": {"role": "user"}, "content": {"parts": ["I row."]}, "create_time": said}
    return {"id": "c", "create_time": began, "current_node": "n", "mapping": {"n": {"message": message}}}


def claude(began: str, said: str) -> dict[str, object]:
    message = {"uuid": "m", "sender": "human", "text": "I row.", "created_at": said}
    return {"uuid": "c", "created_at": began, "chat_messages": [message]}


@pytest.mark.parametrize("seconds", [1e30, -1e11, float("nan"), 1e11 * 3])
def test_seconds_that_are_no_time_are_refused(tmp_path: Path, seconds: float) -> None:
    file = tmp_path / "conversations.json"

    for conversation in (chatgpt(seconds, 1e9), chatgpt(1e9, seconds)):
        file.write_text(json.dumps([conversation]))
        with pytest.raises(UsageError, match=r"create_time|no JSON"):
            list(read_export(file))


@pytest.mark.parametrize("moment", [BEFORE_ALL, "9999-12-31T23:59:59-14:00"])
def test_moments_outside_the_calendar_are_refused(tmp_path: Path, moment: str) -> None:
    file = tmp_path / "conversations.json"

    for conversation in (claude(moment, "2026-03-04T12:00:00Z"), claude("2026-03-04T12:00:00Z", moment)):
        file.write_text(json.dumps([conversation]))
        with pytest.raises(UsageError, match=r"created_at: the year \d+ is out of range"):
            list(read_export(file))


def test_moments_of_a_conversation_are_brought_to_utc(tmp_path: Path) -> None:
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps([claude("2026-03-04T12:00:00+02:00", "2026-03-04T12:00:00"), chatgpt(0.0, 1e9)]))

    first, second = read_export(file)

    assert first.session.started_at == datetime(2026, 3, 4, 10, tzinfo=UTC)
    assert first.turns[0].said_at == datetime(2026, 3, 4, 12, tzinfo=UTC)
    assert second.session.started_at == datetime(1970, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("name", ["created_at", "updated_at", "expiration_date"])
def test_a_memory_of_mem0_with_a_time_outside_the_calendar_is_refused(name: str) -> None:
    stream = BytesIO(json.dumps({"results": [{"id": "a", "memory": "I row.", name: BEFORE_ALL}]}).encode())

    with pytest.raises(UsageError, match=f"{name}: the year 1 is out of range"):
        list(read_mem0(stream, Path("m.json"), NOW, None))


def test_a_memory_of_our_own_with_a_time_outside_the_calendar_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "memories.jsonl"
    memory = a_fact("I row.")
    with file.open("w") as out:
        write_lines(out, [memory], {}, NOW)
    head, line = file.read_bytes().splitlines()
    changed = json.dumps(json.loads(line) | {"created_at": BEFORE_ALL}).encode()

    with pytest.raises(UsageError, match=r"Line 2 of .* holds no memory: the year 1 is out of range"):
        list(read_lines(BytesIO(head + b"\n" + changed), file))
