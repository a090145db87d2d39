"""Writing a session to a file, for people (Markdown) or for programs (JSON)."""

import base64
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import NamedTemporaryFile

from chatmem.domain.errors import StoreError, UsageError
from chatmem.domain.model import Usage
from chatmem.domain.turn import Attachment, AttachmentId, Session, SessionId, Turn, TurnId, TurnStatus
from chatmem.ports.session_log import SessionLog

FORMAT = "chatmem session"
VERSION = 1

CUT = "length"
"""The finish reason of a reply that reached the most that it might say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A session and all that the log holds of it.

    Attributes:
        turns: Of every branch, in the order in which they were added.
        current: Ids of the turns of the current branch, in order.
        contents: Of the attachments.
    """

    session: Session
    turns: tuple[Turn, ...]
    current: tuple[TurnId, ...]
    usage: Mapping[TurnId, Usage]
    contents: Mapping[AttachmentId, bytes]


class Exporter:
    """Writes sessions to files. Blocks."""

    def __init__(self, log: SessionLog) -> None:
        self._log = log

    def run(self, session_id: SessionId, file: Path, *, overwrite: bool = False) -> None:
        """Write a session to a file, readable by its owner only; `.md` and `.json` say in which format.

        Raises:
            UsageError: If the file's name ends otherwise, or the file is there and is not to be overwritten.
            NotFoundError: If there is no such session.
            StoreError: If the log could not be read or the file could not be written.
        """
        render = _FORMATS.get(file.suffix.lower())
        if render is None:
            raise UsageError(f"{file} must end in .md or .json, which says what to write.")
        if file.exists() and not overwrite:
            raise UsageError(f"{file} is there already. Choose another name, or have it replaced (--force).")
        _write(file, render(self.record(session_id)))

    def record(self, session_id: SessionId) -> Record:
        """A session and all that the log holds of it.

        Raises:
            NotFoundError: If there is no such session.
            StoreError: If the log could not be read.
        """
        turns = tuple(self._log.turns(session_id, every_branch=True))
        return Record(
            session=self._log.session(session_id),
            turns=turns,
            current=tuple(turn.id for turn in self._log.turns(session_id)),
            usage=self._log.usage(session_id),
            contents={one.id: self._log.attachment(one.id) for turn in turns for one in turn.attachments},
        )


def as_markdown(record: Record) -> str:
    """The current branch for people to read."""
    session, current = record.session, set(record.current)
    model = f" · {session.model}" if session.model else ""
    head = f"# {session.title}\n\n{_time(session.started_at)} UTC{model} · {len(current)} turns"
    return "\n\n".join([head, *(_turn_markdown(turn) for turn in record.turns if turn.id in current)]) + "\n"


def as_json(record: Record, *, indent: int | None = 2) -> str:
    """Everything, to be imported again; without an indent, on one line."""
    session = record.session
    return json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "id": session.id,
            "title": session.title,
            "started_at": session.started_at.isoformat(),
            "model": session.model,
            "summary": session.summary,
            "summarised_to": session.summarised_to,
            "current": list(record.current),
            "turns": [_turn_json(turn, record) for turn in record.turns],
        },
        ensure_ascii=False,
        indent=indent,
    )


def remark(turn: Turn) -> str:
    """How a turn ended, in a few words, where it is worth saying; else empty."""
    if turn.status is not TurnStatus.COMPLETE:
        return turn.status.value
    if turn.finish_reason == CUT:
        return "cut by the limit of its length"
    return "" if turn.finish_reason in {None, "stop"} else f"ended by: {turn.finish_reason}"


_FORMATS: Mapping[str, Callable[[Record], str]] = {".md": as_markdown, ".json": as_json}


def _turn_markdown(turn: Turn) -> str:
    said_by = turn.speaker or turn.role.value.capitalize()
    notes = [_time(turn.said_at), *filter(None, [turn.model, remark(turn)])]
    parts = [f"## {said_by}", f"*{' · '.join(notes)}*"]
    if turn.reasoning:
        parts.append(f"<details><summary>Reasoning</summary>\n\n{turn.reasoning}\n\n</details>")
    parts += [f"[image: {one.name}]" for one in turn.attachments]
    return "\n\n".join([*parts, *filter(None, [turn.text, turn.error])])


def _turn_json(turn: Turn, record: Record) -> dict[str, object]:
    usage = record.usage.get(turn.id)
    return {
        "id": turn.id,
        "parent_id": turn.parent_id,
        "role": turn.role.value,
        "speaker": turn.speaker,
        "text": turn.text,
        "said_at": turn.said_at.isoformat(),
        "status": turn.status.value,
        "model": turn.model,
        "error": turn.error,
        "reasoning": turn.reasoning,
        "finish_reason": turn.finish_reason,
        "off_record": turn.off_record,
        "attachments": [_attachment_json(one, record.contents[one.id]) for one in turn.attachments],
        "usage": _usage_json(usage) if usage else None,
    }


def _attachment_json(attachment: Attachment, content: bytes) -> dict[str, object]:
    return {
        "id": attachment.id,
        "name": attachment.name,
        "media_type": attachment.media_type,
        "content": base64.b64encode(content).decode(),
    }


def _usage_json(usage: Usage) -> dict[str, object]:
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost_usd": usage.cost_usd,
    }


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"


def _write(file: Path, text: str) -> None:
    """Write a file whole or not at all; a temporary file is made readable by its owner only."""
    partial = None
    try:
        with NamedTemporaryFile("w", dir=file.parent, prefix=f".{file.name}.", delete=False, encoding="utf-8") as out:
            partial = Path(out.name)
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        partial.replace(file)
    except OSError as error:
        if partial:
            with suppress(OSError):
                partial.unlink()
        raise StoreError(f"{file} can't be written: {error.strerror}. Check the folder, or choose another.") from error
