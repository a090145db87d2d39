import codecs
import gzip
import json
from pathlib import Path

import pytest

from chatmem.adapters.exports import read_export
from chatmem.adapters.exports.session_lines import write_sessions
from chatmem.conversation.importing import Imported, Importer
from chatmem.conversation.screening import Screening
from chatmem.domain.errors import UsageError
from chatmem.domain.turn import Attachment, AttachmentId
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
        (json.dumps(claude("a\x1b[2J")), "an id that is none: 'claude-a'"),
        (json.dumps(claude("a\nb")), "an id that is none"),
        (json.dumps(claude("a" * 201)), "an id that is none"),
        (json.dumps(claude("a", turn="t\u202e")), "an id that is none"),
        (json.dumps(claude("")), "1.uuid"),
        (json.dumps(claude("a", turn="")), "at least 1 character"),
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


def test_ids_of_a_file_of_its_own_are_shown_as_they_are_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    write_sessions(a_log(1), file, overwrite=False)
    whole = file.read_text()
    log = a_log(0)

    for own, other in (("s1", "s1\\u001b[2J"), ("s1", " "), ("s1t1", "s1t1\\u202e"), ("s1t1", "t" * 201)):
        file.write_text(whole.replace(f'"{own}"', f'"{other}"'))
        with pytest.raises(UsageError, match="an id that is none"):
            importer(log).run(file)

    assert log.sessions() == []


def test_what_a_terminal_obeys_is_dropped_from_all_that_a_file_says_of_a_turn(tmp_path: Path) -> None:
    log, file = FakeSessionLog(FakeClock()), tmp_path / "all.jsonl"
    image = Attachment(id=AttachmentId("i1"), name="do\x1b[2Jor.png", media_type="image/png", size=3)
    log.open_session(a_session(1))
    log.append(
        a_turn(1, "Look.", speaker="A\x1b[2Jda", model="fa\x1b[2Jke", error="n\x1b[2Jo", attachments=(image,)), [b"abc"]
    )
    write_sessions(log, file, overwrite=False)

    ((turn,),) = [exported.turns for exported in read_export(file)]

    assert (turn.speaker, turn.model, turn.error, turn.attachments[0].name) == ("Ada", "fake", "no", "door.png")


def test_a_file_of_an_empty_profile_is_whole_and_brings_nothing(tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    write_sessions(a_log(0), file, overwrite=False)

    assert importer(a_log(0)).run(file) == Imported()


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    lines, conversations = tmp_path / "all.jsonl", tmp_path / "conversations.json"
    write_sessions(a_log(), lines, overwrite=False)
    lines.write_bytes(codecs.BOM_UTF8 + lines.read_bytes())
    conversations.write_bytes(codecs.BOM_UTF8 + json.dumps(claude("a", "b")).encode())
    one = tmp_path / "one.json"
    one.write_bytes(codecs.BOM_UTF8 + json.dumps(claude("a")[0]).encode())

    assert [importer(a_log(0)).run(file).sessions for file in (lines, conversations, one)] == [2, 2, 1]
