"""Finding quickly which of many texts may tell what is being forgotten: few do."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from chatmem.domain.memory import Memory
from chatmem.domain.text import normalised, words
from chatmem.domain.turn import TurnId
from chatmem.forgetting.blot import RETOLD, phrases, telling_words


@dataclass(frozen=True, slots=True)
class _Trace:
    """A memory, its telling words, and of each of its phrases the longest word."""

    memory: Memory
    telling: frozenset[str]
    keys: tuple[str, ...]

    def may_be_in(self, folded: str, *, any_word: bool) -> bool:
        if any(key in folded for key in self.keys):
            return True
        found = sum(word in folded for word in self.telling)
        return bool(found) and (any_word or found >= RETOLD * len(self.telling))


class Traces:
    """Memories that are being forgotten, made ready to be looked for in many texts."""

    def __init__(self, memories: Sequence[Memory]) -> None:
        self._traces = [
            _Trace(memory, telling_words(memory.text), tuple(_longest_word(phrase) for phrase in phrases(memory)))
            for memory in memories
        ]
        self._at_turn = defaultdict[TurnId, list[_Trace]](list)
        for trace in self._traces:
            for turn_id in {quote.turn_id for quote in trace.memory.quotes}:
                self._at_turn[turn_id].append(trace)

    def in_text(self, text: str, turn_ids: Collection[TurnId] = (), *, any_word: bool = False) -> list[Memory]:
        """Those that a text may tell, and those that rest on these turns. All others it is known not to tell.

        Args:
            text: The text.
            turn_ids: Where it was said.
            any_word: Whether one telling word is enough.
        """
        folded = normalised(text)
        near = [trace.memory for trace in self._traces if trace.may_be_in(folded, any_word=any_word)] if folded else []
        near += [trace.memory for id_ in turn_ids for trace in self._at_turn.get(id_, ()) if trace.memory not in near]
        return near


def _longest_word(phrase: str) -> str:
    folded = normalised(phrase)
    return max(words(folded), key=len, default=folded)
