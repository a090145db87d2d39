"""The composition root: settings -> adapters -> services -> consolidation thread -> app.

Only this module chooses implementations. Nothing heavy is imported here or when a service is built: each adapter loads
its library at its first use.
"""

import logging
import logging.handlers
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from contextlib import closing as closing_of
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from chatmem.adapters.exports import read_export
from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.memory_store import LanceMemoryStore
from chatmem.adapters.lancedb.turn_index import LanceTurnIndex
from chatmem.adapters.litellm.chat_model import LitellmChatModel
from chatmem.adapters.litellm.providers import providers_in_environment, running_ollama
from chatmem.adapters.llamacpp.server import BuiltinServer
from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.adapters.sentence_transformers.embedder import SentenceTransformersEmbedder
from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.job_queue import SqliteJobQueue
from chatmem.adapters.sqlite.journal import SqliteJournal
from chatmem.adapters.sqlite.meter import SqliteMeter
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.adapters.system.clock import SystemClock
from chatmem.adapters.tiktoken.counter import TiktokenCounter
from chatmem.config import settings as config
from chatmem.config.paths import Paths, make_private, paths
from chatmem.config.settings import Explained, ProviderSettings, Settings
from chatmem.consolidation.consolidator import Consolidator
from chatmem.consolidation.curator import Curator
from chatmem.consolidation.extract import ModelExtractor
from chatmem.consolidation.gate import Gate
from chatmem.consolidation.indexing import TurnIndexer
from chatmem.consolidation.news import ConsolidationNews
from chatmem.consolidation.thread import ConsolidationThread, Pace
from chatmem.consolidation.writer import MemoryWriter
from chatmem.conversation import Conversations, Importer, Limits, ModelDirectory, Origin, Parts, Strategy
from chatmem.domain.errors import EmbedderError, ModelStoreError, ProviderError
from chatmem.domain.model import BUILTIN, ModelChoice
from chatmem.domain.turn import Session, SessionId
from chatmem.forgetting import Forgetting, Places
from chatmem.ports.model_store import ModelEntry
from chatmem.recall import Recall
from chatmem.recall.recall import Indexes

EMBEDDER = "minilm"
"""The model store's name of the embedder."""

LOCAL = (BUILTIN, "ollama")
"""How the names of models that compute on this machine begin."""

