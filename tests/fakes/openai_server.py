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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.fakes.scripted_server import Answer, Fault, Received, Reply, ScriptedServer, echo, pieces_of, words_of

__all__ = ["Answer", "Fault", "OpenAIServer", "Received", "Reply", "echo"]

_GARBLED = '{"id": "chatcmpl-1", "choi'
_KINDS = {401: "invalid_request_error", 404: "invalid_request_error", 429: "requests"}


class OpenAIServer(ScriptedServer):
    """Speaks as OpenAI does, and as all those do that are compatible with it; lists its models as Ollama does, too."""

    @property
    def base_url(self) -> str:
        return f"{self.origin}/v1"

    @property
    def chat_path(self) -> str:
        return "/chat/completions"

    def pages(self) -> dict[str, object]:
        listed = {"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]}
        return {"/v1/models": listed, "/api/tags": {"models": [{"name": name} for name in self.models]}}

    def whole(self, answer: Answer, body: dict[str, Any]) -> object:
        message = {"role": "assistant", "content": answer.text}
        if answer.reasoning:
            message["reasoning_content"] = answer.reasoning
        choices = [{"index": 0, "message": message, "finish_reason": answer.finish}]
        usage = {"usage": _usage(answer)} if answer.usage else {}
        return _envelope(body, "chat.completion") | {"choices": choices} | usage

    def error(self, answer: Answer) -> object:
        kind = _KINDS.get(answer.status, "server_error")
        return {"error": {"message": answer.error, "type": kind, "param": None, "code": None}}

    def events(self, answer: Answer, body: dict[str, Any]) -> Iterator[str]:
        return (f"data: {event}\n\n" for event in self._events(answer, body))

    def _events(self, answer: Answer, body: dict[str, Any]) -> Iterator[str]:
        envelope = _envelope(body, "chat.completion.chunk")

        def chunk(delta: dict[str, str], finish: str | None = None) -> str:
            return json.dumps(envelope | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

        yield chunk({"role": "assistant", "content": ""})
        yield from (chunk({"reasoning_content": word}) for word in words_of(answer.reasoning))
        yield from (chunk({"content": word}) for word in pieces_of(answer))
        match answer.fault:
            case Fault.CUT | Fault.STALL | Fault.SHORT:
                return
            case Fault.GARBLED:
                yield _GARBLED
            case Fault.ERROR_EVENT:
                yield json.dumps(self.error(Answer(error="The server had an error while processing your request.")))
            case None | Fault.LOST:
                if answer.fault is Fault.LOST:
                    yield _GARBLED
                yield chunk({}, answer.finish)
                if answer.usage and (body.get("stream_options") or {}).get("include_usage"):
                    yield json.dumps(envelope | {"choices": [], "usage": _usage(answer)})
        yield "[DONE]"


def _envelope(body: dict[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": body.get("model")}


def _usage(answer: Answer) -> dict[str, int]:
    words = len(words_of(answer.text))
    return {"prompt_tokens": 10, "completion_tokens": words, "total_tokens": 10 + words}


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
