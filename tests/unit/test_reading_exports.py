import gzip
import json
from pathlib import Path

import pytest

from chatmem.adapters.exports import read_export
from chatmem.adapters.exports.session_lines import write_sessions
from chatmem.conversation.importing import Importer
from chatmem.conversation.screening import Screening
from chatmem.domain.errors import UsageError
from tests.fakes.builders import a_session, a_turn
from tests.fakes.clock import FakeClock
from tests.fakes.job_queue import FakeJobQueue
from tests.fakes.meter import FakeMeter
from tests.fakes.secret_detector import FakeSecretDetector
from tests.fakes.session_log import FakeSessionLog


def a_log(sessions: int = 2) -> FakeSessionLog:
    log = FakeSessionLog(FakeClock())
    for number in range(1, sessions + 1):
        session = a_session(number)
        log.open_session(session)
        log.append(a_turn(1, f"I am number {number}.", id=f"s{number}t1", session_id=session.id))
    return log


def importer(log: FakeSessionLog) -> Importer:
    return Importer(log, FakeJobQueue(log), Screening(FakeSecretDetector(), FakeMeter(log)), read_export)


def claude(*ids: str, turn: str = "t") -> list[dict[str, object]]:
    said = {"uuid": turn, "sender": "human", "text": "I row.", "created_at": "2026-03-04T12:00:00Z"}
    return [
        {"uuid": id_, "name": "Rowing", "created_at": "2026-03-04T12:00:00Z", "chat_messages": [said]} for id_ in ids
    ]


def test_all_sessions_go_to_one_file_and_come_back(tmp_path: Path) -> None:
    log, other = a_log(), a_log(0)
    file = tmp_path / "all.jsonl"

    written = write_sessions(log, file, overwrite=False)
    first, second = importer(other).run(file), importer(other).run(file)

    assert (written, first.sessions, first.turns, second.sessions, second.already_there) == (2, 2, 2, 0, 2)
    assert [turn.text for turn in other.turns(a_session(2).id)] == ["I am number 2."]
    assert file.stat().st_mode & 0o777 == 0o600


def test_all_sessions_can_be_read_as_markdown(tmp_path: Path) -> None:
    write_sessions(a_log(), tmp_path / "all.md", overwrite=False)

    text = (tmp_path / "all.md").read_text()
    assert "# Session 1" in text
    assert "I am number 2." in text


def test_a_file_of_all_sessions_takes_no_place_and_no_name_that_it_should_not(tmp_path: Path) -> None:
    (tmp_path / "all.md").write_text("mine")

    with pytest.raises(UsageError, match="there already"):
        write_sessions(a_log(), tmp_path / "all.md", overwrite=False)
    with pytest.raises(UsageError, match=r"\.md or \.jsonl"):
        write_sessions(a_log(), tmp_path / "all.txt", overwrite=False)
    assert (tmp_path / "all.md").read_text() == "mine"


def test_a_file_of_all_sessions_that_was_cut_off_is_named(tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    write_sessions(a_log(), file, overwrite=False)
    lines = file.read_text().splitlines(keepends=True)
    log = a_log(0)

    for cut in (lines[:1], lines[:2], lines[:-1], [*lines[:1], *lines[2:]], [*lines[:-1], lines[-1][:5]]):
        file.write_text("".join(cut))
        with pytest.raises(UsageError, match="cut off"):
            importer(log).run(file)

    assert log.sessions() == []


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (json.dumps(claude("a", "b"))[:-40], "cut off"),
        (json.dumps(claude("a", "a")), "claude-a twice"),
        (json.dumps([*claude("a"), {"uuid": "b", "chat_messages": []}]), "2.created_at"),
        ("[]", "no format"),
        ("{}", "no format"),
        ("", "no JSON"),
        ("hello", "no JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('[{"chat_messages": []}, 7]', "not whole"),
    ],
)
def test_a_bad_file_of_conversations_is_named_and_nothing_of_it_comes_in(
    tmp_path: Path, content: str, complaint: str
) -> None:
    file = tmp_path / "conversations.json"
    file.write_text(content)
    log = a_log(0)

    with pytest.raises(UsageError, match=complaint):
        importer(log).run(file)

    assert log.sessions() == []


def test_a_packed_file_that_was_cut_off_is_named(tmp_path: Path) -> None:
    file = tmp_path / "conversations.json.gz"
    file.write_bytes(gzip.compress(json.dumps(claude("a")).encode())[:-20])

    with pytest.raises(UsageError, match="cut off"):
        list(read_export(file))
