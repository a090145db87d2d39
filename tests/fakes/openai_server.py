"""A small real HTTP server that speaks the OpenAI chat protocol, streaming and not, as the test scripted it.

In a test::

    with OpenAIServer("Hello there.", Answer(status=429, headers={"Retry-After": "0"}, error="slow down")) as server:
        ...  # talk to server.base_url
    assert server.requests[0].body["stream"] is True

On its own, for tests that drive the program from outside: `python -m tests.fakes.openai_server --port 0`.
"""

import argparse
import contextlib
import json
import re
import select
import socket
import threading
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
    STALL = "nothing more is sent"
    GARBLED = "an event is no JSON"
    ERROR_EVENT = "an event is an error"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One reply of the server.

    Attributes:
        status: Other than 200, `error` is the message of the error that is sent.
        error: With status 200, the body is an error all the same.
        usage: Whether the server counts tokens; 10 a prompt, and one for each word of the reply.
        pace_s: Pause between words of a stream.
    """

    text: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: str = ""
    fault: Fault | None = None
    finish: str = "stop"
    usage: bool = True
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


class OpenAIServer:
    """Gives its replies in order, then `always`; runs in a thread between `with` and its end.

    Attributes:
        key: When set, any other key is refused.
        models: What `/v1/models`, and Ollama's `/api/tags`, list.
        requests: The chat requests received, in order.
        received: Set when a chat request has arrived.
        left: Set when a client closed the connection before the reply's end.
        stopping: Set when the server is being stopped.
    """

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
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), name="openai-server")

    @property
    def origin(self) -> str:
        """`http://127.0.0.1:PORT`."""
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def base_url(self) -> str:
        """What a client takes for the API's base."""
        return f"{self.origin}/v1"

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
            if self.key is not None and request.headers.get("authorization") != f"Bearer {self.key}":
                return Answer(status=401, error="Incorrect API key provided.")
            reply = self.replies.popleft() if self.replies else self.always
        if isinstance(reply, Answer):
            return reply
        return Answer(text=reply if isinstance(reply, str) else reply(request))


class _Http(ThreadingHTTPServer):
    daemon_threads = False  # so that closing waits for the handlers and no socket is left open

    def __init__(self, scripted: OpenAIServer, port: int) -> None:
        self.scripted = scripted
        super().__init__(("127.0.0.1", port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def do_GET(self) -> None:
        models = self.server.scripted.models
        match self.path:
            case "/v1/models":
                self._send_json(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in models]})
            case "/api/tags":
                self._send_json(200, {"models": [{"name": name} for name in models]})
            case _:
                self._send_json(404, _error("no such page"))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if not self.path.endswith("/chat/completions"):
            return self._send_json(404, _error("no such page"))
        answer = self.server.scripted.answer(Received(path=self.path, headers=headers, body=body))
        with contextlib.suppress(ConnectionError):
            if answer.status != 200 or answer.error:
                self._send_json(answer.status, _error(answer.error), answer.headers)
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
                choice = {"index": 0, "message": {"role": "assistant", "content": answer.text}}
                usage = {"usage": _usage(answer)} if answer.usage else {}
                choices = [choice | {"finish_reason": answer.finish}]
                self._send_json(200, _envelope(body, "chat.completion") | {"choices": choices} | usage)

    def _stream(self, answer: Answer, body: dict[str, Any]) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            if all(self._sent(event, answer.pace_s) for event in _events(answer, body)):
                self._end_stream(answer.fault)
            return
        self.server.scripted.left.set()

    def _sent(self, event: str, pace_s: float) -> bool:
        if self._client_left(pace_s):
            raise ConnectionAbortedError
        data = f"data: {event}\n\n".encode()
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

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
        """Write nothing."""


def _events(answer: Answer, body: dict[str, Any]) -> Iterator[str]:
    envelope = _envelope(body, "chat.completion.chunk")

    def chunk(delta: dict[str, str], finish: str | None = None) -> str:
        return json.dumps(envelope | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    yield chunk({"role": "assistant", "content": ""})
    yield from (chunk({"content": word}) for word in _words(answer.text))
    match answer.fault:
        case Fault.CUT | Fault.STALL:
            return
        case Fault.GARBLED:
            yield '{"id": "chatcmpl-1", "choi'
        case Fault.ERROR_EVENT:
            yield json.dumps(_error("The server had an error while processing your request."))
        case None:
            yield chunk({}, answer.finish)
            if answer.usage and (body.get("stream_options") or {}).get("include_usage"):
                yield json.dumps(envelope | {"choices": [], "usage": _usage(answer)})
    yield "[DONE]"


def _envelope(body: dict[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": body.get("model")}


def _words(text: str) -> list[str]:
    return re.findall(r"\s*\S+\s*$|\s*\S+", text)


def _usage(answer: Answer) -> dict[str, int]:
    words = len(_words(answer.text))
    return {"prompt_tokens": 10, "completion_tokens": words, "total_tokens": 10 + words}


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "server_error", "param": None, "code": None}}


def main() -> None:
    """Serve until interrupted, after printing the API's base on a line of its own."""
    parser = argparse.ArgumentParser(description="A server that speaks the OpenAI chat protocol and echoes.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--reply", help="always say this instead of echoing")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds between words")
    parser.add_argument("--key", help="refuse any other key")
    parser.add_argument("--log", type=Path, help="append each request to this file, as a line of JSON")
    options = parser.parse_args()
    always: Reply = echo if options.reply is None else Answer(text=options.reply, pace_s=options.pace)
    server = OpenAIServer(always=always, key=options.key, port=options.port)
    server.log = options.log
    print(server.base_url, flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()


if __name__ == "__main__":
    main()
