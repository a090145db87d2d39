"""Where keys come from, and that none is ever shown."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import keyring.backends.fail
import keyring.backends.null
import pytest
from keyring.backend import KeyringBackend

from chatmem.adapters.keys import KeyFinder
from chatmem.domain.errors import ProviderError
from chatmem.domain.masking import masked
from chatmem.domain.model import KeyPlace, KeySource
from tests.fakes.keyring_backend import BrokenKeyring, LockedKeyring, MemoryKeyring

KEY = "synthetic-key-4711"


@pytest.fixture(autouse=True)
def memory() -> Iterator[MemoryKeyring]:
    before, backend = keyring.get_keyring(), MemoryKeyring()
    keyring.set_keyring(backend)
    yield backend
    keyring.set_keyring(before)


def variable(name: str) -> KeySource:
    return KeySource(place=KeyPlace.ENVIRONMENT, name=name)


def entry(name: str) -> KeySource:
    return KeySource(place=KeyPlace.KEYRING, name=name)


def command(code: str) -> KeySource:
    return KeySource(place=KeyPlace.COMMAND, name=shlex.join([sys.executable, "-c", code]))


def test_a_key_in_the_environment_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORK_KEY", f" {KEY}\n")

    assert KeyFinder().key(variable("WORK_KEY")) == KEY


def test_a_variable_without_a_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORK_KEY", "")

    with pytest.raises(ProviderError, match="WORK_KEY"):
        KeyFinder().key(variable("WORK_KEY"))


def test_a_kept_key_is_found_and_gone_once_dropped(memory: MemoryKeyring) -> None:
    keys = KeyFinder()
    keys.keep("work", KEY)
    found = keys.key(entry("work"))
    keys.drop("work")
    keys.drop("work")

    assert (found, memory.entries) == (KEY, {})
    with pytest.raises(ProviderError, match="keyring set chatmem work"):
        keys.key(entry("work"))


@pytest.mark.parametrize(
    ("backend", "says"),
    [
        (keyring.backends.fail.Keyring, "no keyring"),
        (keyring.backends.null.Keyring, "did not keep"),
        (LockedKeyring, "unlock it"),
        (BrokenKeyring, "LookupError"),
    ],
)
def test_a_keyring_that_cannot_keep_a_key_is_named_with_the_cure(backend: type[KeyringBackend], says: str) -> None:
    keyring.set_keyring(backend())

    with pytest.raises(ProviderError, match=says) as raised:
        KeyFinder().keep("work", KEY)
    KeyFinder().drop("work")

    assert KEY not in str(raised.value)


def test_a_command_is_run_once_for_many_calls(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    keys = KeyFinder()
    source = command(f"open({str(runs)!r}, 'a').write('x'); print({KEY!r})")

    assert (keys.key(source), keys.key(source), runs.read_text()) == (KEY, KEY, "x")


def test_a_command_is_run_without_a_shell() -> None:
    source = command("import sys; print(sys.argv[1])")

    assert KeyFinder().key(KeySource(place=KeyPlace.COMMAND, name=f"{source.name} $HOME")) == "$HOME"


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (f"import sys; print({KEY!r}); print('vault sealed', {KEY!r}, file=sys.stderr); sys.exit(3)", "vault sealed"),
        ("import sys; sys.exit(3)", "exit code 3"),
        ("pass", "printed nothing"),
        (f"print({KEY!r}); print('a warning')", "more than one line"),
    ],
)
def test_a_command_that_fails_says_how_without_its_output(code: str, says: str) -> None:
    with pytest.raises(ProviderError, match=says) as raised:
        KeyFinder().key(command(code))

    assert KEY not in str(raised.value)


@pytest.mark.parametrize(("line", "says"), [("pass 'show", "quotes"), (" ", "empty"), ("/no/such/program", "run")])
def test_a_command_that_is_none_is_refused(line: str, says: str) -> None:
    with pytest.raises(ProviderError, match=says):
        KeyFinder().key(KeySource(place=KeyPlace.COMMAND, name=line))


def test_a_command_that_never_ends_is_given_up() -> None:
    with pytest.raises(ProviderError, match="took longer"):
        KeyFinder(command_s=0.2).key(command("import threading; threading.Event().wait()"))


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("echo sk-synthetic123456", "echo ***"),
        ("curl -H 'token: abcdef123'", "curl -H 'token: ***'"),
        ("printf A1b2C3d4E5f6G7h8I9j0K1", "printf ***"),
        ("pass show work/openai-2025", "pass show work/openai-2025"),
        ("op read op://Private/openai/credential", "op read op://Private/openai/credential"),
        ("gcloud auth print-access-token", "gcloud auth print-access-token"),
    ],
)
def test_what_looks_like_a_key_is_masked(text: str, hidden: str) -> None:
    assert masked(text) == hidden
