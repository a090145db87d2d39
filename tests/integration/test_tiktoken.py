"""tiktoken as it is installed: its tables, its speed, and what happens without them."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from time import process_time

import pytest

from chatmem.adapters.tiktoken.counter import TiktokenCounter

MEGABYTE = 1_000_000
OFFLINE = """
import sys

def refuse(event, arguments):
    if event.startswith("socket."):
        raise SystemExit(f"touched the network: {event}")

sys.addaudithook(refuse)
import json, logging
from chatmem.adapters.tiktoken.counter import TiktokenCounter

logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(message)s")
counter = TiktokenCounter()
assert "tiktoken" not in sys.modules
counts = [counter.count(text) for text in ("I live in Porto.", "나는 포르투에", "I live in Porto.")]
print(json.dumps({"counts": counts, "cut": counter.cut("I live in Porto.", 2), "litellm": "litellm" in sys.modules}))
"""


def count_offline(**environ: str) -> tuple[Mapping[str, object], str]:
    kept = {name: value for name, value in os.environ.items() if name != "TIKTOKEN_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE], env=kept | environ, capture_output=True, text=True, check=True, timeout=60
    )
    return json.loads(done.stdout), done.stderr


def test_the_tables_that_litellm_ships_serve_without_network_and_without_litellm() -> None:
    counted, log = count_offline()

    assert counted == {"counts": [5, 9, 5], "cut": "I live", "litellm": False}
    assert log == ""


def test_without_tables_tokens_are_estimated_and_the_log_says_so_once(tmp_path: Path) -> None:
    counted, log = count_offline(TIKTOKEN_CACHE_DIR=str(tmp_path))

    assert counted == {"counts": [4, 7, 4], "cut": "I live i", "litellm": False}
    assert log.count("WARNING") == 1
    assert "estimated" in log


def test_a_damaged_table_is_neither_used_nor_fetched_again(tmp_path: Path) -> None:
    TiktokenCounter().count("so that the variable is set")
    tables = shutil.copytree(os.environ["TIKTOKEN_CACHE_DIR"], tmp_path / "tables")
    damaged = tables / "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
    damaged.write_bytes(damaged.read_bytes()[:-100])

    counted, log = count_offline(TIKTOKEN_CACHE_DIR=str(tables))

    assert counted["counts"] == [4, 7, 4]
    assert "estimated" in log
    assert damaged.exists()


@pytest.mark.parametrize("unit", ["a", "😀", " ", "\n", "7", "!", "한", "\ud83d", "\x00", "e\u0301", "word "])
def test_a_megabyte_of_anything_is_counted_and_cut_fast(unit: str) -> None:
    counter = TiktokenCounter()
    counter.count("so that the tables are loaded")
    text = unit * (MEGABYTE // len(unit))

    began = process_time()
    total = counter.count(text)
    took = process_time() - began
    half = counter.cut(text, total // 2)
    took_in_all = process_time() - began

    assert 0.4 < len(half) / len(text) < 0.6
    assert took < 0.3
    assert took_in_all < 0.6
