"""A small real HTTP server that speaks Anthropic's Messages protocol, as the test scripted it."""

import json
from collections.abc import Iterator
from typing import Any

from tests.fakes.scripted_server import Answer, Fault, Received, ScriptedServer, pieces_of, words_of

_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}
_GARBLED = 'event: content_block_delta\ndata: {"type": "content_blo\n\n'
_REASONS = {"stop": "end_turn", "length": "max_tokens"}


class AnthropicServer(ScriptedServer):
    """Speaks as Anthropic does."""

    @property
    def chat_path(self) -> str:
        return "/v1/messages"

    def pages(self) -> dict[str, object]:
        return {"/v1/models": {"data": [{"id": name, "type": "model"} for name in self.models], "has_more": False}}

    def key_of(self, request: Received) -> str:
        return request.headers.get("x-api-key", "")

    def whole(self, answer: Answer, body: dict[str, Any]) -> object:
        thoughts = [{"type": "thinking", "thinking": answer.reasoning, "signature": "s"}] if answer.reasoning else []
        return _message(body) | {
            "content": [*thoughts, {"type": "text", "text": answer.text}],
            "stop_reason": _REASONS.get(answer.finish, answer.finish),
            "usage": _usage(answer),
        }

    def error(self, answer: Answer) -> object:
        kind = _KINDS.get(answer.status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": answer.error}, "request_id": "req_1"}

    def events(self, answer: Answer, body: dict[str, Any]) -> Iterator[str]:
        started = _message(body) | {"content": [], "stop_reason": None, "usage": _usage(answer, begun=True)}
        yield _event("message_start", message=started)
        blocks = [("thinking", words_of(answer.reasoning))] if answer.reasoning else []
        for index, (kind, pieces) in enumerate([*blocks, ("text", pieces_of(answer))]):
            yield _event("content_block_start", index=index, content_block={"type": kind, kind: ""})
            yield _event("ping")
            for word in pieces:
                yield _event("content_block_delta", index=index, delta={"type": f"{kind}_delta", kind: word})
            if answer.fault is Fault.LOST:
                yield _GARBLED
            if kind != "text" or answer.fault in {None, Fault.LOST}:
                yield _event("content_block_stop", index=index)
        match answer.fault:
            case Fault.GARBLED:
                yield _GARBLED
            case Fault.ERROR_EVENT:
                yield _event("error", error={"type": "overloaded_error", "message": "Overloaded"})
            case None | Fault.LOST:
                reason = _REASONS.get(answer.finish, answer.finish)
                delta = {"stop_reason": reason, "stop_sequence": None}
                yield _event("message_delta", delta=delta, usage={"output_tokens": _usage(answer)["output_tokens"]})
                yield _event("message_stop")


def _event(kind: str, **fields: object) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind} | fields)}\n\n"


def _message(body: dict[str, Any]) -> dict[str, Any]:
    named = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model")}
    return named | {"stop_sequence": None}


def _usage(answer: Answer, *, begun: bool = False) -> dict[str, int]:
    return {"input_tokens": 10, "output_tokens": 1 if begun else len(words_of(answer.text))}
