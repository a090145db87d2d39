"""Wiring the services together: what learns, talks, explains and forgets."""

from typing import TYPE_CHECKING

from chatmem.bootstrap.built import built
from chatmem.bootstrap.wiring import Wiring

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatmem.adapters.exports.memory_files import MemoryFiles
    from chatmem.adapters.sqlite.session_eraser import SqliteSessionEraser
    from chatmem.consolidation.consolidator import Consolidator
    from chatmem.consolidation.curator import Curator
    from chatmem.consolidation.feedback import AnswerFeedback
    from chatmem.consolidation.hygiene import Hygiene
    from chatmem.consolidation.indexing import TurnIndexer
    from chatmem.consolidation.taking_over import TakingOver
    from chatmem.consolidation.undoing import Undo
    from chatmem.consolidation.upkeep import DailyUpkeep
    from chatmem.conversation import Conversations, Importer
    from chatmem.conversation.explaining import Explaining
    from chatmem.domain.turn import Turn
    from chatmem.forgetting.forgetting import Forgetting
    from chatmem.forgetting.tombstones import Tombstones


class Services(Wiring):
    """What can be asked of memories and conversations."""

    @built
    def consolidator(self) -> "Consolidator":
        """Draws memories from talk."""
        from chatmem.bootstrap.policy import policy_of
        from chatmem.consolidation.admission import Admission
        from chatmem.consolidation.consolidator import Consolidator
        from chatmem.consolidation.extract import ModelExtractor

        policy = self._stand_ins.policy or policy_of(self.settings.policy)
        return Consolidator(
            log=self.log,
            queue=self.queue,
            writer=self.writer,
            model=ModelExtractor(
                chat_model=self.chat_model, choice=self.choosing.learns, counter=self.counter, meter=self.meter
            ),
            why_rules=self.choosing.why_rules,
            admission=Admission(policy, self.screening.screened),
            feedback=self.answer_feedback,
            blocked=lambda rule: self.meter.count_blocked([rule]),
        )

    @built
    def answer_feedback(self) -> "AnswerFeedback":
        """Counts for instructions what the person thinks of answers."""
        from chatmem.consolidation.feedback import AnswerFeedback

        return AnswerFeedback(self.log, self.feedback, self.writer)

    @built
    def conversations(self) -> "Conversations":
        """Begins conversations and takes them up again."""
        from chatmem.conversation import Conversations, Limits, Parts, Strategy

        memory = self.settings.working_memory
        parts = Parts(
            log=self.log,
            recall=self.recall,
            chat_model=self.chat_model,
            counter=self.counter,
            clock=self.clock,
            meter=self.meter,
            screening=self.screening,
            said=self._said(),
            ended=lambda _: self.background.nudge(),
            recalls=not self.incognito,
            answering=self.background.set_answering,
            limits=Limits(
                reply=memory.reply_tokens, recalled=self.settings.recall.budget_tokens, summary=memory.summary_tokens
            ),
            chat_budget=self.choosing.chat_budget,
            background=self.choosing.sums_up,
            resolve=self.models.resolve,
        )
        return Conversations(parts, Strategy(memory.strategy))

    @built
    def explaining(self) -> "Explaining":
        """Tells what answers rested on."""
        from chatmem.adapters.sqlite.feedback import SqliteFeedback
        from chatmem.conversation.explaining import Explaining

        return Explaining(self.log, self.memories, SqliteFeedback(self.database))

    @built
    def curator(self) -> "Curator":
        """Adds, edits and pins memories."""
        from chatmem.consolidation.curator import Curator

        return Curator(self.writer, self.screening.screened)

    @built
    def undo(self) -> "Undo":
        """Takes change sets back."""
        from chatmem.consolidation.undoing import Undo

        return Undo(self.writer)

    @built
    def hygiene(self) -> "Hygiene":
        """Finds what has become stale."""
        from chatmem.consolidation.hygiene import Hygiene

        return Hygiene(journal=self.journal, store=self.memories)

    @built
    def daily(self) -> "DailyUpkeep":
        """What is done to memories once a day."""
        from chatmem.consolidation.upkeep import DailyUpkeep

        return DailyUpkeep(self.writer)

    @built
    def indexer(self) -> "TurnIndexer":
        """Indexes what was said."""
        from chatmem.consolidation.indexing import TurnIndexer

        return TurnIndexer(log=self.log, index=self.turns, writer=self.writer)

    @built
    def session_eraser(self) -> "SqliteSessionEraser":
        """Erases whole sessions, and knows which were."""
        from chatmem.adapters.sqlite.session_eraser import SqliteSessionEraser

        return SqliteSessionEraser(self.database)

    @built
    def forgetting(self) -> "Forgetting":
        """Erases memories."""
        from chatmem.adapters.sqlite.wordings import SqliteWordings
        from chatmem.forgetting.forgetting import Forgetting
        from chatmem.forgetting.plan import Places

        places = Places(
            log=self.log,
            wordings=SqliteWordings(self.database),
            sessions=self.session_eraser,
            journal=self.journal,
            memories=self.memories,
            turns=self.turns,
            files=(self.database, self.memories, self.turns),
        )
        return Forgetting(places, self.embedder, self.clock, alone=self.writer.alone)

    @built
    def tombstones(self) -> "Tombstones":
        """What forgetting left behind."""
        from chatmem.forgetting.tombstones import Tombstones

        return Tombstones(self.journal, self.session_eraser)

    @built
    def importer(self) -> "Importer":
        """Takes sessions over from other programs."""
        from chatmem.adapters.exports import read_export
        from chatmem.conversation import Importer
        from chatmem.forgetting.known import KnownSessions

        known = KnownSessions(self.session_eraser, self.journal)
        return Importer(self.log, self.queue, self.screening, read_export, forgotten=known.forgotten)

    @built
    def memory_files(self) -> "MemoryFiles":
        """Reads and writes files of memories."""
        from chatmem.adapters.exports.memory_files import MemoryFiles

        return MemoryFiles(self.clock.now)

    @built
    def taking_over(self) -> "TakingOver":
        """Takes memories over from elsewhere."""
        from chatmem.bootstrap.policy import policy_of
        from chatmem.consolidation.taking_over import TakingOver

        policy = self._stand_ins.policy or policy_of(self.settings.policy)
        return TakingOver(self.writer, policy, self.screening.look, self.log.turn, self.memory_files.read)

    def _said(self) -> "Callable[[Turn], object]":
        """What is done with each turn before it is answered."""
        if self.settings.consolidation.write != "now" or self.incognito:
            return lambda _: None
        from chatmem.bootstrap.background import at_once

        return at_once(self.consolidator, self.generations.whole)
