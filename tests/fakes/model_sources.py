"""What models come from, small and real: wheels in a folder, and an HTTP server that speaks the hub's protocol.

pip finds the wheels when `PIP_FIND_LINKS` names their folder, see `pip_finds_only`; the hub's client finds the server
when `HF_ENDPOINT` names it.
"""

import hashlib
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self
from zipfile import ZIP_DEFLATED, ZipFile

from chatmem.adapters.model_store.catalogue import Hub, Model, ModelFile, Wheels


def a_model(contents: Mapping[str, bytes], *sources: Hub | Wheels, name: str = "tiny", purpose: str = "chat") -> Model:
    """A model whose files are to have these bytes."""
    return Model(
        name=name,
        title="A tiny model",
        purpose=purpose,
        licence="Apache-2.0",
        sources=sources,
        files=tuple(
            ModelFile(path=path, size=len(content), sha256=hashlib.sha256(content).hexdigest())
            for path, content in contents.items()
        ),
    )


def a_wheel(folder: Path, name: str, version: str, members: Mapping[str, bytes]) -> Path:
    """Write a wheel that pip accepts."""
    folder.mkdir(parents=True, exist_ok=True)
    module = name.replace("-", "_")
    about = f"{module}-{version}.dist-info"
    path = folder / f"{module}-{version}-py3-none-any.whl"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(member, content)
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return path


def pip_finds_only(folder: Path) -> dict[str, str]:
    """The variables that keep pip off the network and any index."""
    return {"PIP_FIND_LINKS": str(folder), "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0"}


@dataclass
class HubServer:
    """A hub on loopback: `with HubServer({"file": b"..."}) as hub`, then `hub.url`.

    Attributes:
        files: Path to content; the same in every repository and revision.
        cut_after: Bytes of a body after which the connection breaks, once.
        stall_after: Bytes of a body after which nothing more comes until `resume` is set; `None` for never.
        knows_ranges: Whether it can send the rest of a file.
        answers: Requests after which it is gone (it answers 503); `None` for never.
        requests: Method, path and the `Range` header of each request.
        agents: Who asked.
        tokens: Secrets it was sent.
        stalled: Set once nothing more comes.
    """

    files: dict[str, bytes]
    cut_after: int | None = None
    stall_after: int | None = None
    knows_ranges: bool = True
    answers: int | None = None
    requests: list[tuple[str, str, str]] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    tokens: set[str] = field(default_factory=set)
    stalled: threading.Event = field(default_factory=threading.Event)
    resume: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        hub = self

        class Handler(_Handler):
            def do_HEAD(self) -> None:
                hub._answer(self)

            def do_GET(self) -> None:
                hub._answer(self)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.resume.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """What `HF_ENDPOINT` is to be."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def ranges(self) -> list[str]:
        """The `Range` header of each request for content, in order."""
        return [wanted for method, _, wanted in self.requests if method == "GET"]

    def _answer(self, request: "_Handler") -> None:
        wanted = request.headers.get("Range", "")
        self.requests.append((request.command, request.path, wanted))
        self.agents.add(request.headers["User-Agent"])
        self.tokens.update(request.headers.get_all("Authorization", []))
        content = self.files.get(request.path.split("/resolve/")[-1].partition("/")[2])
        if self.answers is not None and len(self.requests) > self.answers:
            request.start(503, 0)
        elif content is None:
            request.start(404, 0)
        else:
            self._answer_with(content, request, wanted)

    def _answer_with(self, content: bytes, request: "_Handler", wanted: str) -> None:
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self.knows_ranges else 0
        request.start(206 if start else 200, len(content) - start, etag=hashlib.sha256(content).hexdigest())
        if request.command == "GET":
            self._send(request, content[start:])

    def _send(self, request: "_Handler", body: bytes) -> None:
        if self.cut_after is not None:
            request.wfile.write(body[: self.cut_after])
            self.cut_after = None
            return
        if self.stall_after is not None:
            request.wfile.write(body[: self.stall_after])
            body, self.stall_after = body[self.stall_after :], None
            self.stalled.set()
            self.resume.wait()
        request.wfile.write(body)


class _Handler(BaseHTTPRequestHandler):
    def start(self, status: int, length: int, *, etag: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(length))
        if etag:
            self.send_header("ETag", f'"{etag}"')
            self.send_header("X-Repo-Commit", "0" * 40)
        self.end_headers()

    def handle(self) -> None:
        try:
            super().handle()
        except ConnectionError:
            """The client was killed in the middle; that is what the test is about."""

    def log_message(self, *_: object) -> None:
        """Keep quiet."""
