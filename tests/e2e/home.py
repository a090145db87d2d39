"""The real program, run in a home of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

KEPT = ("PATH", "PIP_", "SSL_", "REQUESTS_", "LANG", "TMPDIR", "COVERAGE_")


@dataclass(frozen=True)
class Ran:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


@dataclass
class Home:
    """An empty home; model files are shared by all tests of a run."""

    folder: Path
    cache: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def variables(self) -> Mapping[str, str]:
        kept = {name: value for name, value in os.environ.items() if name.startswith(KEPT)}
        return kept | {
            "HOME": str(self.folder),
            "CHATMEM_CACHE_DIR": str(self.cache),
            "CHATMEM_DATA_DIR": str(self.folder / "data"),
            "CHATMEM_CONFIG_FILE": str(self.folder / "config.toml"),
            **self.env,
        }

    def run(self, *arguments: str, stdin: bytes = b"", timeout_s: float = 120) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "chatmem", *arguments],
            input=stdin,
            capture_output=True,
            env=self.variables,
            cwd=self.folder,
            timeout=timeout_s,
            check=False,
        )
        ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in ran.err, ran.err
        return ran

    def files_holding(self, needle: str) -> list[Path]:
        """The files in which a text stands as plain bytes, whatever its case."""
        return [
            file
            for file in self.folder.rglob("*")
            if file.is_file() and needle.lower().encode() in file.read_bytes().lower()
        ]
