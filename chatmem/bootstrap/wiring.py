"""Choosing implementations, and wiring together what the services work with."""

from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.meter import SqliteMeter
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.adapters.system.clock import SystemClock
from chatmem.adapters.system.log_file import keep_log
from chatmem.bootstrap.built import Building, built
from chatmem.bootstrap.choosing import Choosing
from chatmem.bootstrap.installation import Installation
from chatmem.bootstrap.profiles import profile_file, profiles_of
from chatmem.bootstrap.stand_ins import StandIns
from chatmem.config.paths import make_private
from chatmem.config.schema import Settings
from chatmem.domain.model import ModelChoice, ModelFacts

if TYPE_CHECKING:
    from chatmem.adapters.lancedb.answering import AnsweringMemories, AnsweringTurns
    from chatmem.adapters.lancedb.generations import LanceGenerations
    from chatmem.adapters.lancedb.remote import RemoteStore
    from chatmem.adapters.litellm.chat_model import LitellmChatModel
    from chatmem.adapters.sqlite.feedback import SqliteFeedback
    from chatmem.adapters.sqlite.job_queue import SqliteJobQueue
    from chatmem.adapters.sqlite.journal import SqliteJournal
    from chatmem.adapters.tiktoken.counter import TiktokenCounter
    from chatmem.bootstrap.background import Background
    from chatmem.bootstrap.embedders import EmbedderInUse
    from chatmem.bootstrap.indexes import ProfileIndexes
    from chatmem.bootstrap.upkeep import Upkeep
    from chatmem.consolidation.writer import MemoryWriter
    from chatmem.conversation import ModelDirectory, ProviderProfiles
    from chatmem.conversation.screening import Screening
    from chatmem.ports.clock import Clock
    from chatmem.ports.keys import Keys
    from chatmem.recall.recall import Recall


