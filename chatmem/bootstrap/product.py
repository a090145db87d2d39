"""Everything, wired together, and what the screen and the commands ask of the whole."""

import gc
import logging
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import chatmem
from chatmem.bootstrap.built import built
from chatmem.bootstrap.services import Services
from chatmem.domain.errors import EmbedderError, ModelStoreError, ProviderError, RefusedError
from chatmem.domain.model import Image, ModelChoice
from chatmem.domain.turn import Session, SessionId
from chatmem.ui.services import DiskUse, ScreenSettings

if TYPE_CHECKING:
    from chatmem.bootstrap.profile_folders import ProfileFolders
    from chatmem.consolidation.news import ConsolidationNews
    from chatmem.consolidation.rebuilding import Advance

INDEXED_FIRST = 256
"""Turns that are indexed before consolidation starts."""

LOOK_S = 0.5
"""Between two looks at whether another window is done."""

EMBEDDED_BESIDE = 64
"""How many texts without a vector get one at the end of a command that was for something else."""

SWITCH_S = 0.001
"""After which a thread lets another one run. A question goes through three threads on its way to the model, and with
Python's 0.005 each waits so long whenever another one computes."""

GARBAGE = (2000, 20, 50)
"""When garbage is looked for; with Python's (700, 10, 10) that takes a tenth of the time, and 0.05 s at a time."""

logger = logging.getLogger(__name__)


