"""Choosing implementations, and wiring them together."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextlib import closing as closing_of
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from chatmem.adapters.keys import KeyFinder
from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.feedback import SqliteFeedback
from chatmem.adapters.sqlite.job_queue import SqliteJobQueue
from chatmem.adapters.sqlite.journal import SqliteJournal
from chatmem.adapters.sqlite.meter import SqliteMeter
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.adapters.sqlite.talk import SqliteTalk
from chatmem.adapters.system.answering import AnsweringMark
from chatmem.adapters.system.clock import SystemClock
from chatmem.adapters.system.log_file import keep_log
from chatmem.adapters.tiktoken.counter import TiktokenCounter
from chatmem.bootstrap.background import Background, at_once
from chatmem.bootstrap.choosing import Choosing
from chatmem.bootstrap.embedders import OwnedEmbedder
from chatmem.bootstrap.indexes import open_indexes, upkeep_of
from chatmem.bootstrap.installation import Installation
from chatmem.bootstrap.models import chat_model_of, directory_of
from chatmem.bootstrap.opening import embedder_of, former_embedder
from chatmem.bootstrap.policy import policy_of, secret_detector
from chatmem.bootstrap.product import Product
from chatmem.bootstrap.profiles import profile_file, profiles_of
from chatmem.bootstrap.stand_ins import StandIns
from chatmem.config.paths import make_private
from chatmem.config.schema import Settings
from chatmem.consolidation.admission import Admission
from chatmem.consolidation.consolidator import Consolidator
from chatmem.consolidation.curator import Curator
from chatmem.consolidation.extract import ModelExtractor
from chatmem.consolidation.hygiene import Hygiene
from chatmem.consolidation.indexing import TurnIndexer
from chatmem.consolidation.undoing import Undo
from chatmem.consolidation.upkeep import DailyUpkeep
from chatmem.consolidation.writer import MemoryWriter
from chatmem.conversation import Conversations, Importer, Limits, Parts, ProviderProfiles, Strategy
from chatmem.conversation.importing import Exported
from chatmem.conversation.profiles import choices
from chatmem.conversation.screening import Screening
from chatmem.forgetting import Forgetting, Places
from chatmem.recall import Recall
from chatmem.recall.recall import Indexes


@contextmanager
def open_product(
    installation: Installation,
    *,
    incognito: bool = False,
    extractor: Literal["rules", "model"] | None = None,
    stand_ins: StandIns | None = None,
) -> Iterator[Product]:
    """Build everything, and close it again.

    Args:
        installation: What the command line said.
        incognito: Keep the session log in memory only.
        extractor: In place of the setting.
        stand_ins: In place of the usual implementations.

    Raises:
        SettingsError: If the settings are wrong.
        StoreError: If the profile's folder or its session log can't be opened.
    """
    settings = installation.settings()
    if extractor:
        settings = settings.with_extractor(extractor)
    with ExitStack() as closing:
        product = build(installation, settings, closing, incognito=incognito, stand_ins=stand_ins or StandIns())
        product.conversations.close_interrupted()
        yield product


def build(
    installation: Installation, settings: Settings, closing: ExitStack, *, incognito: bool, stand_ins: StandIns
) -> Product:
    """Wire everything together; what must be closed goes on `closing`, in the order of use.

    Raises:
        StoreError: If the profile's folder or its session log can't be opened.
    """
    places = installation.paths(settings)
    if not incognito:
        make_private(places.profile)
        keep_log(places.log)
    clock, counter = stand_ins.clock or SystemClock(), TiktokenCounter()
    database = closing.enter_context(closing_of(Database(None if incognito else places.session_log)))
    log, queue = SqliteSessionLog(database, clock), SqliteJobQueue(database)
    journal, meter = SqliteJournal(database), SqliteMeter(database, clock)
    store = FolderModelStore(places.models)
    keys = KeyFinder()
    wanted = stand_ins.embedder or closing.enter_context(closing_of(embedder_of(store, settings, keys)))
    # Never written to in an incognito conversation, unless the person adds a memory by hand; gone when it ends.
    scratch = Path(closing.enter_context(TemporaryDirectory())) if incognito else places.profile
    searched = open_indexes(
        scratch, places, wanted, lambda model: former_embedder(model, store, settings, keys), closing
    )
    memories, turns, embedder = searched.memories, searched.turns, searched.embedder
    chat_model = chat_model_of(settings, places, store, keys, closing)
    profiles = profiles_of(settings)
    directory = directory_of(store, choices(profiles), chat_model, log)
    providers = ProviderProfiles(
        profiles,
        file=profile_file(places.config_file),
        keys=keys,
        chat_model=chat_model,
        changed=directory.configure,
    )
    choosing = Choosing(
        directory=directory,
        store=store,
        installation=installation,
        settings=settings,
        meter=meter,
        facts=chat_model.facts,
    )
    screening = Screening(secret_detector(), meter)
    background = Background(
        answers_here=choosing.answers_here,
        learns_here=choosing.learns_here,
        mark=AnsweringMark(places.run / "answering"),
    )
    upkeep = upkeep_of(searched, settings=settings, log=log, journal=journal, gate=background.gate, closing=closing)
    closing.callback(background.end)
    writer = MemoryWriter(
        journal=journal,
        store=memories,
        embedder=embedder,
        clock=clock,
        conflicts=settings.consolidation.conflicts,
        review=settings.consolidation.review,
    )
    indexes = Indexes(
        memories=memories,
        turns=turns,
        journal=journal,
        feedback=SqliteFeedback(database),
        talk=SqliteTalk(database),
    )
    recall = Recall(indexes, embedder, counter, clock)
    extractor = ModelExtractor(chat_model=chat_model, choice=choosing.learns, counter=counter, meter=meter)
    consolidator = Consolidator(
        log=log,
        queue=queue,
        writer=writer,
        model=extractor,
        why_rules=choosing.why_rules,
        admission=Admission(stand_ins.policy or policy_of(settings.policy), screening.screened),
    )
    parts = Parts(
        log=log,
        recall=recall,
        chat_model=chat_model,
        counter=counter,
        clock=clock,
        meter=meter,
        screening=screening,
        said=at_once(consolidator) if settings.consolidation.write == "now" and not incognito else lambda _: None,
        ended=lambda _: background.nudge(),
        recalls=not incognito,
        answering=background.set_answering,
        limits=limits_of(settings),
        chat_budget=choosing.chat_budget,
        background=choosing.sums_up,
        resolve=directory.resolve,
    )
    return Product(
        incognito=incognito,
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
        generations=searched.generations,
        upkeep=upkeep,
        counter=counter,
        chat_model=chat_model,
        model_store=store,
        models=directory,
        providers=providers,
        keys=keys,
        recall=recall,
        conversations=Conversations(parts, Strategy(settings.working_memory.strategy)),
        screening=screening,
        curator=Curator(writer, screening.screened),
        undo=Undo(writer),
        hygiene=Hygiene(journal=journal, store=memories),
        daily=DailyUpkeep(writer),
        consolidator=consolidator,
        indexer=TurnIndexer(log=log, index=turns, writer=writer),
        forgetting=Forgetting(
            Places(log=log, journal=journal, memories=memories, turns=turns, files=(database, memories, turns)),
            embedder,
            clock,
            alone=writer.alone,
        ),
        importer=Importer(log, queue, screening, exported),
        choosing=choosing,
        background=background,
    )


@contextmanager
def shared_embedder(installation: Installation) -> Iterator[OwnedEmbedder]:
    """An embedder for several products that are opened one after another.

    Raises:
        SettingsError: If the settings are wrong.
    """
    settings = installation.settings()
    store = FolderModelStore(installation.paths(settings).models)
    with closing_of(embedder_of(store, settings, KeyFinder())) as embedder:
        yield embedder


def exported(file: Path) -> Iterator[Exported]:
    """The sessions of an export file; what reads them imports pydantic, which takes too long for the start."""
    from chatmem.adapters.exports import read_export

    return read_export(file)


def limits_of(settings: Settings) -> Limits:
    """How a model's context is shared out."""
    memory = settings.working_memory
    return Limits(reply=memory.reply_tokens, recalled=settings.recall.budget_tokens, summary=memory.summary_tokens)
