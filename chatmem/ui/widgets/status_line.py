"""The status line: model, context, strategy, and what goes on behind the screen."""

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from chatmem.consolidation.news import (
    ConsolidationFailed,
    ConsolidationNews,
    ConsolidationPostponed,
    ConsolidationStarted,
    SessionConsolidated,
)
from chatmem.conversation import Gauge, Strategy
from chatmem.ui.wording import amount, counted

BAR_CELLS = 8
NEARLY_FULL = 0.85

STRATEGIES = {Strategy.SLIDING: "sliding window", Strategy.SUMMARISING: "running summary"}


class StatusLine(Widget):
    """One line; what does not fit on it is cut at the right.

    Attributes:
        model: The model of the next turn.
        gauge: How full its context is; `None` while that is not known.
        strategy: What becomes of turns that no longer fit.
        learning: State of consolidation.
        activity: What is being loaded.
        trouble: Whether `learning` is a failure.
    """

    model: reactive[str] = reactive("")
    gauge: reactive[Gauge | None] = reactive(None)
    strategy: reactive[Strategy | None] = reactive(None)
    learning: reactive[str] = reactive("")
    trouble: reactive[bool] = reactive(False)
    activity: reactive[str] = reactive("")

    def render(self) -> Content:
        """Draw model and context at the left, what goes on at the right."""
        left = Content("  ").join(
            [part for part in (self._model_part(), self._context_part(), self._strategy_part()) if part]
        )
        right = Content("  ").join([part for part in (self._learning_part(), self._activity_part()) if part])
        room = self.content_size.width - left.cell_length - 2
        if room < 8:
            return left
        right = right.truncate(room, ellipsis=True)
        return left + Content(" " * (room + 2 - right.cell_length)) + right

    def hear(self, news: ConsolidationNews) -> None:
        """Show what consolidation is doing."""
        self.trouble = isinstance(news, ConsolidationFailed)
        match news:
            case ConsolidationStarted():
                self.learning = "learning…"
            case SessionConsolidated(added=0):
                self.learning = "nothing new to learn"
            case SessionConsolidated(added=added):
                self.learning = counted(added, "new memory", "new memories")
            case ConsolidationPostponed(reason=reason):
                self.learning = f"waiting: {reason}"
            case ConsolidationFailed(reason=reason):
                self.learning = f"not learning: {reason}"

    def _model_part(self) -> Content:
        return Content.styled(self.model or "no model chosen", "bold $foreground" if self.model else "$warning")

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

    def _learning_part(self) -> Content:
        return Content.styled(self.learning, "$text-warning" if self.trouble else "$accent")

    def _activity_part(self) -> Content:
        return Content.styled(self.activity, "$foreground-muted")
