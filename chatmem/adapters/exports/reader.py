"""Reading an export file, of whichever program it is."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from chatmem.adapters.exports.formats import BenchConversation, ChatGptConversation, ClaudeConversation
from chatmem.adapters.exports.own import ChatMemSession
from chatmem.conversation.exporting import FORMAT
from chatmem.conversation.importing import Exported
from chatmem.domain.errors import UsageError

READ = "its own JSON, ChatGPT's and Claude's conversations.json, and benchmark conversations"


def read_export(file: Path) -> Iterator[Exported]:
    """Yield the sessions of an export file, plain or `.gz`, in its order.

    Raises:
        UsageError: If the file can't be read or is of no known format; nothing was yielded then.
    """
    content = _json(file)
    try:
        match content:
            case {"format": format_} if format_ == FORMAT:
                yield ChatMemSession.model_validate(content).exported()
            case {"turns": _, "speakers": _}:
                yield from BenchConversation.model_validate(content).exported()
            case [{"mapping": _}, *_]:
                for conversation in TypeAdapter(list[ChatGptConversation]).validate_python(content):
                    yield conversation.exported()
            case [{"chat_messages": _}, *_]:
                for claude in TypeAdapter(list[ClaudeConversation]).validate_python(content):
                    yield claude.exported()
            case _:
                raise UsageError(f"{file} is in no format that chatmem reads: {READ}.")
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise UsageError(f"{file} is not whole: {where}: {error.errors()[0]['msg']}. Nothing was imported.") from error


def _json(file: Path) -> object:
    try:
        if file.suffix == ".gz":
            with gzip.open(file, "rt", encoding="utf-8") as stream:
                return json.load(stream)
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, EOFError) as error:
        raise UsageError(f"{file} can't be read: {getattr(error, 'strerror', None) or error}.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file} is no JSON, or was cut off. Nothing was imported.") from error
