"""One at a time, over all threads and windows of a profile."""

import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest

from chatmem.adapters.system.alone import Alone
from chatmem.domain.errors import RefusedError

HOLDER = """
import sys
from pathlib import Path
from chatmem.adapters.system.alone import Alone
with Alone(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_thread_that_holds_it_may_take_it_again(tmp_path: Path) -> None:
    alone = Alone(tmp_path / "lock")

    with alone, alone:
        pass

    with Alone(tmp_path / "lock", wait_s=0.1):
        pass


def test_another_thread_waits(tmp_path: Path) -> None:
    alone, entered = Alone(tmp_path / "lock"), Event()

    def enter() -> None:
        with alone:
            entered.set()

    other = Thread(target=enter)
    with alone:
        other.start()
        assert not entered.wait(0.1)
    other.join()

    assert entered.is_set()


def test_another_window_waits_and_then_says_why_until_the_first_is_gone(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(RefusedError, match="Another window"), Alone(tmp_path / "lock", wait_s=0.1):
            pass
        holder.kill()
        holder.wait()

    with Alone(tmp_path / "lock", wait_s=0.1):
        pass
