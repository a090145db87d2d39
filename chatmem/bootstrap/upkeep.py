"""The thread that keeps the indexes whole, and of the embedder that the settings want, while the app is open."""

import logging
import threading
from collections.abc import Callable

from chatmem.bootstrap.embedders import EmbedderInUse
from chatmem.consolidation.rebuilding import Rebuilding
from chatmem.domain.errors import ChatMemError, EmbedderError, ModelStoreError, RefusedError

LOOK_S = 20.0
"""Between two looks at whether there is something to do."""

LONGEST_PAUSE_S = 600.0
"""Between two tries at an embedder that can't be had; the first pause is `LOOK_S`, each other twice as long."""

STOP_S = 5.0

logger = logging.getLogger(__name__)


class Upkeep:
    """Builds what is missing, and tells how far it is, or why there is none; each reason once.

    Attributes:
        rebuilding: Builds.
    """

    def __init__(
        self,
        rebuilding: Rebuilding,
        embedder: EmbedderInUse,
        stop: threading.Event,
        *,
        enabled: bool,
        fetches: bool,
    ) -> None:
        """Keep what it works with; nothing runs before `start`.

        Args:
            rebuilding: Builds.
            embedder: The embedder in use.
            stop: Ends the thread.
            enabled: Whether an embedder is wanted at all.
            fetches: Whether its model may be fetched.
        """
        self.rebuilding = rebuilding
        self._embedder = embedder
        self._stop = stop
        self._enabled = enabled
        self._fetches = fetches
        self._tell: Callable[[str], None] = lambda _: None
        self._told = ""
        self._trouble = ""
        self._pause_s = LOOK_S
        self._thread = threading.Thread(target=self._run, name="upkeep", daemon=True)

    def start(self, tell: Callable[[str], None]) -> None:
        """Start the thread; `tell` is given what goes on, for the status line, and empty once that is over."""
        self._tell = tell
        self._thread.start()

    def end(self) -> None:
        """Wait a bounded time for the thread to end, after `stop` was set."""
        if self._thread.ident is not None:
            self._thread.join(STOP_S)

    def round(self) -> None:
        """Do what there is to do, once.

        Raises:
            ChatMemError: If something could not be had, read or written.
        """
        self.rebuilding.complete(self._show)
        if self._enabled:
            if self._fetches and (self.rebuilding.due() or not self._embedder.here()):
                self._embedder.wanted.fetch(self._show)
            if self.rebuilding.due():
                self.rebuilding.run(self._show)
            self._embedder.let_go_of_former()
            if not self._embedder.ready():
                self._embedder.warm_up()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._guarded()
            self._stop.wait(self._pause_s)

    def _guarded(self) -> None:
        try:
            self.round()
        except RefusedError:  # another window does it, and will be seen to have done it
            self._pause_s = LOOK_S
        except ChatMemError as error:
            logger.warning("the indexes could not be kept: %s", type(error).__name__)
            self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
            self._complain(self._meaning(error))
        except Exception:
            logger.exception("the indexes could not be kept")
            self._pause_s = LONGEST_PAUSE_S
        else:
            self._pause_s, self._trouble = LOOK_S, ""
            self._say("")

    def _meaning(self, error: ChatMemError) -> str:
        if not isinstance(error, EmbedderError | ModelStoreError):
            return str(error)
        former = self._embedder.ready()
        return f"{'recall by the former embedder' if former else 'recall by words alone'}: {error}"

    def _show(self, text: str, done: int, total: int) -> None:
        self._say(f"rebuilding the index: {text}, {done / max(1, total):.0%}")

    def _complain(self, text: str) -> None:
        if text != self._trouble:
            self._trouble = text
            self._say(text)

    def _say(self, text: str) -> None:
        if text != self._told:
            self._told = text
            self._tell(text)
