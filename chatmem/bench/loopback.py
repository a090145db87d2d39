"""The other end of a measured turn: a server on loopback that speaks OpenAI's protocol and notes when it was asked."""

import json
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import perf_counter, sleep
from typing import Self

HEAD_START_S = 0.05
"""Between the request and the first word, so that what the screen draws for the one is not measured with the other."""


class LoopbackServer:
    """Answers each request with the same words.

    Attributes:
        asked_at: `perf_counter` of each request, when its body had arrived.
        answered_at: `perf_counter` of each first word, when it was sent.
    """

    def __init__(self, words: Sequence[str], *, pace_s: float = 0.0) -> None:
        self.asked_at: list[float] = []
        self.answered_at: list[float] = []
        self._words = words
        self._pace_s = pace_s
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def base_url(self) -> str:
        """Where it listens, as an `api_base`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        bench = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                bench.asked_at.append(perf_counter())
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                sleep(HEAD_START_S)
                for number, word in enumerate(bench._words):
                    self._send(_chunk(word))
                    if number == 0:
                        bench.answered_at.append(perf_counter())
                    sleep(bench._pace_s)
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
