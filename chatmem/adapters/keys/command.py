"""Keys that a command prints (`pass show openai`, `op read ...`, `gcloud auth print-access-token`)."""

import shlex
import subprocess
import threading
from time import monotonic

from chatmem.domain.errors import ProviderError
from chatmem.domain.masking import MASK, masked
from chatmem.domain.text import clean, shortened

_KEPT_S = 300.0
"""What a command printed may be a token that expires; a command may ask the person each time."""


class KeyCommands:
    """Runs commands, without a shell, and keeps what they print in memory for five minutes.

    Args:
        limit_s: Seconds that a command may take.
    """

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._kept: dict[str, tuple[float, str]] = {}
        self._one = threading.Lock()

    def output(self, command: str) -> str:
        """What a command printed, which is shown nowhere.

        Raises:
            ProviderError: If it failed, took too long, or printed nothing.
        """
        with self._one:  # one that asks for a passphrase asks once
            at, key = self._kept.get(command, (0.0, ""))
            if not key or monotonic() - at > _KEPT_S:
                key = self._run(command)
                self._kept[command] = (monotonic(), key)
        return key

    def _run(self, command: str) -> str:
        words = _words(command)
        said = f"The command `{words[0]}` that prints a key"
        try:
            done = subprocess.run(
                words, capture_output=True, stdin=subprocess.DEVNULL, timeout=self._limit_s, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise ProviderError(f"{said} took longer than {self._limit_s:.0f} s. Run it by hand to see why.") from error
        except OSError as error:
            raise ProviderError(f"{said} could not be run: {error.strerror}. Correct api_key_command.") from error
        key, complaint = _text(done.stdout), _text(done.stderr)
        if done.returncode != 0:
            raise ProviderError(f"{said} failed with exit code {done.returncode}{_first_line(complaint, key)}.")
        if not key or "\n" in key:
            raise ProviderError(f"{said} printed {'more than one line' if key else 'nothing'}. It must print the key.")
        return key


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ProviderError("The quotes in an api_key_command do not match. Correct it in the settings.") from error
    if not words:
        raise ProviderError("An api_key_command is empty. Name a command that prints the key.")
    return words


def _text(output: bytes) -> str:
    return output.decode("utf-8", "replace").strip()


def _first_line(complaint: str, key: str) -> str:
    line = next(iter(clean(complaint).splitlines()), "")
    for secret in filter(None, key.splitlines()):
        line = line.replace(secret, MASK)
    return f": {shortened(masked(line), 120).rstrip('.')}" if line else ""
