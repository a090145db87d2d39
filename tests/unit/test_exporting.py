import stat
from dataclasses import replace
from pathlib import Path

import pytest

from chatmem.conversation.exporting import Exporter, as_markdown, remark
from chatmem.conversation.importing import Exported, Imported, Importer
from chatmem.conversation.screening import Screening
from chatmem.domain.errors import NotFoundError, StoreError, UsageError
from chatmem.domain.model import Usage
from chatmem.domain.turn import Attachment, AttachmentId, Role, Session, SessionId, Turn, TurnId, TurnStatus
from tests.fakes.builders import a_session, a_turn
from tests.fakes.job_queue import FakeJobQueue
from tests.fakes.meter import FakeMeter
from tests.fakes.secret_detector import HUSH, FakeSecretDetector
from tests.fakes.session_log import FakeSessionLog

S1 = SessionId("s1")


def a_log() -> FakeSessionLog:
    log = FakeSessionLog()
    log.open_session(a_session(title="Porto", model="fake"))
    log.append(a_turn(1, "Where is it?"))
    log.append(a_turn(2, "In Spain.", role=Role.ASSISTANT))
    log.append_beside(
        a_turn(3, "In Portugal.", role=Role.ASSISTANT, reasoning="By the Douro.", model="m"), TurnId("s1t2")
    )
    return log


def an_importer(log: FakeSessionLog, *exported: Exported) -> Importer:
    return Importer(log, FakeJobQueue(log), Screening(FakeSecretDetector(), FakeMeter(log)), lambda _: exported)


def test_markdown_holds_the_current_branch_only() -> None:
    text = as_markdown(Exporter(a_log()).record(S1))

    assert text == (
        "# Porto\n\n2026-03-04 12:00 UTC · fake · 2 turns\n\n"
        "## User\n\n*2026-03-04 12:01*\n\nWhere is it?\n\n"
        "## Assistant\n\n*2026-03-04 12:03 · m*\n\n"
        "<details><summary>Reasoning</summary>\n\nBy the Douro.\n\n</details>\n\nIn Portugal.\n"
    )


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (a_turn(finish_reason="stop"), ""),
        (a_turn(), ""),
        (a_turn(finish_reason="length"), "cut by the limit of its length"),
        (a_turn(finish_reason="content_filter"), "ended by: content_filter"),
        (a_turn(status=TurnStatus.STOPPED), "stopped"),
    ],
)
def test_an_end_out_of_the_ordinary_is_told(turn: Turn, words: str) -> None:
    assert remark(turn) == words


def test_a_file_is_for_its_owner_only_and_leaves_no_other(tmp_path: Path) -> None:
    Exporter(a_log()).run(S1, tmp_path / "a.MD")

    assert [file.name for file in tmp_path.iterdir()] == ["a.MD"]
    assert stat.S_IMODE((tmp_path / "a.MD").stat().st_mode) == 0o600


def test_a_file_that_is_there_is_replaced_only_on_request(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("mine")

    with pytest.raises(UsageError, match="there already"):
        Exporter(a_log()).run(S1, file)
    kept = file.read_text()
    Exporter(a_log()).run(S1, file, overwrite=True)

    assert kept == "mine"
    assert "Portugal" in file.read_text()


def test_what_can_not_be_written_is_told(tmp_path: Path) -> None:
    exporter = Exporter(a_log())

    with pytest.raises(UsageError, match=r"\.md or \.json"):
        exporter.run(S1, tmp_path / "a.txt")
    with pytest.raises(StoreError, match="can't be written: No such file"):
        exporter.run(S1, tmp_path / "nowhere" / "a.md")
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(StoreError, match="can't be written"):
        exporter.run(S1, tmp_path / "folder.md", overwrite=True)
    with pytest.raises(NotFoundError):
        exporter.run(SessionId("s9"), tmp_path / "a.md")
    assert [file.name for file in tmp_path.iterdir()] == ["folder.md"]


def test_a_tree_is_imported_as_a_tree() -> None:
    before = a_log()
    log = FakeSessionLog()
    turns = tuple(before.turns(S1, every_branch=True))
    exported = Exported(session=before.session(S1), turns=turns, is_tree=True, current=TurnId("s1t2"))

    an_importer(log, exported).run(Path("x"))

    assert log.turns(S1, every_branch=True) == list(turns)
    assert [turn.id for turn in log.turns(S1)] == ["s1t1", "s1t2"]


def test_an_import_that_was_broken_off_goes_on_where_it_stopped() -> None:
    before, log = a_log(), FakeSessionLog()
    before.save_summary(S1, "They talked.", 1)
    turns = tuple(before.turns(S1, every_branch=True))
    image = Attachment(id=AttachmentId("i"), name="i.png", media_type="image/png", size=1)
    more = replace(turns[2], id=TurnId("t4"), parent_id=turns[1].id, attachments=(image,))
    whole = Exported(
        session=before.session(S1),
        turns=(*turns, more),
        is_tree=True,
        current=turns[2].id,
        usage={more.id: Usage(prompt_tokens=1)},
        contents={image.id: b"1"},
    )
    an_importer(log, replace(whole, turns=turns[:2], current=turns[1].id)).run(Path("x"))

    done = an_importer(log, whole).run(Path("x"))
    again = an_importer(log, whole).run(Path("x"))

    assert (done, again) == (Imported(turns=2, already_there=2), Imported(already_there=4))
    assert log.turn(more.id).parent_id == turns[1].id
    assert [turn.id for turn in log.turns(S1)] == ["s1t1", "s1t3"]
    assert log.attachment(image.id) == b"1"
    assert log.usage(S1) == {more.id: Usage(prompt_tokens=1)}


def test_a_summary_comes_along_with_a_session_that_is_new() -> None:
    log = FakeSessionLog()
    session = Session(id=S1, title="T", started_at=a_turn().said_at, summary="They talked.", summarised_to=1)

    an_importer(log, Exported(session=session, turns=(a_turn(1), a_turn(2)))).run(Path("x"))

    assert (log.session(S1).summary, log.session(S1).summarised_to) == ("They talked.", 1)
    assert [turn.parent_id for turn in log.turns(S1)] == [None, "s1t1"]


def test_what_is_imported_is_kept_without_its_secrets_whoever_said_them() -> None:
    log, secret = FakeSessionLog(), HUSH + "a1b2c3"
    session = a_session(title=f"About {secret}", summary=f"It is {secret}.", summarised_to=1)
    question = a_turn(1, f"why is {secret} refused?")
    answer = a_turn(2, f"{secret} has expired.", role=Role.ASSISTANT, reasoning=f"{secret}?")

    imported = an_importer(log, Exported(session=session, turns=(question, answer))).run(Path("any"))

    kept = log.session(session.id)
    assert (imported.turns, imported.removed) == (2, 2)
    assert (kept.title, kept.summary) == ("About [token removed]", "It is [token removed].")
    assert [turn.text for turn in log.turns(session.id)] == [
        "why is [token removed] refused?",
        "[token removed] has expired.",
    ]
    assert log.turns(session.id)[1].reasoning == "[token removed]?"
