"""The turns around an episode: what was said before and after tells what happened.

The contiguity buffer of EM-LLM (Fountas et al. 2024, section 3.3).
"""

from collections.abc import Collection, Iterator, Sequence

from chatmem.domain.memory import Kind, MemoryId
from chatmem.domain.recall import Recalled, Said
from chatmem.domain.turn import TurnId
from chatmem.ports.talk import Talk
from chatmem.ports.token_counter import TokenCounter
from chatmem.recall.memories import BEHIND, RankedMemory
from chatmem.recall.showing import EXCERPT_TOKENS, turn_item

BEFORE, AFTER = 1, 2
"""How many turns around the words of an episode are shown: more of what came after."""

EPISODES = 3
"""Of the best, as many as a prompt takes."""


class Surroundings:
    """Reads what was said around episodes. Methods block, and may be called from any thread."""

    def __init__(self, talk: Talk, counter: TokenCounter) -> None:
        self._talk = talk
        self._counter = counter

    def of(self, memories: Sequence[RankedMemory], shown: Collection[TurnId]) -> Iterator[Recalled]:
        """The turns around the best episodes among these memories, those that the model does not see anyway.

        Each stands directly behind its episode, by its score.

        Raises:
            StoreError: If the log could not be read.
        """
        for episode in [item for item in memories if item.memory.kind is Kind.EPISODE][:EPISODES]:
            own = {quote.turn_id for quote in episode.memory.quotes}
            around = self._talk.around(own, before=BEFORE, after=AFTER) if own else []
            said = [item for item in around if item.turn_id not in own and item.turn_id not in shown]
            for place, item in enumerate(said, 1):
                yield self._item(item, episode.memory.id, episode.score - BEHIND * place / (len(said) + 1))

    def _item(self, said: Said, episode: MemoryId, score: float) -> Recalled:
        excerpt = self._counter.cut(said.text, EXCERPT_TOKENS)
        return turn_item(said, excerpt, score=score, parts=(("episode", score),), beside=episode)
