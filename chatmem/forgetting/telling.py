"""What tells a memory again: in turns, and in other memories."""

from collections.abc import Sequence
from dataclasses import replace

from chatmem.domain.memory import Kind, Memory, Relation
from chatmem.domain.turn import Role, Turn
from chatmem.forgetting.blot import blot_derived, blot_retold, blot_source, telling_words

CUT_SHORT = "Something was forgotten while this answer was on its way, so it was ended. Ask again."
"""Why a reply ends: what its model was shown may hold the forgotten words, and it may say them at any moment."""


def without(turn: Turn, memories: Sequence[Memory], *, told: bool) -> Turn:
    """A turn without what tells any of the memories; the same where nothing does.

    Of one that does, the words are blotted out; what the model thought and the images go whole, as words are not all
    that an image may show.

    Args:
        turn: The turn.
        memories: What is being forgotten.
        told: Whether the model was shown one of them before, in this branch, so that its answers may rest on it.
    """
    error = "" if turn.error in {None, CUT_SHORT} else turn.error
    texts = [turn.text, error, turn.reasoning, *(one.name for one in turn.attachments)]
    left = [_blotted(text, turn, memories, told=told) for text in texts]
    if left == texts:
        return turn
    return replace(turn, text=left[0], error=left[1] or turn.error, reasoning="", attachments=())


def _blotted(text: str, turn: Turn, memories: Sequence[Memory], *, told: bool) -> str:
    for memory in memories:
        if any(quote.turn_id == turn.id for quote in memory.quotes):
            text = blot_source(text, memory)
        elif told and turn.role is not Role.USER:
            text = blot_derived(text, memory)
        else:
            text = blot_retold(text, memory)
    return text


def retells(memory: Memory, forgotten: Memory) -> bool:
    """Whether a memory says again what is being forgotten: in its words, as the episode that held it, drawn from it."""
    if any(link.to == forgotten.id and link.relation is Relation.DERIVED_FROM for link in memory.links):
        return True
    shared = telling_words(memory.text) & telling_words(forgotten.text)
    if memory.kind is Kind.EPISODE and shared:
        sources = {quote.turn_id for quote in forgotten.quotes}
        if any(quote.turn_id in sources for quote in memory.quotes):
            return True
    return blot_retold(memory.text, forgotten) != memory.text


def without_words(memory: Memory, forgotten: Sequence[Memory]) -> Memory:
    """A memory that stays, with the forgotten words blotted out of its quotes."""
    quotes = list(memory.quotes)
    for other in forgotten:
        sources = {quote.turn_id for quote in other.quotes}
        quotes = [
            replace(
                quote,
                text=blot_source(quote.text, other) if quote.turn_id in sources else blot_retold(quote.text, other),
            )
            for quote in quotes
        ]
    return replace(memory, quotes=tuple(quotes))
