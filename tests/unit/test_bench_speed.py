"""The parts of `chatmem bench speed`."""

from pathlib import Path

import httpx

from chatmem.bench import others, workload
from chatmem.bench.figures import Figure, Note, percentile
from chatmem.bench.loopback import LoopbackServer


def test_percentiles_are_by_nearest_rank() -> None:
    values = [float(value) for value in range(1, 101)]

    assert (percentile(values, 0.50), percentile(values, 0.95), percentile([3.0], 0.95)) == (50.0, 95.0, 3.0)


def test_a_figure_is_printed_with_its_goal() -> None:
    line = Figure(name="switching", unit="ms", values=(1.0, 2.0, 3.0), goal=50.0).line()

    assert line.split() == "switching p50 2.00 p95 3.00 ms n=3 goal 50 ms".split()  # noqa: SIM905


def test_the_server_answers_in_the_openai_protocol_and_notes_when() -> None:
    with LoopbackServer(("Hello ", "there")) as server:
        answer = httpx.post(f"{server.base_url}/chat/completions", json={"messages": []})

        assert "Hello " in answer.text
        assert answer.text.endswith("data: [DONE]\n\n")
        assert server.asked_at[0] < server.answered_at[0]


def test_the_made_up_talk_never_repeats_itself() -> None:
    said = [text for text, _ in zip(workload.sentences(), range(5_000), strict=False)]

    assert len(set(said)) == len(said)
    assert len({turn.id for turn in workload.turns(100)}) == 100
    assert len({memory.id for memory in workload.memories(100)}) == 100


def test_questions_are_as_many_as_asked_for() -> None:
    assert len(set(workload.questions(105))) == 105


def test_a_store_that_is_not_installed_is_told_and_not_compared(tmp_path: Path) -> None:
    ours = Figure(name="ours", unit="ms", values=(1.0,))
    missing = {"nobody": others.Other(module="no_such_package.store", package="no-such-package", fill=others.chroma)}

    told = list(others.measure_others(tmp_path, [], [], lambda _: [], ours=ours, stores=missing))

    assert told == [Note(text="nobody: not installed here, not compared (`pip install no-such-package`)")]
