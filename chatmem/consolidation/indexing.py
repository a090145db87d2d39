"""Bringing turns into the turn index, so that recall finds them."""

import threading
from collections.abc import Sequence

from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.turn import Turn, embedded_text
from chatmem.ports.memory_store import TurnIndex
from chatmem.ports.session_log import SessionLog

_AT_ONCE = 64
_EMBEDDED_LENGTH = 4000
"""An embedder reads some hundred words; more characters than this only cost time."""


class TurnIndexer:
    """Indexes what was said, and gives vectors to what was stored without. Methods block."""

    def __init__(self, *, log: SessionLog, index: TurnIndex, writer: MemoryWriter) -> None:
        self._log = log
        self._index = index
        self._writer = writer

    def index_waiting(self, stop: threading.Event | None = None, *, most: int | None = None) -> int:
        """Index every ended turn that is not yet, or some more than `most`, until `stop` is set; returns how many.

        Without an embedder that is ready, turns are found by their words until `embed_missing`.

        Raises:
            StoreError: If the log or the index could not be read or written.
        """
        done = 0
        while not _is_set(stop) and (most is None or done < most) and (waiting := self._log.unindexed(limit=_AT_ONCE)):
            self._put(waiting)
            self._log.mark_indexed(waiting)
            done += len(waiting)
        return done

    def embed_missing(self, stop: threading.Event | None = None, *, most: int | None = None) -> int:
        """Give vectors to turns and memories stored without, if the embedder is ready; returns how many got one.

        Args:
            stop: When set, nothing more is begun.
            most: About how many get one at once; `None` for all.

        Raises:
            StoreError: If the log, the index or the store could not be read or written.
        """
        done = self._writer.embed_missing(most)
        while (most is None or done < most) and not _is_set(stop) and self._writer.embeds():
            if not (bare := self._index.without_vector(limit=_AT_ONCE)):
                break
            if not self._put([self._log.turn(turn_id) for turn_id in bare]):
                break
            done += len(bare)
        return done

    def _put(self, turns: Sequence[Turn]) -> bool:
        """Index turns; returns whether they got vectors."""
        vectors = self._writer.vectors([embedded_text(turn)[:_EMBEDDED_LENGTH] for turn in turns])
        self._index.put(turns, vectors)
        return None not in vectors


def _is_set(stop: threading.Event | None) -> bool:
    return stop is not None and stop.is_set()
