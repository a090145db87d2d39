"""Reading an export file, of whichever program it is."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from chatmem.adapters.exports.formats import BenchConversation, ChatGptConversation, ClaudeConversation
from chatmem.adapters.exports.own import ChatMemSession
from chatmem.adapters.exports.session_lines import is_own, session_values
from chatmem.adapters.exports.streams import NOTHING_DONE, items, opened, starts_with, whole
from chatmem.conversation.exporting import FORMAT
from chatmem.conversation.importing import Exported
from chatmem.domain.errors import UsageError
from chatmem.domain.text import clean
from chatmem.domain.turn import SessionId

LONGEST_ID = 200
"""Characters of the longest id; what programs give has 36, or two of these with a word before them."""

READ = "its own JSON, ChatGPT's and Claude's conversations.json, and benchmark conversations"


def read_export(file: Path) -> Iterator[Exported]:
    """Yield the sessions of an export file, plain or `.gz`, in its order; one at a time is held in memory.

    Raises:
        UsageError: If the file can't be read, is not whole, names a session or a turn twice or by what is no id, or
            is of no known format; nothing was yielded then.
    """
    seen: set[SessionId] = set()
    for exported in _sessions(file):
        _check_ids(exported, seen, file)
    if not seen and not _is_own(file):
        raise UsageError(f"{file} is in no format that chatmem reads: {READ}.")
    yield from _sessions(file)


def _check_ids(exported: Exported, seen: set[SessionId], file: Path) -> None:
    id_ = exported.session.id
    attached = (attachment.id for turn in exported.turns for attachment in turn.attachments)
    for each in (id_, *(turn.id for turn in exported.turns), *attached):
        if not _is_id(each):
            raise UsageError(f"{file} has an id that is none: {clean(each)[:80]!r}. {NOTHING_DONE}")
    if id_ in seen:
        raise UsageError(f"{file} has the session {clean(id_)[:80]} twice. {NOTHING_DONE}")
    if len({turn.id for turn in exported.turns}) < len(exported.turns):
        raise UsageError(f"{file} has a turn of the session {clean(id_)[:80]} twice. {NOTHING_DONE}")
    seen.add(id_)


def _is_id(text: str) -> bool:
    """Whether a text can be typed and shown as it is; lines and what nobody sees can't."""
    return 0 < len(text) <= LONGEST_ID and not text.isspace() and text.isprintable() and clean(text) == text


def _is_own(file: Path) -> bool:
    with opened(file) as stream:
        return is_own(starts_with(stream))


def _sessions(file: Path) -> Iterator[Exported]:
    with opened(file) as stream:
        beginning = starts_with(stream)
        if beginning.startswith(b"["):
            values = items(stream, file)
        elif is_own(beginning):
            values = session_values(stream, file)
        else:
            values = iter([whole(stream, file)])
        for number, value in enumerate(values, 1):
            try:
                yield from _exported(value, file)
            except ValidationError as error:
                where = ".".join([str(number), *(str(part) for part in error.errors()[0]["loc"])])
                raise UsageError(f"{file} is not whole: {where}: {error.errors()[0]['msg']}. {NOTHING_DONE}") from error


def _exported(value: object, file: Path) -> Iterator[Exported]:
    match value:
        case {"format": format_} if format_ == FORMAT:
            yield ChatMemSession.model_validate(value).exported()
        case {"turns": _, "speakers": _}:
            yield from BenchConversation.model_validate(value).exported()
        case {"mapping": _}:
            yield ChatGptConversation.model_validate(value).exported()
        case {"chat_messages": _}:
            yield ClaudeConversation.model_validate(value).exported()
        case _:
            raise UsageError(f"{file} is in no format that chatmem reads: {READ}.")