class Wiring(Building):
    """What the services work with.

    What the first screen shows is built at once, all else when it is first asked for: what a part needs is imported
    where it is built.

    Attributes:
        incognito: Nothing is kept, nothing is recalled, nothing is learned.
        installation: What the command line said.
        settings: The settings that it comes to.
        paths: The folders that they come to.
        clock: Tells the time.
        database: The profile's SQLite file.
        log: What was said.
        meter: What was consumed.
        model_store: The built-in models.
        choosing: Which model does what.
    """

    def __init__(
        self,
        installation: Installation,
        settings: Settings,
        ending: ExitStack,
        *,
        incognito: bool = False,
        stand_ins: StandIns | None = None,
    ) -> None:
        """Open the session log.

        Args:
            installation: What the command line said.
            settings: The settings that it comes to.
            ending: What must be closed goes here, in the order of use.
            incognito: Keep the session log in memory only.
            stand_ins: In place of the usual implementations.

        Raises:
            StoreError: If the profile's folder or its session log can't be opened.
        """
        super().__init__()
        self.incognito, self.installation, self.settings = incognito, installation, settings
        self.paths = installation.paths(settings)
        self._ending = ending
        self._stand_ins = stand_ins or StandIns()
        if not incognito:
            make_private(self.paths.profile)
            keep_log(self.paths.log)
        self.clock: Clock = self._stand_ins.clock or SystemClock()
        self.database = ending.enter_context(closing(Database(None if incognito else self.paths.session_log)))
        self.log = SqliteSessionLog(self.database, self.clock)
        self.meter = SqliteMeter(self.database, self.clock)
        self.model_store = FolderModelStore(self.paths.models)
        self.choosing = Choosing(
            directory=self.models,
            store=self.model_store,
            installation=installation,
            settings=settings,
            meter=self.meter,
            facts=self.facts,
        )

    def facts(self, choice: ModelChoice) -> ModelFacts:
        """What is known of a model, without asking anybody."""
        return self.chat_model.facts(choice)

    @built
    def queue(self) -> "SqliteJobQueue":
        """What waits to be consolidated."""
        from chatmem.adapters.sqlite.job_queue import SqliteJobQueue

        return SqliteJobQueue(self.database)

    @built
    def journal(self) -> "SqliteJournal":
        """What was learned, and how it came about."""
        from chatmem.adapters.sqlite.journal import SqliteJournal

        return SqliteJournal(self.database)

    @built
    def counter(self) -> "TiktokenCounter":
        """Counts tokens."""
        from chatmem.adapters.tiktoken.counter import TiktokenCounter

        return TiktokenCounter()

    @built
    def keys(self) -> "Keys":
        """Finds and keeps keys."""
        from chatmem.adapters.keys import KeyFinder

        return KeyFinder()

    @built
    def screening(self) -> "Screening":
        """Takes secrets out of what is kept and sent."""
        from chatmem.bootstrap.policy import secret_detector
        from chatmem.conversation.screening import Screening

        return Screening(secret_detector(), self.meter)

    @built
    def chat_model(self) -> "LitellmChatModel":
        """Answers, with the server of the built-in models behind it."""
        from chatmem.bootstrap.chat_model import chat_model_of

        return chat_model_of(self.settings, self.paths, self.model_store, self.keys, self._ending)

    @built
    def models(self) -> "ModelDirectory":
        """The models at hand."""
        from chatmem.bootstrap.models import directory_of
        from chatmem.conversation.profiles import choices

        return directory_of(self.model_store, choices(profiles_of(self.settings)), self.facts, self.log)

    @built
    def providers(self) -> "ProviderProfiles":
        """The provider profiles of the settings file."""
        from chatmem.conversation.profiles import ProviderProfiles

        return ProviderProfiles(
            profiles_of(self.settings),
            file=profile_file(self.paths.config_file),
            keys=self.keys,
            chat_model=self.chat_model,
            changed=self.models.configure,
        )

    @built
    def indexes(self) -> "ProfileIndexes":
        """Where recall looks, and the embedder that goes with it."""
        from chatmem.bootstrap.indexes import open_indexes
        from chatmem.bootstrap.opening import embedder_of, former_embedder

        store, settings, keys = self.model_store, self.settings, self.keys
        wanted = self._stand_ins.embedder or self._ending.enter_context(closing(embedder_of(store, settings, keys)))
        # Never written to in an incognito conversation, unless the person adds a memory by hand; gone when it ends.
        folder = Path(self._ending.enter_context(TemporaryDirectory())) if self.incognito else self.paths.profile
        return open_indexes(
            folder,
            self.paths,
            wanted,
            lambda model: former_embedder(model, store, settings, keys),
            self._ending,
            edge=settings.recall.edge,
        )

    @property
    def memories(self) -> "AnsweringMemories":
        """The memory store."""
        return self.indexes.memories

    @property
    def turns(self) -> "AnsweringTurns":
        """The index of turns."""
        return self.indexes.turns

    @property
    def embedder(self) -> "EmbedderInUse":
        """Embeds for the vectors that are searched."""
        return self.indexes.embedder

    @property
    def generations(self) -> "LanceGenerations":
        """The indexes of former and coming embedders."""
        return self.indexes.generations

    @built
    def background(self) -> "Background":
        """The consolidation thread, and what holds it back."""
        from chatmem.adapters.system.answering import AnsweringMark
        from chatmem.bootstrap.background import Background

        return Background(
            answers_here=self.choosing.answers_here,
            learns_here=self.choosing.learns_here,
            mark=AnsweringMark(self.paths.run / "answering"),
        )

    @built
    def upkeep(self) -> "Upkeep":
        """The thread that keeps the indexes whole."""
        from chatmem.bootstrap.indexes import upkeep_of

        return upkeep_of(
            self.indexes,
            settings=self.settings,
            log=self.log,
            journal=self.journal,
            gate=self.background.gate,
            closing=self._ending,
        )

    @built
    def writer(self) -> "MemoryWriter":
        """The one way into the memory store."""
        from chatmem.adapters.system.alone import Alone
        from chatmem.consolidation.writer import MemoryWriter

        return MemoryWriter(
            journal=self.journal,
            store=self.memories,
            embedder=self.embedder,
            clock=self.clock,
            conflicts=self.settings.consolidation.conflicts,
            review=self.settings.consolidation.review,
            alone=None if self.incognito else Alone(self.paths.profile / "learning.lock"),
        )

    @built
    def feedback(self) -> "SqliteFeedback":
        """What became of what was recalled, and of answers."""
        from chatmem.adapters.sqlite.feedback import SqliteFeedback

        return SqliteFeedback(self.database)

    @built
    def remote(self) -> "RemoteStore | None":
        """The LanceDB elsewhere; `None` where the settings name none, and off the record."""
        from chatmem.bootstrap.remote import remote_store

        return None if self.incognito else remote_store(self.settings.recall.remote, self.keys)

    @built
    def recall(self) -> "Recall":
        """Finds memories and earlier turns."""
        from chatmem.adapters.sqlite.talk import SqliteTalk
        from chatmem.consolidation.profile_card import card_memories
        from chatmem.recall.recall import Card, Indexes, Recall

        indexes = Indexes(
            memories=self.memories,
            turns=self.turns,
            journal=self.journal,
            feedback=self.feedback,
            talk=SqliteTalk(self.database),
            far=self.remote,
        )
        tokens = self.settings.recall.card_tokens
        card = Card(memories=lambda: card_memories(self.memories, tokens), tokens=tokens) if tokens else None
        return Recall(indexes, self.embedder, self.counter, self.clock, card=card)

    def end(self) -> None:
        """Stop consolidation within a bounded time, before what it works with is closed."""
        if "background" in vars(self):
            self.background.end()