LOG_BYTES = 1_000_000
REPAIR_BATCH = 500
STOP_S = 3.0
"""What leaving the app may wait for consolidation; what is not done then goes on at the next start."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """What the command line said; settings are read when a command first needs them."""

    config_file: Path | None = None
    flags: Mapping[str, object] = field(default_factory=dict)

    @property
    def config_path(self) -> Path:
        """The settings file."""
        return config.config_file_from(self.config_file)

    def settings(self) -> Settings:
        """The settings.

        Raises:
            SettingsError: If the file, a variable or a flag is wrong.
        """
        return config.load(self.config_path, self.flags)

    def paths(self, settings: Settings) -> Paths:
        """The folders that the settings come to."""
        return paths(
            profile=settings.profile,
            data_dir=settings.data_dir,
            cache_dir=settings.cache_dir,
            config_file=self.config_path,
        )

    def names_model(self) -> bool:
        """Whether the command line or a variable names the model, and not the settings file."""
        return "model" in self.flags or bool(os.environ.get(f"{config.PREFIX}MODEL"))

    def explain(self) -> list[Explained]:
        """Every setting with where it came from."""
        return config.explain(self.settings(), self.config_path, self.flags)

    @contextmanager
    def open(
        self, *, incognito: bool = False, extractor: Literal["rules", "model"] | None = None
    ) -> "Iterator[Product]":
        """Build everything, and close it again.

        Args:
            incognito: Keep the session log in memory only.
            extractor: `rules` or `model` in place of the setting.
        """
        settings = self.settings()
        if extractor:
            settings = settings.with_extractor(extractor)
        with ExitStack() as closing:
            yield build(self, settings, closing, incognito=incognito)


@dataclass(slots=True, kw_only=True)
class Product:
    """Everything, wired together.

    Attributes:
        current: The model last chosen; consolidation asks the same.
    """

    installation: Installation
    settings: Settings
    paths: Paths
    database: Database
    log: SqliteSessionLog
    queue: SqliteJobQueue
    journal: SqliteJournal
    meter: SqliteMeter
    memories: LanceMemoryStore
    turns: LanceTurnIndex
    embedder: SentenceTransformersEmbedder
    chat_model: LitellmChatModel
    model_store: FolderModelStore
    models: ModelDirectory
    recall: Recall
    conversations: Conversations
    curator: Curator
    consolidator: Consolidator
    indexer: TurnIndexer
    forgetting: Forgetting
    importer: Importer
    choosing: "Choosing"
    background: "Background"

    @property
    def theme_folders(self) -> tuple[Path, ...]:
        """Folders of themes; later ones win."""
        package = Path(__file__).parent
        return package / "themes", package.parent / "themes", self.paths.themes

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
        config.save(self.installation.config_path, key, value)

    def prepare_recall(self) -> None:
        """Get ready to search and write memories; for commands, which can wait where the app can't.

        Raises:
            StoreError: If the memory store could not be written.
        """
        self.forgetting.resume()
        self.load_embedder()
        self.indexer.index_waiting(self.background.gate.stop)

    def prepare_answer(self) -> None:
        """Begin to load litellm in the background, so that it is there when the prompt is."""
        threading.Thread(target=self.chat_model.warm_up, daemon=True).start()

    def settle(self) -> None:
        """Index what was just said, so that the next command finds it."""
        self.indexer.index_waiting(self.background.gate.stop)

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

    def warm_up(self, news: Callable[[ConsolidationNews], None], status: Callable[[str], None]) -> None:
        """Load what is heavy, one library at a time, and start consolidation; blocks for seconds.

        Raises:
            StoreError: If the log or the memory store could not be read or written.
        """
        # In a process of its own, so that it loads beside the rest.
        embedder = threading.Thread(target=self._prepare_embedder, args=(status,), daemon=True)
        embedder.start()
        status("opening memories")
        self.forgetting.resume()
        self.queue.enqueue_all()
        self.indexer.index_waiting(self.background.gate.stop)
        settings = self.settings.consolidation
        pace = Pace(idle_s=settings.idle_s, every_turns=settings.after_turns)
        self.background.start(
            ConsolidationThread(self.consolidator, self.indexer, gate=self.background.gate, tell=news, pace=pace)
        )
        status("loading litellm")
        self.chat_model.warm_up()
        status("loading the embedder")
        embedder.join()
        status("")
        self.nudge()

    def load_embedder(self) -> None:
        """Load the embedder where it is wanted and was fetched; without it, recall goes by words alone."""
        if not self.settings.embedding.enabled or not self.model_store.entry(EMBEDDER).path:
            return
        try:
            self.embedder.warm_up()
        except EmbedderError as error:
            logger.warning("no embedder: %s", type(error).__name__)

    def repair(self) -> None:
        """Rebuild the memory store and the turn index from the session log.

        Raises:
            StoreError: If they could not be written.
        """
        self.load_embedder()
        memories = self.journal.latest()
        self.memories.clear()
        self.turns.clear()
        for at in range(0, len(memories), REPAIR_BATCH):
            batch = memories[at : at + REPAIR_BATCH]
            self.memories.put(batch, [None] * len(batch))
        self.log.mark_all_unindexed()
        self.indexer.index_waiting(self.background.gate.stop)
        self.indexer.embed_missing(self.background.gate.stop)

    def _prepare_embedder(self, status: Callable[[str], None]) -> None:
        wanted = self.settings.embedding.enabled and self.settings.embedding.fetch
        if wanted and not self.model_store.entry(EMBEDDER).path:
            self._fetch_embedder(status)
        self.load_embedder()

    def _fetch_embedder(self, status: Callable[[str], None]) -> None:

        def progress(text: str, done: int, total: int) -> None:
            status(f"fetching the embedder, {done / max(1, total):.0%}")

        try:
            self.model_store.pull(EMBEDDER, progress)
        except ModelStoreError as error:
            logger.warning("no embedder: %s", type(error).__name__)


class Background:
    """The consolidation thread of the app, once it runs, and what holds it back.

    Args:
        shares_machine: Whether the model in use computes on this machine, so that consolidation would slow its answers.

    Attributes:
        gate: Keeps consolidation from calling a model while an answer comes from the same one.
        answering: Set while a model answers.
    """

    def __init__(self, shares_machine: Callable[[], bool]) -> None:
        self.answering = threading.Event()
        self._shares_machine = shares_machine
        self.gate = Gate(lambda: not (self.answering.is_set() and shares_machine()))
        self._lock = threading.Lock()
        self._thread: ConsolidationThread | None = None
        self._ended = False

    def set_answering(self, answering: bool) -> None:
        """Note that an answer begins or has ended."""
        if answering:
            self.answering.set()
        else:
            self.answering.clear()

    def start(self, thread: ConsolidationThread) -> None:
        """Start consolidation, unless the app was left meanwhile."""
        with self._lock:
            if not self._ended:
                self._thread = thread.__enter__()

    def nudge(self) -> None:
        """Wake the thread, where there is one."""
        if self._thread:
            self._thread.nudge()

    def end(self) -> None:
        """Stop consolidation within a bounded time; what it leaves waits in the queue."""
        with self._lock:
            self._ended = True
        if self._thread:
            # A model on this machine takes longer than anybody would wait for the screen to close.
            self._thread.stop(0.0 if self._shares_machine() else STOP_S)
        self.gate.stop.set()


class Choosing:
    """Which model to talk to, and which one learns.

    Attributes:
        current: The model in use; `None` while there is none.
    """

    def __init__(
        self, *, directory: ModelDirectory, store: FolderModelStore, installation: Installation, settings: Settings
    ) -> None:
        self._directory = directory
        self._store = store
        self._extractor = settings.consolidation.extractor
        self._asked = settings.model if installation.names_model() else None
        self.current = directory.resolve(settings.model) if settings.model else self._here()

    def choose(self, session: Session | None = None) -> ModelChoice | None:
        """What was asked for, else what the session used, else the setting, else the built-in model if it is here."""
        if session and session.model and not self._asked:
            self.current = self._directory.resolve(session.model)
        return self.current

    def learns(self) -> ModelChoice | None:
        """The model that draws memories, or `None` where rules do: by the setting, or because the model is too weak."""
        choice = self.current
        if self._extractor == "rules" or choice is None:
            return None
        if self._extractor == "auto" and choice.builtin and self._store.entry(choice.builtin).purpose == "test":
            return None
        return choice

    def is_local(self) -> bool:
        """Whether the model in use computes on this machine."""
        return self.current is not None and self.current.model.startswith(LOCAL)

    def _here(self) -> ModelChoice | None:
        here = (entry for entry in self._store.entries() if entry.purpose == "chat" and entry.path)
        return next((self._directory.resolve(entry.name) for entry in here), None)


def build(installation: Installation, settings: Settings, closing: ExitStack, *, incognito: bool) -> Product:
    """Wire everything together; what must be closed goes on `closing`, in the order of use.

    Raises:
        StoreError: If the profile's folder or its session log can't be opened.
    """
    places = installation.paths(settings)
    if not incognito:
        make_private(places.profile)
        keep_log(places.log)
    clock, counter = SystemClock(), TiktokenCounter()
    database = closing.enter_context(closing_of(Database(None if incognito else places.session_log)))
    log, queue = SqliteSessionLog(database, clock), SqliteJobQueue(database)
    journal, meter = SqliteJournal(database), SqliteMeter(database)
    store = FolderModelStore(places.models)
    embedder = closing.enter_context(closing_of(SentenceTransformersEmbedder(lambda: store.entry(EMBEDDER).path)))
    lance = LanceDatabase(places.memories, places.memories_lock, embedder.model, embedder.dimension)
    memories, turns = LanceMemoryStore(lance), LanceTurnIndex(lance)
    chat_model = chat_model_of(settings, places, store, closing)
    directory = ModelDirectory(
        store,
        {name: chosen(name, provider) for name, provider in settings.providers.items()},
        {Origin.SERVER: running_ollama, Origin.KEY: providers_in_environment},
    )
    choosing = Choosing(directory=directory, store=store, installation=installation, settings=settings)
    background = Background(choosing.is_local)
    closing.callback(background.end)
    writer = MemoryWriter(journal=journal, store=memories, embedder=embedder, clock=clock)
    recall = Recall(Indexes(memories=memories, turns=turns, log=log, journal=journal), embedder, counter, clock)
    extractor = ModelExtractor(chat_model=chat_model, choice=choosing.learns, counter=counter, meter=meter)
    parts = Parts(
        log=log,
        recall=recall,
        chat_model=chat_model,
        counter=counter,
        clock=clock,
        meter=meter,
        ended=lambda _: background.nudge(),
        answering=background.set_answering,
        limits=limits_of(settings),
    )
    return Product(
        installation=installation,
        settings=settings,
        paths=places,
        database=database,
        log=log,
        queue=queue,
        journal=journal,
        meter=meter,
        memories=memories,
        turns=turns,
        embedder=embedder,
        chat_model=chat_model,
        model_store=store,
        models=directory,
        recall=recall,
        conversations=Conversations(parts, Strategy(settings.working_memory.strategy)),
        curator=Curator(writer),
        consolidator=Consolidator(log=log, queue=queue, writer=writer, model=extractor),
        indexer=TurnIndexer(log=log, index=turns, writer=writer),
        forgetting=Forgetting(
            Places(log=log, journal=journal, memories=memories, turns=turns, files=(database, memories, turns)),
            embedder,
            clock,
            alone=writer.alone,
        ),
        importer=Importer(log, queue, read_export),
        choosing=choosing,
        background=background,
    )


def chat_model_of(settings: Settings, places: Paths, store: FolderModelStore, closing: ExitStack) -> LitellmChatModel:
    """The chat model, with the server of the built-in models behind it."""
    server = BuiltinServer(
        places.run,
        lambda name: fetched(store.entry(name)),
        context_tokens=settings.builtin.context_tokens,
        threads=settings.builtin.threads,
    )
    closing.callback(server.close)
    chat_model = LitellmChatModel(server.endpoint, builtin_context_tokens=settings.builtin.context_tokens)
    closing.callback(chat_model.close)
    return chat_model


def fetched(entry: ModelEntry) -> Path:
    """Where a built-in model lies.

    Raises:
        ProviderError: If it was not fetched yet.
    """
    if entry.path is None:
        raise ProviderError(f"The model {entry.name} is not on this machine yet: `chatmem models pull {entry.name}`.")
    return entry.path


def chosen(name: str, provider: ProviderSettings) -> ModelChoice:
    """A model of the settings."""
    return ModelChoice(
        name=name,
        model=provider.model,
        api_base=provider.api_base,
        api_key_env=provider.api_key_env,
        context_tokens=provider.context_tokens,
    )


def limits_of(settings: Settings) -> Limits:
    """How a model's context is shared out."""
    memory = settings.working_memory
    return Limits(reply=memory.reply_tokens, recalled=settings.recall.budget_tokens, summary=memory.summary_tokens)


def keep_log(folder: Path) -> None:
    """Write the log into a file that only its owner can read; without one, chatmem runs all the same."""
    root = logging.getLogger("chatmem")
    root.propagate = False
    if root.handlers:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = folder / "chatmem.log"
        file.touch(mode=0o600)
        handler = logging.handlers.RotatingFileHandler(file, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
    except OSError:
        root.addHandler(logging.NullHandler())
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root.addHandler(handler)
    root.setLevel(logging.INFO)


def run_app(installation: Installation, *, session_id: str | None, resume: bool, incognito: bool) -> None:
    """Open the screen, and close everything behind it.

    Raises:
        ChatMemError: If the settings or the session log can't be read.
    """
    from chatmem.ui.app import ChatMemApp

    with installation.open(incognito=incognito) as product:
        session = product.log.session(SessionId(session_id)) if session_id else None
        app = ChatMemApp(
            product,
            choice=product.choosing.choose(session),
            session_id=session.id if session else None,
            resume_latest=resume,
            theme=product.settings.theme,
        )
        app.run()
