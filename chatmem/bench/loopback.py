"""The other end of a measured turn: a server on loopback that speaks OpenAI's protocol and notes when it was asked.

It runs in a process of its own, as a real one does, so that it takes no time off the interpreter that is measured.
`time.monotonic` is one clock for all processes of a machine.
"""

import json
import multiprocessing
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from time import monotonic, sleep
from typing import Self

THINKING_S = 0.2
"""Between the request and the first word: the quickest providers take as long."""

PACE_S = 0.02
"""Between two words."""


class LoopbackServer:
    """Answers each request with the same words.

    Attributes:
        asked_at: `monotonic` of each request, when its body had arrived.
        answered_at: `monotonic` of each first word, when it was sent.
    """

    def __init__(self, words: tuple[str, ...]) -> None:
        self.asked_at: list[float] = []
        self.answered_at: list[float] = []
        self._port = 0
        context = multiprocessing.get_context("spawn")
        self._notes, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=_serve, args=(words, theirs), daemon=True)

    @property
    def base_url(self) -> str:
        """Where it listens, as an `api_base`."""
        return f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._process.start()
        self._port = self._notes.recv()
        threading.Thread(target=self._take_notes, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop listening."""
        self._process.terminate()
        self._process.join()

    def _take_notes(self) -> None:
        try:
            while True:
                which, at = self._notes.recv()
                (self.asked_at if which == "asked" else self.answered_at).append(at)
        except EOFError:
            return


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing when the measured end hangs up."""


def _serve(words: tuple[str, ...], notes: Connection) -> None:
    server = _Server(("127.0.0.1", 0), _handler(words, notes))
    notes.send(server.server_address[1])
    server.serve_forever()


def _handler(words: tuple[str, ...], notes: Connection) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            notes.send(("asked", monotonic()))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            sleep(THINKING_S)
            for number, word in enumerate(words):
                if number == 0:
                    notes.send(("answered", monotonic()))
                self._send(_chunk(word))
                sleep(PACE_S)
            self._send(_chunk(None))
            self._send("data: [DONE]\n\n")
            self.wfile.write(b"0\r\n\r\n")

        def _send(self, event: str) -> None:
            data = event.encode()
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

        def log_message(self, *_: object) -> None:
            """Print nothing: the screen is being measured."""

    return Handler


def _chunk(word: str | None) -> str:
    delta = {} if word is None else {"role": "assistant", "content": word}
    choice = {"index": 0, "delta": delta, "finish_reason": "stop" if word is None else None}
    body = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(body)}\n\n"