class Product(Services):
    """Everything, wired together."""

    @property
    def theme_folders(self) -> tuple[Path, ...]:
        """Folders of themes; later ones win."""
        package = Path(chatmem.__file__).parent
        return package / "themes", package.parent / "themes", self.paths.themes

    @property
    def profile(self) -> str:
        """The name of the profile in use."""
        return self.settings.profile

    @built
    def profile_folders(self) -> "ProfileFolders":
        """Lists, makes and erases profiles."""
        from chatmem.bootstrap.profile_folders import ProfileFolders

        return ProfileFolders(self.installation)

    @property
    def screen_settings(self) -> ScreenSettings:
        """What the person set for the screen."""
        prompt = self.settings.prompt
        return ScreenSettings(enter_sends=prompt.enter == "send", vi_keys=prompt.vi, editor=prompt.editor)

    def export(self, session_id: SessionId, file: Path) -> None:
        """Write a session to a file, as Markdown or JSON by its suffix; a file that is there is replaced.

        Raises:
            UsageError: If its suffix is another.
            StoreError: If it can't be written.
        """
        from chatmem.conversation.exporting import Exporter

        Exporter(self.log).run(session_id, file, overwrite=True)

    def disk_use(self) -> DiskUse:
        """What the profile takes on the disk; blocks.

        Raises:
            StoreError: If its files could not be read.
        """
        from chatmem.adapters.lancedb.dead import dead_bytes

        files = (file for file in self.paths.profile.rglob("*") if file.is_file())
        return DiskUse(
            total=sum(file.stat().st_size for file in files),
            dead=self.database.free_bytes() + dead_bytes(self.paths.profile),
        )

    def choice(self, session: Session | None = None) -> ModelChoice:
        """The model to talk to: what was asked for, else what the session used, else the setting, else what is here.

        Raises:
            ProviderError: If there is none.
        """
        choice = self.choosing.choose(session)
        if choice is None:
            raise ProviderError(
                "No model was chosen yet. `chatmem models pull qwen2.5-coder-1.5b` fetches the built-in one (1.1 GB), "
                "`chatmem models use NAME` takes another, and `chatmem models list` shows what there is."
            )
        return choice

    def save_setting(self, key: str, value: str) -> None:
        """Write one setting into the settings file.

        Raises:
            SettingsError: If it can't be written.
        """
        if key == "model":
            self.choosing.current = self.models.resolve(value)
        self.installation.change(key, value)

    def prepare_recall(self) -> None:
        """Get ready to search and write memories; for commands, which can wait where the app can't.

        Raises:
            StoreError: If the memory store could not be written.
        """
        self.complete_indexes()
        self.forgetting.resume()
        self.load_embedder()
        self.indexer.index_waiting(self.background.gate.stop)

    def finish_forgetting(self) -> None:
        """Finish what a crash left half forgotten, before anything is recalled: seconds, where there is something.

        Raises:
            RefusedError: If another window forgets for too long.
            StoreError: If the log or an index could not be read or written.
        """
        from chatmem.adapters.sqlite.session_eraser import is_forgetting

        if is_forgetting(self.database):
            self.complete_indexes()
            self.forgetting.resume()

    def complete_indexes(self, advance: "Advance" = lambda *_: None) -> None:
        """Have the indexes hold all that was said and learned, to be found by its words; after an upgrade they may not.

        Waits while another window does it.

        Raises:
            StoreError: If the log or an index could not be read or written.
        """
        stop = self.background.gate.stop
        while not stop.is_set():
            try:
                self.upkeep.rebuilding.complete(advance)
            except RefusedError:
                stop.wait(LOOK_S)
            else:
                return

    def prepare_answer(self) -> None:
        """Begin to load litellm in the background, so that it is there when the prompt is."""
        threading.Thread(target=self.chat_model.warm_up, daemon=True).start()

    def settle(self) -> None:
        """Index what was just said, so that the next command finds it, and some of what has no vector yet."""
        self.indexer.index_waiting(self.background.gate.stop)
        self.indexer.embed_missing(self.background.gate.stop, most=EMBEDDED_BESIDE)

    def consolidate(self, session_id: SessionId | None = None) -> None:
        """Queue what waits, of one session or of all, and have it consolidated now."""
        if session_id:
            self.queue.enqueue(session_id)
        else:
            self.queue.enqueue_all()
        self.nudge()

    def nudge(self) -> None:
        """Wake the consolidation thread, where there is one."""
        self.background.nudge()

    def warm_up(self, news: "Callable[[ConsolidationNews], None]", status: Callable[[str], None]) -> None:
        """Load what is heavy, one library at a time, and start consolidation; blocks for seconds.

        Raises:
            StoreError: If the log or the memory store could not be read or written.
        """
        from chatmem.consolidation.thread import ConsolidationThread, Pace

        sys.setswitchinterval(SWITCH_S)
        gc.set_threshold(*GARBAGE)
        if self.incognito:
            self.chat_model.warm_up()
            return
        self.screening.look("its rules take a tenth of a second to load")
        # It takes no more than 30 ms of the interpreter at a time, so that it loads beside the rest.
        embedder = threading.Thread(target=self._prepare_embedder, args=(status,), daemon=True)
        embedder.start()
        status("opening memories")
        # First, as what is new is compared with what is there, and what is being forgotten is looked for there.
        self.complete_indexes(lambda what, done, total: status(f"opening memories: {what}, {done / max(1, total):.0%}"))
        self.forgetting.resume()
        if self.remote:
            self.remote.warm_up()
        self.queue.enqueue_all()
        # Of an import the thread indexes the rest, while what is said meanwhile is learned from.
        self.indexer.index_waiting(self.background.gate.stop, most=INDEXED_FIRST)
        settings = self.settings.consolidation
        pace = Pace(idle_s=settings.idle_s, every_turns=settings.after_turns, imports=settings.imports)
        self.background.start(
            ConsolidationThread(
                self.consolidator,
                self.indexer,
                gate=self.background.gate,
                tell=news,
                pace=pace,
                upkeep=self.daily.run,
            )
        )
        self.counter.count("its tables take half a second to load")
        status("loading litellm")
        self.chat_model.warm_up()
        status("loading the embedder")
        embedder.join()
        self.generations.warm_up()
        # What was loaded stays: looking through all of it for garbage stops the screen for 0.4 s, again and again.
        gc.freeze()
        status("")
        self.upkeep.start(status)
        self.nudge()
        # Last, as nobody waits for it yet: with it the memory screen opens at once.
        self.memories.outline()

    def load_embedder(self) -> None:
        """Load the embedder where it is wanted and was fetched; without it, recall goes by words alone."""
        if not self.settings.embedding.enabled or not self.embedder.here():
            return
        try:
            self.embedder.warm_up()
        except EmbedderError as error:
            logger.warning("no embedder: %s", type(error).__name__)

    def copy_text(self, text: str) -> None:
        """Put a text on this machine's clipboard; does nothing where there is none."""
        from chatmem.adapters.system.clipboard import copy_text

        copy_text(text)

    def read_image(self, path: Path) -> Image:
        """Read a picture.

        Raises:
            UsageError: If there is none, or it is no picture that models take.
        """
        from chatmem.adapters.system.images import read_image

        return read_image(path)

    def clipboard_image(self) -> Image | None:
        """The picture on this machine's clipboard; `None` where there is none, or no clipboard."""
        from chatmem.adapters.system.images import clipboard_image

        return clipboard_image()

    def repair(self, advance: "Advance") -> None:
        """Rebuild the memory store and the turn index from the session log, with the embedder of the settings.

        Raises:
            RefusedError: If another window is rebuilding them.
            StoreError: If they could not be written.
        """
        self.upkeep.rebuilding.run(advance, anew=True)
        self.indexer.index_waiting(self.background.gate.stop)

    def _prepare_embedder(self, status: Callable[[str], None]) -> None:
        wanted = self.embedder.wanted
        if self.settings.embedding.enabled and self.settings.embedding.fetch and not self.embedder.here():
            self._fetch_embedder(status)
        self.load_embedder()
        if self.settings.embedding.enabled:
            wanted.export_in_background()

    def _fetch_embedder(self, status: Callable[[str], None]) -> None:

        def progress(text: str, done: int, total: int) -> None:
            status(f"fetching the embedder, {done / max(1, total):.0%}")

        try:
            self.embedder.wanted.fetch(progress)
        except ModelStoreError as error:
            logger.warning("no embedder: %s", type(error).__name__)
