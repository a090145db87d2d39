"""Output that goes nowhere, Ctrl-C at the start, numbers and days beyond all bounds, results beside their source."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.home import Home

FULL = Path("/dev/full")
HUGE = "9" * 23


@pytest.fixture
def place(home: Home) -> Home:
    (home.folder / "config.toml").write_text("[embedding]\nenabled = false\n")
    return home


def redirected(home: Home, line: str) -> subprocess.CompletedProcess[str]:
    """What a shell runs, `chatmem` being the program."""
    return subprocess.run(
        ["/bin/sh", "-c", line.replace("chatmem", f"'{sys.executable}' -m chatmem", 1)],
        capture_output=True,
        text=True,
        env=dict(home.variables),
        cwd=home.folder,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_ends_nothing(place: Home, closed: str) -> None:
    ran = redirected(place, f"chatmem memory list --json {closed}")

    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr
    assert ran.stdout == ("" if ">&- " in f" {closed} ".replace("2>&-", "") else "[]\n")


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_finds_no_room_is_told_of(place: Home, unbuffered: str) -> None:
    place.env["PYTHONUNBUFFERED"] = unbuffered

    ran = redirected(place, f"chatmem memory list --json >{FULL}")

    assert ran.stderr == "chatmem: The output can't be written: No space left on device.\n"
    assert ran.returncode == 1


@pytest.fixture
def listening() -> Iterator[None]:
    """Ctrl-C is heeded by what is started, though tests that run in the background ignore it, as a shell sees to."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("listening")
def test_ctrl_c_while_it_starts_prints_no_traceback(place: Home) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "chatmem", "memory", "search", "boats"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(place.variables), cwd=place.folder
    ) as started:
        assert started.stderr
        # What is imported is told as soon as it is done: this is half-way.
        said = next(line for line in started.stderr if "chatmem.domain.errors" in line)
        os.kill(started.pid, signal.SIGINT)
        said += started.stderr.read()

    assert "Traceback" not in said
    assert started.returncode == 130


@pytest.mark.parametrize(
    "command",
    [
        ("memory", "list", "--limit", HUGE),
        ("memory", "list", "--cursor", HUGE),
        ("memory", "search", "boats", "--limit", HUGE),
        ("memory", "changes", "--limit", HUGE),
        ("sessions", "list", "--limit", HUGE),
        ("sessions", "search", "boats", "--limit", HUGE),
        ("memory", "list", "--since", "0001-01-01T00:00:00+14:00"),
        ("memory", "search", "boats", "--as-of", "9999-12-31T23:59:59-14:00"),
    ],
)
def test_what_is_beyond_all_bounds_is_refused(place: Home, command: tuple[str, ...]) -> None:
    ran = place.run(*command)

    assert ran.code == 2
    assert "something went wrong" not in ran.err


def test_results_never_take_the_place_of_what_is_read(place: Home) -> None:
    file = place.folder / "texts.jsonl"
    file.write_text('{"text": "a"}\n')
    (place.folder / "same.jsonl").symlink_to(file)

    refused = [place.run("bench", "policy", "texts.jsonl", "--out", name) for name in ("texts.jsonl", "same.jsonl")]

    assert [ran.code for ran in refused] == [2, 2]
    assert "is what is read" in refused[0].err
    assert file.read_text() == '{"text": "a"}\n'


def test_a_run_that_fails_leaves_the_results_of_the_last(place: Home) -> None:
    good, bad, out = (place.folder / name for name in ("good.jsonl", "bad.jsonl", "out.jsonl"))
    good.write_text('{"text": "a"}\n')
    bad.write_text('{"text": "a"}\n7\n')

    assert place.run("bench", "policy", str(good), "--out", str(out)).code == 0
    whole = out.read_text()
    failed = place.run("bench", "policy", str(bad), "--out", str(out))

    assert (failed.code, out.read_text()) == (2, whole)
    assert whole == '{"n": 0, "spans": []}\n'
    assert place.run("bench", "policy", str(good), "--out", "/dev/null").code == 0
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ((), ("CHATMEM_PROFILE", "CHATMEM_DATA_DIR", "CHATMEM_CONFIG_FILE", "CHATMEM_MODEL", "Print the version")),
        (("memory", "search"), ("A question or words",)),
        (("models", "use"), ("chatmem models list",)),
        (("sessions", "rename"), ("Its title",)),
    ],
)
def test_the_help_says_what_is_to_be_given(place: Home, command: tuple[str, ...], told: tuple[str, ...]) -> None:
    words = " ".join(place.run(*command, "--help").out.split())

    assert [each for each in told if each not in words] == []
