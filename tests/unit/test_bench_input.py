"""What `chatmem bench` says of files that it can't read."""

import gzip
from pathlib import Path

import pytest

from chatmem.bench.policy import texts
from chatmem.bench.scenarios import read_scenarios
from chatmem.domain.errors import UsageError


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b'{"text": "a"}\n[1]\n', r'Line 2 of .* is not of the form \{"text": "…"\}\.'),
        (b'{"text": "a"}\n{"words": "a"}\n', "Line 2 of .* is not of the form"),
        (b'{"text": "a"}\n\n', "Line 2 of .* is no JSON"),
        (b"\xff\n", "is no text in UTF-8"),
        (b"[" * 100_000, "Line 1 of .* is no JSON"),
    ],
)
def test_a_line_without_a_text_is_named(tmp_path: Path, content: bytes, complaint: str) -> None:
    file = tmp_path / "texts.jsonl"
    file.write_bytes(content)

    with pytest.raises(UsageError, match=complaint):
        list(texts(file))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b'[\n\n{"a":}]', "is no JSON: look at line 3"),
        (b"[1,"[:1], "is no JSON, or was cut off"),
        (b"[" * 100_000, "holds no scenarios"),
        (b"[7]", "holds no scenarios of the memory benchmark: Expected `object`"),
    ],
)
def test_a_file_without_scenarios_is_told_of_with_the_place(tmp_path: Path, content: bytes, complaint: str) -> None:
    file = tmp_path / "scenarios.json"
    file.write_bytes(content)

    with pytest.raises(UsageError, match=complaint):
        read_scenarios(file)


def test_files_that_cannot_be_read_are_named_without_numbers(tmp_path: Path) -> None:
    cut, plain = tmp_path / "cut.gz", tmp_path / "plain.gz"
    cut.write_bytes(gzip.compress(b'{"text": "a"}')[:-6])
    plain.write_text("[]")

    for read in (lambda file: list(texts(file)), read_scenarios):
        for file, complaint in (
            (tmp_path / "none", "none can't be read: No such file or directory.$"),
            (tmp_path, "can't be read: Is a directory.$"),
            (cut, "was cut off or is damaged"),
            (plain, "can't be read: it is not packed by gzip"),
        ):
            with pytest.raises(UsageError, match=complaint):
                read(file)
