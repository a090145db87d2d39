"""Fetching a model, with a progress bar."""

import logging
from dataclasses import dataclass
from threading import Thread
from time import monotonic

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import ProgressBar, Static

from chatmem.conversation import Listed
from chatmem.domain.errors import ChatMemError
from chatmem.domain.model import ModelChoice
from chatmem.ports.model_store import ModelStore
from chatmem.ui.failures import UNEXPECTED
from chatmem.ui.wording import size

DRAW_EVERY_S = 0.1

logger = logging.getLogger(__name__)


@dataclass
class Progressed(Message):
    """The fetching thread has come further."""

    what: str
    done: int
    total: int
    speed: float


@dataclass
class Ended(Message):
    """The fetching thread is through; `error` is a sentence where it failed."""

    choice: ModelChoice
    error: str | None


class FetchBar(Vertical):
    """Shows one fetch at a time; hidden until there is one.

    The thread outlives the widget, so that leaving the screen or the app waits for nothing; what it has fetched is kept
    by the model store, which goes on from there.
    """

    @dataclass
    class Fetched(Message):
        """The model is there and can be talked to."""

        choice: ModelChoice

    def compose(self) -> ComposeResult:
        """Lay out the sentence above the bar."""
        yield Static(id="fetch-said", markup=False)
        yield ProgressBar(id="fetch-bar", show_eta=False)

    def on_mount(self) -> None:
        """Begin hidden."""
        self.display = False
        self._fetching = False

    def start(self, store: ModelStore, listed: Listed) -> None:
        """Fetch what a listed model needs; does nothing while another fetch is under way."""
        if self._fetching:
            return
        self._fetching = self.display = True
        self.remove_class("-failed")
        self.query_one(ProgressBar).update(total=None, progress=0)
        self.query_one("#fetch-said", Static).update(f"Fetching {listed.fetch}…")
        Thread(target=self._fetch, args=(store, listed), name="fetch", daemon=True).start()

    def _fetch(self, store: ModelStore, listed: Listed) -> None:
        error: str | None = None
        try:
            store.pull(listed.fetch or "", _Meter(self).progressed)
        except ChatMemError as failure:
            error = str(failure)
        except Exception:
            logger.exception("fetching a model failed")
            error = UNEXPECTED
        self.post_message(Ended(listed.choice, error))

    @on(Progressed)
    def _show_progress(self, event: Progressed) -> None:
        event.stop()
        if self._fetching:
            speed = f" · {size(event.speed)}/s" if event.speed else ""
            amounts = f"{size(event.done)} of {size(event.total)}{speed}"
            self.query_one("#fetch-said", Static).update(f"{event.what} · {amounts}")
            self.query_one(ProgressBar).update(total=event.total or None, progress=event.done)

    @on(Ended)
    def _show_end(self, event: Ended) -> None:
        event.stop()
        self._fetching = False
        if event.error is None:
            self.post_message(self.Fetched(event.choice))
        else:
            self.add_class("-failed")
            self.query_one("#fetch-said", Static).update(event.error)


class _Meter:
    """Thins out progress and works out its speed; called from threads."""

    def __init__(self, bar: FetchBar) -> None:
        self._bar = bar
        self._began: tuple[float, int] | None = None
        self._drawn_at = 0.0

    def progressed(self, what: str, done: int, total: int) -> None:
        now = monotonic()
        self._began = self._began or (now, done)
        if now - self._drawn_at < DRAW_EVERY_S and done < total:
            return
        self._drawn_at = now
        since, first = self._began
        speed = (done - first) / (now - since) if now - since > 1 else 0.0
        self._bar.post_message(Progressed(what, done, total, speed))
