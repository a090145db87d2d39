"""A small real HTTP server that speaks Ollama's own protocol, as the test scripted it."""

import json
from collections.abc import Iterator
from typing import Any

from tests.fakes.scripted_server import Answer, Fault, ScriptedServer, pieces_of, words_of

_GARBLED = '{"model": "fake", "mess'


class OllamaServer(ScriptedServer):
    """Speaks as Ollama does: a line of JSON for each piece."""

    content_type = "application/x-ndjson"

    @property
    def chat_path(self) -> str:
        return "/api/chat"

    def pages(self) -> dict[str, object]:
        shown = {"capabilities": ["completion", "vision"], "model_info": {"llama.context_length": 8192}}
        return {"/api/tags": {"models": [{"name": name} for name in self.models]}, "/api/show": shown}

    def whole(self, answer: Answer, body: dict[str, Any]) -> object:
        thinking = {"thinking": answer.reasoning} if answer.reasoning else {}
        return _end(answer, body, {"role": "assistant", "content": answer.text} | thinking)

    def error(self, answer: Answer) -> object:
        return {"error": answer.error}

    def events(self, answer: Answer, body: dict[str, Any]) -> Iterator[str]:
        return (f"{event}\n" for event in self._events(answer, body))

    def _events(self, answer: Answer, body: dict[str, Any]) -> Iterator[str]:
        def piece(**said: str) -> str:
            return json.dumps(_envelope(body) | {"message": {"role": "assistant", "content": ""} | said, "done": False})

        yield from (piece(thinking=word) for word in words_of(answer.reasoning))
        yield from (piece(content=word) for word in pieces_of(answer))
        match answer.fault:
            case Fault.GARBLED:
                yield _GARBLED
            case Fault.ERROR_EVENT:
                yield json.dumps({"error": "an error was encountered while running the model: CUDA error"})
            case None | Fault.LOST:
                if answer.fault is Fault.LOST:
                    yield _GARBLED
                yield json.dumps(_end(answer, body, {"role": "assistant", "content": ""}))


def _envelope(body: dict[str, Any]) -> dict[str, Any]:
    return {"model": body.get("model"), "created_at": "2026-03-04T12:00:00.000000Z"}


def _end(answer: Answer, body: dict[str, Any], message: dict[str, str]) -> dict[str, Any]:
    counts = {"prompt_eval_count": 10, "eval_count": len(words_of(answer.text))} if answer.usage else {}
    return _envelope(body) | {"message": message, "done": True, "done_reason": answer.finish} | counts
