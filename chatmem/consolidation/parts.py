"""A job's turns in parts, each an episode of the talk, that are consolidated and recorded one by one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from chatmem.consolidation.segment import Bounds, segments
from chatmem.domain.turn import Turn
from chatmem.ports.embedder import Vector

TURNS_AT_ONCE = 40
"""Turns of the longest part, so that a stop loses little."""

LEAST_TURNS = 10
"""A part has as many, unless the job has fewer: a model is called for each."""

LONGEST_TURN = 20_000
"""Characters of a turn that memories are drawn from, which take seconds: a longer one is a document, not talk. All of
it stays in the session log and is found there."""

_LOOKED_AT = 400
"""Turns that are looked at together: of a talk of thousands, the first are learned from within seconds."""

_BOUNDS = Bounds(least=LEAST_TURNS, most=TURNS_AT_ONCE)
_EMBEDDED_LENGTH = 1000
"""Characters that tell what a turn is about."""

Embed = Callable[[Sequence[str]], Sequence[Vector | None]]
"""Embeds texts; `None` for each where there is no embedder."""


def parts(turns: Sequence[Turn], embed: Embed) -> Iterator[Sequence[Turn]]:
    """A job's turns, without those that are off the record, cut where the talk turns to something else.

    Episodes that pauses have left short go with the next one. Each turn is cut to what memories are drawn from.

    Args:
        turns: In order.
        embed: Tells how alike turns are; without it, their words do. Not called for a job that is one part anyway.
    """
    turns = [beginning(turn) for turn in turns if not turn.off_record]
    while turns:
        size = len(turns) if len(turns) < _LOOKED_AT + LEAST_TURNS else _LOOKED_AT
        yield from _episodes(turns[:size], embed)
        turns = turns[size:]


def _episodes(turns: Sequence[Turn], embed: Embed) -> list[Sequence[Turn]]:
    if len(turns) < 2 * LEAST_TURNS:
        return [turns]
    return _long_enough(segments(turns, embed([turn.text[:_EMBEDDED_LENGTH] for turn in turns]), _BOUNDS))


def beginning(turn: Turn) -> Turn:
    """A turn with as much of its text as memories are drawn from."""
    if len(turn.text) <= LONGEST_TURN:
        return turn
    words = turn.text[:LONGEST_TURN].rsplit(None, 1)
    return replace(turn, text=words[0])


def _long_enough(episodes: Sequence[Sequence[Turn]]) -> list[Sequence[Turn]]:
    joined: list[Sequence[Turn]] = []
    for episode in episodes:
        short = joined and min(len(joined[-1]), len(episode)) < LEAST_TURNS
        if short and len(joined[-1]) + len(episode) <= TURNS_AT_ONCE:
            joined[-1] = [*joined[-1], *episode]
        else:
            joined.append(episode)
    return joined
