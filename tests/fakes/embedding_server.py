"""A small real HTTP server that embeds as OpenAI's protocol has it, as the test scripted it."""

import gc
import json
import warnings
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Self

from chatmem.adapters.litellm import library
from tests.fakes.embedder import FakeEmbedder

Answer = Callable[[list[str]], tuple[int, object]]


def vectors(dimension: int) -> Answer:
    """Answers each text with its vector."""
    embedder = FakeEmbedder(dimension=dimension)

    def answer(texts: list[str]) -> tuple[int, object]:
        return 200, _listed([list(vector) for vector in embedder.embed(texts)])

    return answer


def raw(*values: list[float] | None) -> Answer:
    """Answers with these vectors, whatever was asked."""
    return lambda _: (200, _listed(list(values)))


def refusal(status: int, message: str) -> Answer:
    """Answers with an error."""
    return lambda _: (status, {"error": {"message": message, "type": "invalid_request_error"}})


def let_go_of_connections() -> None:
    """Close what litellm keeps open until the process ends: connections, and a loop."""
    library.load().in_memory_llm_clients_cache.flush_cache()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


class EmbeddingServer:
    """Serves `/v1/embeddings` on loopback for as long as it is entered.

    Attributes:
        answer: What is answered.
        asked: The texts of each request.
        keys: The key of each request.
    """

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[list[str]] = []
        self.keys: list[str] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> Self:
        Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()


def _listed(values: list[list[float] | None]) -> object:
    items = [{"object": "embedding", "index": index, "embedding": value} for index, value in enumerate(values)]
    return {"object": "list", "model": "m", "data": items, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def _handler(server: EmbeddingServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
            server.asked.append(texts)
            server.keys.append(self.headers.get("authorization", "").removeprefix("Bearer "))
            status, answer = server.answer(texts)
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
            pass

    return Handler
