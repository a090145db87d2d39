"""The status line: model, context, strategy, what was spent, and what goes on behind the screen."""

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from chatmem.consolidation.news import (
    ConsolidationFailed,
    ConsolidationNews,
    ConsolidationPostponed,
    ConsolidationStarted,
    ImportLearned,
    InstructionReplaced,
    SessionConsolidated,
)
from chatmem.conversation import Gauge, Spending, Strategy
from chatmem.domain.model import Usage
from chatmem.domain.text import shortened
from chatmem.ui.wording import amount, clock_time, counted, money

BAR_CELLS = 8
NEARLY_FULL = 0.85
LEAST_CELLS = 8
"""Left for what goes on behind the screen, or it is not shown at all."""

MODEL_CELLS = 32
"""Of a model's name; some are paths."""

REPLACED = 24
"""Characters of each of two instructions, of which one took the other's place."""

STRATEGIES = {Strategy.SLIDING: "sliding window", Strategy.SUMMARISING: "running summary"}


class StatusLine(Widget):
    """One line; where it is too narrow for all, spending gives way to what goes on, then the strategy does.

    Attributes:
        model: The model of the turn that is being carried out, else of the next.
        upcoming: The model of the next turn, where it is another one.
        gauge: How full its context is; `None` while that is not known.
        strategy: What becomes of turns that no longer fit.
        spending: What this session and this day have cost; `None` while that is not known.
        profile: The profile in use; empty for the usual one.
        as_of: The day as of which memories are recalled; empty for the present.
        incognito: Whether nothing is kept.
        off_record: Whether learning is paused.
        fitting: What the model no longer sees of the conversation.
        to_review: How many memories wait for the person's word.
        learning: State of consolidation.
        activity: What is being loaded.
        trouble: Whether `learning` is a failure.
    """

    model: reactive[str] = reactive("")
    upcoming: reactive[str] = reactive("")
    gauge: reactive[Gauge | None] = reactive(None)
    strategy: reactive[Strategy | None] = reactive(None)
    spending: reactive[Spending | None] = reactive(None)
    profile: reactive[str] = reactive("")
    as_of: reactive[str] = reactive("")
    incognito: reactive[bool] = reactive(False)
    off_record: reactive[bool] = reactive(False)
    fitting: reactive[str] = reactive("")
    to_review: reactive[int] = reactive(0)
    learning: reactive[str] = reactive("")
    trouble: reactive[bool] = reactive(False)
    activity: reactive[str] = reactive("")

    def render(self) -> Content:
        """Draw model and context at the left, what was spent, and what goes on at the right."""
        width = self.content_size.width
        right = _joined([self._fitting_part(), self._review_part(), self._learning_part(), self._activity_part()])
        left = self._left(width - right.cell_length - 2)
        room = width - left.cell_length - 2
        if room < LEAST_CELLS:
            return left
        right = right.truncate(room, ellipsis=True)
        return left + Content(" " * (room + 2 - right.cell_length)) + right

    def hear(self, news: ConsolidationNews) -> None:
        """Show what consolidation is doing."""
        self.trouble = isinstance(news, ConsolidationFailed)
        match news:
            case ConsolidationStarted():
                self.learning = "learning…"
            case SessionConsolidated(added=added, note=note):
                learned = counted(added, "new memory", "new memories") if added else "nothing new to learn"
                self.learning = f"{learned}, {note}" if note else learned
            case ImportLearned(done=done, sessions=sessions) if done < sessions:
                self.learning = f"learning from imports: {done:,} of {counted(sessions, 'session')}"
            case ImportLearned(sessions=sessions):
                self.learning = f"learned from {counted(sessions, 'imported session')}"
            case InstructionReplaced(kept=kept, retired=retired):
                self.learning = f"“{shortened(kept, REPLACED)}” did better than “{shortened(retired, REPLACED)}”"
            case ConsolidationPostponed(reason=reason, again_at=again_at):
                self.learning = f"waiting{f' until {clock_time(again_at)}' if again_at else ''}: {reason}"
            case ConsolidationFailed(reason=reason):
                self.learning = f"not learning: {reason}"

    def _left(self, width: int) -> Content:
        """Model and context, and as much else as there is room for."""
        profile = Content.styled(f"[{self.profile}]" if self.profile else "", "$accent")
        needed = [profile, self._model_part(), self._mode_part(), self._context_part()]
        spare = [self._strategy_part(), self._spending_part()]
        shown = [_joined([*needed, *spare[:number]]) for number in (2, 1, 0)]
        return next((left for left in shown if left.cell_length <= width), shown[-1])

    def _model_part(self) -> Content:
        name = Content.styled(
            shortened(self.model, MODEL_CELLS) or "no model chosen", "bold $foreground" if self.model else "$warning"
        )
        return name + Content.styled(f" · next: {self.upcoming}" if self.upcoming else "", "$accent")

    def _mode_part(self) -> Content:
        """What is unlike every day: that nothing is kept, that nothing is learned, or that it is another day."""
        paused = "learning paused" if self.off_record and not self.incognito else ""
        modes = ["incognito" if self.incognito else paused, f"as of {self.as_of}" if self.as_of else ""]
        return Content.styled(" · ".join(mode for mode in modes if mode), "bold $text-warning")

    def _context_part(self) -> Content:
        if self.gauge is None:
            return Content()
        share = min(1.0, self.gauge.share)
        filled = round(share * BAR_CELLS) if share < 0.03 else max(1, round(share * BAR_CELLS))
        colour = "$warning" if share >= NEARLY_FULL else "$primary"
        return Content.assemble(
            ("━" * filled, colour),
            ("━" * (BAR_CELLS - filled), "$border-blurred"),
            (f" {amount(self.gauge.used)}/{amount(self.gauge.budget)}", "$foreground-muted"),
        )

    def _strategy_part(self) -> Content:
        return Content.styled(STRATEGIES[self.strategy] if self.strategy else "", "$foreground-muted")

    def _spending_part(self) -> Content:
        return Content.styled(spent(self.spending) if self.spending else "", "$foreground-muted")

    def _fitting_part(self) -> Content:
        return Content.styled(self.fitting, "$text-warning")

    def _review_part(self) -> Content:
        return Content.styled(f"{self.to_review:,} to review · F7" if self.to_review else "", "$accent")

    def _learning_part(self) -> Content:
        return Content.styled(self.learning, "$text-warning" if self.trouble else "$accent")

    def _activity_part(self) -> Content:
        return Content.styled(self.activity, "$foreground-muted")


def spent(spending: Spending) -> str:
    """What a session and a day have cost, `$0.04 · today $0.31`; tokens where it was free."""
    session, today = _cost(spending.session), _cost(spending.today)
    return f"{session} · today {today}" if session and today else session or today


def _cost(usage: Usage) -> str:
    if usage.cost_usd:
        return money(usage.cost_usd)
    tokens = usage.prompt_tokens + usage.completion_tokens
    return f"{amount(tokens)} tokens" if tokens else ""


def _joined(parts: list[Content]) -> Content:
    return Content("  ").join([part for part in parts if part])
