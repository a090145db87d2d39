"""The lines of a stream as litellm reads them: what can't be read is an error, where litellm leaves it out."""

import json
from collections.abc import Callable
from typing import Any

_DONE = "[DONE]"


def watch() -> None:
    """Have litellm refuse lines of a stream that should hold words, and are garbled. Imports litellm.

    Without this an answer of Ollama's, and of others that litellm reads by its general way, may lack words in its
    middle, and nobody is told.
    """
    from litellm.llms.base_llm.base_model_iterator import BaseModelResponseIterator

    iterator: Any = BaseModelResponseIterator
    if not isinstance(iterator._string_to_dict_parser, _Strict):
        iterator._string_to_dict_parser = _Strict(iterator._string_to_dict_parser)


class _Strict:
    """Reads a line as litellm does, and raises `ValueError` where it is garbled."""

    def __init__(self, read: Callable[[str], dict[str, Any] | None]) -> None:
        self._read = read

    def __call__(self, str_line: str) -> dict[str, Any] | None:
        read = self._read(str_line)
        content = str_line.strip().removeprefix("data:").strip()
        if read is None and _DONE not in content and (str_line.startswith("data:") or content.startswith("{")):
            json.loads(content)
        return read
