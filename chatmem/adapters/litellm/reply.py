"""A reply as it arrives from litellm."""

from collections.abc import Callable
from typing import Any

from chatmem.adapters.litellm import library
from chatmem.adapters.litellm.route import Route
from chatmem.adapters.litellm.thoughts import Thoughts
from chatmem.domain.errors import ProviderError
from chatmem.domain.model import EndPart, ReasoningPart, ReplyPart, TextPart, Usage


class Reply:
    """Turns chunks into parts.

    Attributes:
        started: Whether some of it was passed on, so that asking again would repeat it.
    """

    def __init__(self, name: str, pass_on: Callable[[ReplyPart], None]) -> None:
        self._name = name
        self._pass_on = pass_on
        self._thoughts = Thoughts()
        self._reason: str | None = None
        self._usage: Any = None
        self._said = False
        self.started = False

    def note(self, chunk: Any) -> None:
        """Pass on what a chunk brings."""
        self._usage = getattr(chunk, "usage", None) or self._usage
        for choice in chunk.choices:
            self._reason = choice.finish_reason or self._reason
            if thought := getattr(choice.delta, "reasoning_content", None):
                self._pass(ReasoningPart(thought))
            if text := choice.delta.content:
                self._pass(*self._thoughts.split(text))

    def end(self, way: Route, *, whole: bool) -> None:
        """Pass the end on, unless there was nothing before it, or it was not the whole of it.

        Raises:
            ProviderError: If nothing was said, or the reply broke off.
        """
        self._pass(*self._thoughts.end())
        if not whole:
            where = "in the middle of the answer" if self._said else "before it answered"
            broke_off = f"The connection to {self._name} broke off {where}. Ask again."
            raise ProviderError(broke_off, retryable=True) from EOFError("there was no reason to finish")
        if not self._said:
            raise self._nothing()
        self._pass_on(EndPart(self._reason or "stop", self._consumed(way)))

    def _pass(self, *parts: ReasoningPart | TextPart) -> None:
        for part in parts:
            self.started = True
            self._said = self._said or isinstance(part, TextPart)
            self._pass_on(part)

    def _nothing(self) -> ProviderError:
        match self._reason:
            case "content_filter":
                says = "refused to answer because of its content filter. Say it in another way."
            case "length":
                says = "used up the length of a reply before it said anything. Allow a longer reply."
            case _:
                says = "answered nothing. Ask again, or choose another model."
        return ProviderError(f"{self._name} {says}", retryable=self._reason not in {"content_filter", "length"})

    def _consumed(self, way: Route) -> Usage:
        if self._usage is None:
            return Usage()
        return Usage(
            prompt_tokens=self._usage.prompt_tokens or 0,
            completion_tokens=self._usage.completion_tokens or 0,
            cost_usd=_cost_usd(way, self._usage),
        )


def _cost_usd(way: Route, usage: Any) -> float | None:
    if way.choice.builtin is not None:
        return 0.0
    return None if way.api_base is not None else library.cost_usd(way.model, usage)
