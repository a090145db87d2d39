"""Writing in the person's own editor."""

import os
import shlex
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from chatmem.domain.errors import UsageError

NO_EDITOR = "No editor is set. Set $EDITOR, or `chatmem config set prompt.editor nano`."


def editor_command(setting: str) -> list[str]:
    """The command that opens the editor, without the file.

    Args:
        setting: The person's setting; empty for `$VISUAL` or `$EDITOR`.

    Raises:
        UsageError: If there is none, or its quotes don't match.
    """
    command = setting or os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise UsageError(f"The editor's command {command!r} has a quote that is not closed.") from error
    if not words:
        raise UsageError(NO_EDITOR)
    return words


def edited(text: str, command: list[str]) -> str:
    """Open a text in the editor, and return what it was saved as. Blocks until the editor has ended.

    The file lies in a folder that nobody else can read, and that is removed with all that the editor leaves there.

    Raises:
        UsageError: If the editor can't be started, or ended with a failure.
    """
    with TemporaryDirectory(prefix="chatmem-") as folder:
        file = Path(folder) / "prompt.md"
        file.touch(mode=0o600)
        file.write_text(text, encoding="utf-8")
        try:
            ended = subprocess.run([*command, str(file)], check=False)
            saved = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = (isinstance(error, OSError) and error.strerror) or "it wrote no text"
            raise UsageError(f"The editor {command[0]} failed: {reason}. Your text is as it was.") from error
        if ended.returncode:
            raise UsageError(f"The editor {command[0]} ended with code {ended.returncode}. Your text is as it was.")
    # Editors end a file with a new line that nobody typed.
    return saved if text.endswith("\n") else saved.removesuffix("\n")
