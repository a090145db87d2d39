"""The chat screen."""

import asyncio
from collections.abc import Callable, Iterator
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer

from chatmem.consolidation.news import ConsolidationNews
from chatmem.conversation import Conversation, Strategy
from chatmem.domain.model import ModelChoice
from chatmem.domain.turn import SessionId
from chatmem.ui.failures import telling
from chatmem.ui.services import Services
from chatmem.ui.widgets.conversation_pane import ConversationPane
from chatmem.ui.widgets.recalled_pane import RecalledPane
from chatmem.ui.widgets.session_list import SHOWN, SessionList
from chatmem.ui.widgets.status_line import StatusLine

BUSY = "An answer is still arriving. Wait for it, or stop it with Esc."


class ChatScreen(Screen[None]):
    """A conversation, the sessions beside it, and what was recalled for its answers.

    Args:
        services: What is behind the screen.
        choice: The model to talk to; `None` until the person has chosen one.
        session_id: The session to open; `None` for a new one.
        resume_latest: Open the session last spoken in.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (110, "-wide")]  # noqa: RUF012 as Textual has it
    AUTO_FOCUS = "PromptBox"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", "Stop", key_display="Esc"),
        Binding("f1", "app.help", "Help", key_display="F1"),
        Binding("f2", "memories", "Memories", key_display="F2"),
        Binding("f3,ctrl+b", "sessions", "Sessions", key_display="F3"),
        Binding("f4", "recalled", "Recalled", key_display="F4"),
        Binding("f5,ctrl+l", "model", "Model", key_display="F5"),
        Binding("ctrl+n", "new", "New"),
        Binding("ctrl+t", "strategy", "Strategy", show=False),
        Binding("ctrl+y", "copy_answer", "Copy answer", show=False, priority=True),
    ]

    def __init__(
        self,
        services: Services,
        choice: ModelChoice | None,
        *,
        session_id: SessionId | None = None,
        resume_latest: bool = False,
    ) -> None:
        super().__init__()
        self._services = services
        self._choice = choice
        self._session_id = session_id
        self._resume_latest = resume_latest
        self._strategy: Strategy | None = None

    def compose(self) -> ComposeResult:
        """Lay out sessions, conversation and recalled memories above the status line."""
        with Horizontal(id="panes"):
            yield SessionList()
            yield ConversationPane()
            yield RecalledPane()
        yield StatusLine()
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Take up the conversation that was asked for."""
        self._show_choice()
        self._list_sessions()
        if self._choice is not None:
            self._open(self._choice, self._session_id, latest=self._resume_latest)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to stop only what is running."""
        return self._pane.answering if action == "stop" else super().check_action(action, parameters)

    def use(self, choice: ModelChoice) -> None:
        """Talk to a model from the next turn on, and at the next start."""
        first = self._choice is None
        self._choice = choice
        self._show_choice()
        self._save("model", choice.name)
        if self._pane.conversation is not None:
            self._pane.conversation.choice = choice
            self._pane.measure()
        elif first:
            self._open(choice, self._session_id, latest=self._resume_latest)

    def hear(self, news: ConsolidationNews) -> None:
        """Show what consolidation is doing."""
        self.query_one(StatusLine).hear(news)

    def show_loading(self, what: str) -> None:
        """Show what is being loaded; when all is, what needed it can be measured."""
        self.query_one(StatusLine).activity = what
        if not what:
            self._pane.measure()

    def commands(self) -> Iterator[SystemCommand]:
        """Everything that can be done here, for the command palette."""
        named: list[tuple[str, str, Callable[[], object]]] = [
            ("New conversation", "Begin anew; this one stays in the list", self.action_new),
            ("Switch the model", "It answers from the next turn on", self.action_model),
            ("Memories", "Look at, trace, correct and forget what is remembered", self.action_memories),
            ("Sessions", "Go to the list of conversations", self.action_sessions),
            ("Recalled", "Show or hide what was recalled for the answer", self.action_recalled),
            ("Working memory strategy", "Sliding window, or running summary", self.action_strategy),
            ("Stop the answer", "What has arrived is kept", self.action_stop),
            ("Copy the last answer", "To the clipboard", self.action_copy_answer),
            ("Learn now", "Turn what was said into memories without waiting", self.action_learn),
        ]
        for title, meaning, action in named:
            yield SystemCommand(title, meaning, action)

    def action_stop(self) -> None:
        """Stop the running answer."""
        self._pane.stop()

    def action_new(self) -> None:
        """Begin a new conversation."""
        if self._choice is not None and not self._refused_while_answering():
            self._open(self._choice, None)

    def action_model(self) -> None:
        """Pick another model."""
        from chatmem.ui.screens.models import ModelPicker

        def picked(choice: ModelChoice | None) -> None:
            if choice is not None:
                self.use(choice)

        self.app.push_screen(ModelPicker(self._services, self._choice.name if self._choice else ""), picked)

    def action_memories(self) -> None:
        """Open the memory screen."""
        from chatmem.ui.screens.memory import MemoryScreen

        self.app.push_screen(MemoryScreen(self._services))

    def action_sessions(self) -> None:
        """Go to the session list; from there, hide it."""
        sessions = self.query_one(SessionList)
        if sessions.display and sessions.has_focus_within:
            _set_shown(sessions, False)
            self._pane.focus_prompt()
        else:
            _set_shown(sessions, True)
            sessions.focus_list()

    def action_recalled(self) -> None:
        """Show or hide what was recalled."""
        recalled = self.query_one(RecalledPane)
        _set_shown(recalled, not recalled.display)

    def action_strategy(self) -> None:
        """Change what becomes of turns that no longer fit, from the next turn on."""
        if (conversation := self._pane.conversation) is None:
            return
        sliding = conversation.strategy is Strategy.SLIDING
        conversation.strategy = self._strategy = Strategy.SUMMARISING if sliding else Strategy.SLIDING
        self._show_choice()
        self._pane.measure()
        self._save("working_memory.strategy", conversation.strategy.value)

    def action_copy_answer(self) -> None:
        """Copy the newest answer."""
        if answer := self._pane.last_answer:
            self.app.copy_to_clipboard(answer)
            self.notify("The answer is on the clipboard.", timeout=3)
        else:
            self.notify("There is no answer to copy yet.", timeout=3)

    @work(exclusive=True, group="learn")
    async def action_learn(self) -> None:
        """Have consolidated what waits."""
        with telling(self):
            await asyncio.to_thread(self._services.consolidate)

    @on(ConversationPane.AnsweringChanged)
    def _follow_answer(self, event: ConversationPane.AnsweringChanged) -> None:
        self.refresh_bindings()
        if not event.answering:
            self._list_sessions()

    @on(ConversationPane.Recalled)
    def _show_recalled(self, event: ConversationPane.Recalled) -> None:
        self.query_one(RecalledPane).show(event.event.items, event.event.error)

    @on(ConversationPane.Measured)
    def _show_gauge(self, event: ConversationPane.Measured) -> None:
        self.query_one(StatusLine).gauge = event.gauge

    @on(SessionList.Opened)
    def _open_session(self, event: SessionList.Opened) -> None:
        if self._choice is not None and not self._refused_while_answering():
            self._open(self._choice, event.session_id)

    @on(SessionList.Left)
    def _leave_sessions(self) -> None:
        self._pane.focus_prompt()

    @work(exclusive=True, group="open")
    async def _open(self, choice: ModelChoice, session_id: SessionId | None, *, latest: bool = False) -> None:
        with telling(self):
            conversation = await asyncio.to_thread(self._conversation, choice, session_id, latest)
            conversation.choice = self._choice or choice
            conversation.strategy = self._strategy or conversation.strategy
            await self._pane.show(conversation)
            self.query_one(StatusLine).gauge = None
            self.query_one(RecalledPane).reset()
            self.query_one(SessionList).remove_class("-asked")
            self._pane.focus_prompt()
            self._show_choice()
            self._list_sessions()

    def _conversation(self, choice: ModelChoice, session_id: SessionId | None, latest: bool) -> Conversation:
        conversations = self._services.conversations
        if session_id is not None:
            return conversations.resume(session_id, choice)
        return conversations.latest(choice) if latest else conversations.begin(choice)

    @work(exclusive=True, group="sessions")
    async def _list_sessions(self) -> None:
        with telling(self):
            sessions = await asyncio.to_thread(self._services.log.sessions, limit=SHOWN)
            current = self._pane.conversation.session.id if self._pane.conversation else None
            self.query_one(SessionList).show(sessions, current)

    @work(group="save")
    async def _save(self, key: str, value: str) -> None:
        with telling(self):
            await asyncio.to_thread(self._services.save_setting, key, value)

    @property
    def _pane(self) -> ConversationPane:
        return self.query_one(ConversationPane)

    def _show_choice(self) -> None:
        status = self.query_one(StatusLine)
        status.model = self._choice.name if self._choice else ""
        status.strategy = self._pane.conversation.strategy if self._pane.conversation else None

    def _refused_while_answering(self) -> bool:
        if self._pane.answering:
            self.notify(BUSY, severity="warning", timeout=5)
        return self._pane.answering


def _set_shown(pane: Widget, shown: bool) -> None:
    """Show or hide a pane whatever the width of the screen."""
    pane.set_class(shown, "-asked")
    pane.set_class(not shown, "-dismissed")
