"""Proving that nothing is left: what is looked for, and rewriting and looking through all files at once."""

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from chatmem.domain.forgetting import Advance, Step
from chatmem.domain.sought import Sought
from chatmem.domain.text import content_words
from chatmem.forgetting.blot import phrases
from chatmem.forgetting.plan import MOST_NEEDLES, Preview, evenly, needles
from chatmem.ports.memory_store import Erasable
from chatmem.ports.wordings import Wordings

SHORTEST_WORD = 5
"""Letters of a word that is looked for by itself; shorter ones are a part of too many others."""

MOST_WORDS = 200

_HEXADECIMAL = frozenset("0123456789abcdef")
"""What ids and hashes are written in: a word of these may be a part of one."""


def sought(preview: Preview, wordings: Wordings) -> list[str]:
    """The texts that may stand nowhere once all is erased: what was said, and the words that nothing left holds.

    Raises:
        StoreError: If the log or the journal could not be read.
    """
    told = [phrase for memory in preview.memories for phrase in phrases(memory)]
    wanted = evenly(told, MOST_NEEDLES)
    if preview.keeps_turns:
        wanted = standing_nowhere(wanted, wordings)
    if preview.sessions:
        wanted += standing_nowhere(needles(preview.sessions), wordings)
        told += [text for going in preview.sessions for text in going.texts]
    return [*wanted, *distinctive(told, wordings)]


def distinctive(texts: Iterable[str], wordings: Wordings) -> list[str]:
    """The words of texts that stand in nothing that is left, nor are a part of what does; of many the longest.

    Raises:
        StoreError: If the log or the journal could not be read.
    """
    words = {word for text in texts for word in content_words(text) if len(word) >= SHORTEST_WORD}
    longest = sorted((word for word in words if not _HEXADECIMAL.issuperset(word)), key=lambda word: (-len(word), word))
    return standing_nowhere(longest[:MOST_WORDS], wordings)


def standing_nowhere(texts: Iterable[str], wordings: Wordings) -> list[str]:
    """Those of some texts, folded, that nothing left holds.

    Raises:
        StoreError: If the log or the journal could not be read.
    """
    absent = list(texts)
    for left in wordings.everything():
        if not absent:
            break
        sought = Sought(absent)
        absent = [text for text, count in zip(sought.texts, sought.in_text(left), strict=True) if not count]
    return absent


def clean(files: Sequence[Erasable], texts: Callable[[], Sequence[str]], tell: "Telling") -> int:
    """Rewrite all files and look through them, each by a thread of its own; returns in how many places a text is left.

    Args:
        files: What is on disk.
        texts: Works out what is looked for.
        tell: Told of the steps.

    Raises:
        RefusedError: If another window holds the files.
        StoreError: If some could not be rewritten or read.
    """
    tell(Step.REWRITING)
    with ThreadPoolExecutor(len(files) + 1, thread_name_prefix="forgetting") as pool:
        looked_for = pool.submit(texts)
        found = [pool.submit(_cleaned, place, looked_for, tell) for place in files]
        return sum(one.result() for one in found)


def _cleaned(place: Erasable, looked_for: "Future[Sequence[str]]", tell: "Telling") -> int:
    place.scrub()
    tell(Step.PROVING)
    left = place.residue(looked_for.result())
    tell(Step.PROVING)
    return left


class Telling:
    """Tells how far a forgetting is. Any thread may call it.

    Args:
        advance: Told of each step.
        places: How many places are rewritten and looked through.
    """

    def __init__(self, advance: Advance, places: int) -> None:
        self._advance = advance
        self._total = len(Step) - 2 + 2 * places
        self._done = -1
        self._lock = threading.Lock()

    def __call__(self, step: Step) -> None:
        """A step begins; the one before it, of whichever thread, is done."""
        with self._lock:
            self._done = min(self._done + 1, self._total)
            self._advance(step.value, self._done, self._total)
