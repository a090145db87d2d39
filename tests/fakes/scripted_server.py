"""A small real HTTP server that answers as the test scripted it; which protocol it speaks is up to its subclasses."""

import contextlib
import json
import re
import select
import socket
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self


class Fault(Enum):
    """What goes wrong after the text of a reply."""

    CUT = "the connection is closed without an end"
    SHORT = "the stream ends, but says nothing of why the reply does"
    STALL = "nothing more is sent"
    GARBLED = "an event is no JSON"
    LOST = "an event is no JSON, and the reply goes on to its end"
    ERROR_EVENT = "an event is an error"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One reply of the server.

    Attributes:
        status: Other than 200, `error` is the message of the error that is sent.
        error: With status 200, the body is an error all the same.
        reasoning: What is thought before `text`.
        usage: Whether the server counts tokens; 10 a prompt, and one for each word of the reply.
        words: How many a piece of a stream has.
        pace_s: Pause between words of a stream.
    """

    text: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: str = ""
    fault: Fault | None = None
    reasoning: str = ""
    finish: str = "stop"
    usage: bool = True
    words: int = 1
    pace_s: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Received:
    """One request; the names of `headers` are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def last_text(self) -> str:
        """The text of its last message."""
        return str(self.body["messages"][-1]["content"])


Reply = str | Answer | Callable[[Received], str]


def echo(request: Received) -> str:
    """Say what was said."""
    return f"You said: {request.last_text}"


class ScriptedServer(ABC):
    """Gives its replies in order, then `always`; runs in a thread between `with` and its end.

    Attributes:
        key: When set, any other key is refused.
        models: What it lists.
        requests: The chat requests received, in order.
        received: Set when a chat request has arrived.
        left: Set when a client closed the connection before the reply's end.
        stopping: Set when the server is being stopped.
    """

    content_type = "text/event-stream"
    """Of its streams."""

    def __init__(self, *replies: Reply, always: Reply = echo, key: str | None = None, port: int = 0) -> None:
        self.replies = deque(replies)
        self.always = always
        self.key = key
        self.models = ["fake"]
        self.requests: list[Received] = []
        self.received = threading.Event()
        self.left = threading.Event()
        self.stopping = threading.Event()
        self.log: Path | None = None
        self._lock = threading.Lock()
        self._http = _Http(self, port)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), name=type(self).__name__)

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._http.server_port

    @property
    def origin(self) -> str:
        """`http://127.0.0.1:PORT`."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        """What a client takes for the API's base."""
        return self.origin

    @property
    @abstractmethod
    def chat_path(self) -> str:
        """How the path of a chat request ends."""

    @abstractmethod
    def pages(self) -> dict[str, object]:
        """What can be read, by path."""

    @abstractmethod
    def events(self, answer: Answer, body: dict[str, Any]) -> Iterator[str]:
        """What a stream sends, piece by piece."""

    @abstractmethod
    def whole(self, answer: Answer, body: dict[str, Any]) -> object:
        """A reply that is not streamed."""

    @abstractmethod
    def error(self, answer: Answer) -> object:
        """The body of an error."""

    def key_of(self, request: Received) -> str:
        """The key that a request brings."""
        return request.headers.get("authorization", "").removeprefix("Bearer ")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def serve_forever(self) -> None:
        """Serve in the calling thread until interrupted."""
        self._http.serve_forever()

    def answer(self, request: Received) -> Answer:
        """Record a request, and take the next reply."""
        with self._lock:
            self.requests.append(request)
            self.received.set()
            if self.log is not None:
                with self.log.open("a", encoding="utf-8") as file:
                    print(json.dumps({"path": request.path, "body": request.body}), file=file)
            if self.key is not None and self.key_of(request) != self.key:
                return Answer(status=401, error="Incorrect API key provided.")
            reply = self.replies.popleft() if self.replies else self.always
        if isinstance(reply, Answer):
            return reply
        return Answer(text=reply if isinstance(reply, str) else reply(request))


class _Http(ThreadingHTTPServer):
    daemon_threads = False  # so that closing waits for the handlers and no socket is left open

    def __init__(self, scripted: ScriptedServer, port: int) -> None:
        self.scripted = scripted
        super().__init__(("127.0.0.1", port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def do_GET(self) -> None:
        page = self.server.scripted.pages().get(self.path)
        if page is None:
            self._send_json(404, self._error("no such page"))
        else:
            self._send_json(200, page)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if page := self.server.scripted.pages().get(self.path):
            return self._send_json(200, page)
        if not self.path.partition("?")[0].endswith(self.server.scripted.chat_path):
            return self._send_json(404, self._error("no such page"))
        answer = self.server.scripted.answer(Received(path=self.path, headers=headers, body=body))
        with contextlib.suppress(ConnectionError):
            if answer.status != 200 or answer.error:
                self._send_json(answer.status, self.server.scripted.error(answer), answer.headers)
            elif body.get("stream"):
                self._stream(answer, body)
            else:
                self._send_whole(answer, body)
        return None

    def _send_whole(self, answer: Answer, body: dict[str, Any]) -> None:
        match answer.fault:
            case Fault.STALL:
                self._wait_until_client_left()
            case Fault.CUT:
                self.close_connection = True
            case Fault.GARBLED:
                self._send(200, b'{"id": "chatcmpl-1", "choi')
            case _:
                self._send_json(200, self.server.scripted.whole(answer, body))

    def _stream(self, answer: Answer, body: dict[str, Any]) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", self.server.scripted.content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            if all(self._sent(event, answer.pace_s) for event in self.server.scripted.events(answer, body)):
                self._end_stream(answer.fault)
            return
        self.server.scripted.left.set()

    def _sent(self, event: str, pace_s: float) -> bool:
        if self._client_left(pace_s):
            raise ConnectionAbortedError
        data = event.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()
        return not self.server.scripted.stopping.is_set()

    def _end_stream(self, fault: Fault | None) -> None:
        if fault is Fault.STALL:
            self._wait_until_client_left()
        elif fault is not Fault.CUT:
            self.wfile.write(b"0\r\n\r\n")

    def _wait_until_client_left(self) -> None:
        self.close_connection = True
        while not self.server.scripted.stopping.is_set():
            if self._client_left(0.02):
                self.server.scripted.left.set()
                return

    def _client_left(self, within_s: float) -> bool:
        readable, _, _ = select.select([self.connection], [], [], within_s)
        return bool(readable) and self.connection.recv(1, socket.MSG_PEEK) == b""

    def _send_json(self, status: int, body: object, headers: Mapping[str, str] | None = None) -> None:
        self._send(status, json.dumps(body).encode(), headers)

    def _send(self, status: int, data: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.close_connection = True
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Connection": "close", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _error(self, message: str) -> object:
        return self.server.scripted.error(Answer(status=404, error=message))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
        """Write nothing."""


def words_of(text: str) -> list[str]:
    """The text in pieces of a word each."""
    return re.findall(r"\s*\S+\s*$|\s*\S+", text)


def pieces_of(answer: Answer) -> list[str]:
    """What a stream sends of the text, one after the other."""
    words = words_of(answer.text)
    return ["".join(words[start : start + answer.words]) for start in range(0, len(words), answer.words)]
