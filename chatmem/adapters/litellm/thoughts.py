"""What a model thinks aloud in the text of its reply, told apart from the reply."""

from chatmem.domain.model import ReasoningPart, TextPart

_OPEN, _CLOSE = "<think>", "</think>"


class Thoughts:
    """Splits `<think>...</think>` off the beginning of a reply, wherever its pieces are cut.

    Servers of local models (LM Studio, llama.cpp, vLLM) may pass it on as it was generated. Further on in a reply it is
    text like any other, as people do talk about such tags.
    """

    def __init__(self) -> None:
        self._held = ""
        self._thinking: bool | None = None
        self._trim = False

    def split(self, text: str) -> list[ReasoningPart | TextPart]:
        """What a piece adds to the reasoning and to the text; what may be half a tag is held back."""
        if self._thinking is False:
            return self._said(text)
        self._held += text
        if self._thinking is None:
            start = self._held.lstrip()
            if not start or (_OPEN.startswith(start) and start != _OPEN):
                return []
            self._thinking = start.startswith(_OPEN)
            self._held = start.removeprefix(_OPEN) if self._thinking else self._held
        return self._thought() if self._thinking else self._rest()

    def end(self) -> list[ReasoningPart | TextPart]:
        """What was held back."""
        if self._thinking:
            held, self._held = self._held, ""
            return [ReasoningPart(held)] if held else []
        return self._rest()

    def _thought(self) -> list[ReasoningPart | TextPart]:
        thought, closed, rest = self._held.partition(_CLOSE)
        if closed:
            self._thinking, self._held = False, ""
            self._trim = True
            return [*([ReasoningPart(thought)] if thought else []), *self._said(rest)]
        keep = next((size for size in range(len(_CLOSE) - 1, 0, -1) if thought.endswith(_CLOSE[:size])), 0)
        self._held = thought[len(thought) - keep :]
        thought = thought[: len(thought) - keep]
        return [ReasoningPart(thought)] if thought else []

    def _rest(self) -> list[ReasoningPart | TextPart]:
        held, self._held = self._held, ""
        return self._said(held)

    def _said(self, text: str) -> list[ReasoningPart | TextPart]:
        if self._trim:  # the empty lines after the thoughts
            text = text.lstrip()
            self._trim = not text
        return [TextPart(text)] if text else []
