"""The mark that an answer is computed on this machine."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import ParamSpec, TypeVar

from chatmem.adapters.system.answering import AnsweringMark
from chatmem.bootstrap.background import Background

P = ParamSpec("P")
T = TypeVar("T")

HOLDER = """
import sys
from pathlib import Path
from chatmem.adapters.system.answering import AnsweringMark
mark = AnsweringMark(Path(sys.argv[1]))
mark.set()
print("set", flush=True)
sys.stdin.read()
"""


class AtOnce(Executor):
    """Does what it is given before it returns."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        done: Future[T] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


def a_window(folder: Path, *, answers_here: bool = True, learns_here: bool = True) -> Background:
    return Background(
        answers_here=lambda: answers_here,
        learns_here=lambda: learns_here,
        mark=AnsweringMark(folder / "answering"),
        aside=AtOnce(),
    )


def test_an_answer_computed_here_holds_back_the_learning_of_every_window(tmp_path: Path) -> None:
    answering, other, cloud = a_window(tmp_path), a_window(tmp_path), a_window(tmp_path, learns_here=False)
    answering.set_answering(True)

    assert [window.gate.is_open() for window in (answering, other, cloud)] == [False, False, True]

    answering.set_answering(False)
    assert [window.gate.is_open() for window in (answering, other, cloud)] == [True, True, True]
    assert list((tmp_path / "answering").iterdir()) == []


def test_an_answer_from_elsewhere_holds_nobody_back(tmp_path: Path) -> None:
    answering, other = a_window(tmp_path, answers_here=False), a_window(tmp_path)
    answering.set_answering(True)

    assert answering.gate.is_open()
    assert other.gate.is_open()


def test_two_windows_that_answer_hold_learning_back_until_both_are_done(tmp_path: Path) -> None:
    one, two, other = (a_window(tmp_path) for _ in range(3))
    one.set_answering(True)
    two.set_answering(True)
    one.set_answering(False)
    held = other.gate.is_open()
    two.set_answering(False)

    assert not held
    assert other.gate.is_open()


def test_a_window_that_was_left_or_killed_holds_nobody_back(tmp_path: Path) -> None:
    left, other = a_window(tmp_path), a_window(tmp_path)
    left.set_answering(True)
    left.end()
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "answering")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "set\n"
        held = other.gate.is_open()
        killed.kill()
        killed.wait()

        assert not held
        assert other.gate.is_open()
        assert list((tmp_path / "answering").iterdir()) == []
