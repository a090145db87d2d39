"""A small real web server that has nothing to do with language models."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

HUNG = "\0"
"""A body that is never sent."""


class WebServer:
    """Gives the same page at every address.

    Args:
        body: The page; `HUNG` to take requests and never answer.
        location: Where it sends its visitors instead.
    """

    def __init__(self, body: str, location: str | None = None) -> None:
        self.body = body
        self.location = location
        self.stopping = threading.Event()
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), name="web-server")

    @property
    def origin(self) -> str:
        """`http://127.0.0.1:PORT`."""
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class _Http(ThreadingHTTPServer):
    daemon_threads = False

    def __init__(self, site: WebServer) -> None:
        self.site = site
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Http

    def do_GET(self) -> None:
        site = self.server.site
        if site.body == HUNG:
            site.stopping.wait()
            return
        self.send_response(302 if site.location else 200)
        if site.location:
            self.send_header("Location", site.location)
        self.send_header("Content-Length", str(len(site.body)))
        self.end_headers()
        self.wfile.write(site.body.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
        """Write nothing."""
