"""Which of what was found gets a place in the prompt: so many of each kind, under one budget, nothing said twice."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from chatmem.domain.memory import Memory
from chatmem.domain.recall import Recalled, Said, Source
from chatmem.domain.text import content_words, normalised, words
from chatmem.ports.token_counter import TokenCounter

LINE_TOKENS = 12
"""What the frame around a recalled text costs, about."""

BEYOND = 1 / 3
"""Share of a turn's words that may be new without the turn telling more than what was learned from it."""

ASSISTANT, USER = "the assistant", "the user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotas:
    """How many of each source may be injected; `beside` are the turns around episodes."""

    facts: int = 8
    episodes: int = 3
    procedures: int = 8
    turns: int = 5
    summaries: int = 1
    remote: int = 5
    beside: int = 4

    def places(self) -> dict[Source | None, int]:
        """The places for each source; under `None`, those for the turns around episodes."""
        return {
            Source.FACT: self.facts,
            Source.EPISODE: self.episodes,
            Source.PROCEDURE: self.procedures,
            Source.TURN: self.turns,
            Source.SUMMARY: self.summaries,
            Source.REMOTE: self.remote,
            None: self.beside,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Router:
    """Marks what is injected."""

    counter: TokenCounter
    quotas: Quotas

    def route(
        self, items: Iterable[Recalled], *, to_assistant: bool, budget_tokens: int, barred: Collection[str] = ()
    ) -> list[Recalled]:
        """The items in their order, those marked that fit the budget and their kind's places.

        Args:
            items: The best first. What is shown for an episode comes after that.
            to_assistant: Whether the question may ask for what the assistant said.
            budget_tokens: For all that is injected.
            barred: Ids of what is not to be injected.
        """
        left, places = budget_tokens, self.quotas.places()
        injected: set[str] = set()
        chosen = []
        for item in items:
            kind = None if item.beside else item.source
            wanted = (
                places[kind] > 0
                and item.id not in barred
                and (item.beside is None or item.beside in injected)
                and tells(item, to_assistant=to_assistant)
            )
            size = self.counter.count(item.text) + LINE_TOKENS if wanted else 0
            fits = wanted and size <= left
            if fits:
                places[kind] -= 1
                left -= size
                injected.add(item.id)
            chosen.append(replace(item, injected=True) if fits else item)
        return chosen


def tells(item: Recalled, *, to_assistant: bool) -> bool:
    """Whether a recalled item is worth a place in the prompt.

    An earlier turn must be better than the middle of what was found. What the assistant once said is shown only to a
    question about it: a model that reads its own bad answer gives it again.
    """
    if item.source is not Source.TURN:
        return True
    return item.score >= 0 and (to_assistant or item.speaker != ASSISTANT)


def without_twins(question: str, items: Iterable[Recalled]) -> Iterator[Recalled]:
    """Drop what says the same as the question or as something before it, among it the turn that a fact came from."""
    bits: dict[str, int] = {}
    seen = [worded(normalised(question), bits)]
    texts = {normalised(question)}
    for item in items:
        text = normalised(item.text)
        if text in texts:
            continue
        content = worded(text, bits)
        if alike_any(content, seen):
            continue
        seen.append(content)
        texts.add(text)
        yield item


Words = tuple[int, int]
"""The words of a text, a bit for each, and how many: hundreds of pairs are compared for a question."""


def worded(text: str, bits: dict[str, int]) -> Words:
    """The words of a text; each that is new gets the next of the `bits`."""
    held = 0
    for word in words(text):
        held |= bits.setdefault(word, 1 << len(bits))
    return held, held.bit_count()


def alike_any(content: Words, others: Iterable[Words]) -> bool:
    """Whether a text says by its words what one of these says (Jaccard above .8)."""
    held, count = content
    # Of one + two words s are shared: s / (one + two - s) > .8.
    return any(9 * (held & other).bit_count() > 4 * (count + others_count) for other, others_count in others)


def says_no_more(said: Said, memories: Iterable[Memory]) -> bool:
    """Whether a turn says little beyond the memories that were drawn from it; one that tells more has its own place."""
    drawn = [memory for memory in memories if any(quote.turn_id == said.turn_id for quote in memory.quotes)]
    if not drawn:
        return False
    told = {word for memory in drawn for word in content_words(memory.text)}
    told |= {word for memory in drawn for quote in memory.quotes for word in content_words(quote.text)}
    own = set(content_words(said.text))
    return len(own - told) <= BEYOND * len(own)


def shown_already(memory: Memory, shown: Collection[str]) -> bool:
    """Whether all the words a memory rests on stand in the window anyway."""
    return bool(memory.quotes) and all(quote.turn_id in shown for quote in memory.quotes)
