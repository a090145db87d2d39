"""The chat screen."""

import asyncio
from collections.abc import Iterator
from typing import ClassVar

from textual import events, on, work
from textual.actions import parse
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from chatmem.consolidation.news import ConsolidationNews, SessionConsolidated
from chatmem.conversation import Conversation, MemoriesRecalled, Refitted, ReplyEnded, Strategy
from chatmem.domain.model import ModelChoice
from chatmem.domain.turn import SessionId, TurnId
from chatmem.ui.copying import copy
from chatmem.ui.failures import telling
from chatmem.ui.screens.chat_citing import ChatCiting
from chatmem.ui.screens.chat_commands import commands
from chatmem.ui.screens.opening import Opening, opened
from chatmem.ui.screens.turn_wishes import TurnWishes
from chatmem.ui.services import Services
from chatmem.ui.widgets.conversation_pane import ConversationPane
from chatmem.ui.widgets.key_line import KeyLine
from chatmem.ui.widgets.recalled_pane import RecalledPane
from chatmem.ui.widgets.session_list import SHOWN, SessionList
from chatmem.ui.widgets.slash_prompt import SlashPrompt
from chatmem.ui.widgets.status_line import StatusLine
from chatmem.ui.widgets.transcript import Transcript
from chatmem.ui.widgets.turn_actions import Wish
from chatmem.ui.widgets.turn_keys import TurnKeys
from chatmem.ui.wording import counted

BUSY = "An answer is still arriving. Wait for it, or stop it with Esc."
NOT_AT_HAND = "{gone}, which this conversation talked to, is not at hand any more: {instead} answers."


class ChatScreen(ChatCiting):
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
        Binding("escape", "cancel_edit", "Back", key_display="Esc"),
        Binding("f1", "app.help", "Help", key_display="F1"),
        Binding("f2", "memories", "Memory", key_display="F2"),
        Binding("f3,ctrl+b", "sessions", "Sessions", key_display="F3"),
        Binding("f4", "recalled", "Recalled", key_display="F4"),
        Binding("f5,ctrl+l", "model", "Model", key_display="F5"),
        Binding("f7", "review", "Review", show=False, priority=True),
        Binding("f9", "changes", "Changes", show=False),
        Binding("ctrl+n", "new", "New"),
        Binding("ctrl+n", "new_anyway", "New", show=False),
        Binding("ctrl+f", "find_offered", "Find", priority=True),
        Binding("ctrl+f", "find", "Find", show=False, priority=True),
        Binding("ctrl+g,f6", "search", "Search all", show=False, priority=True),
        Binding("ctrl+s", "export", "Export", show=False, priority=True),
        Binding("ctrl+t", "strategy", "Strategy", show=False),
        Binding("ctrl+r", "regenerate", "Regenerate", show=False, priority=True),
        Binding("ctrl+y", "copy_answer", "Copy answer", show=False, priority=True),
        Binding("ctrl+up", "turn_offered(-1)", "Turns", key_display="^↑"),
        Binding("ctrl+up,alt+up", "turn(-1)", "Turn before", show=False),
        Binding("ctrl+down,alt+down", "turn(1)", "Turn after", show=False),
    ]

    def __init__(
        self,
        services: Services,
        choice: ModelChoice | None,
        *,
        session_id: SessionId | None = None,
        resume_latest: bool = False,
    ) -> None:
        super().__init__(services, choice)
        self._session_id = session_id
        self._resume_latest = resume_latest
        self._strategy: Strategy | None = None
        self._wishes = TurnWishes(self, services, self._pick_model, self.explain)

    def compose(self) -> ComposeResult:
        """Lay out sessions, conversation and recalled memories above the status line."""
        with Horizontal(id="panes"):
            yield SessionList()
            yield ConversationPane(self._services)
            yield RecalledPane()
        yield StatusLine()
        yield TurnKeys()
        yield KeyLine()

    def on_mount(self) -> None:
        """Take up the conversation that was asked for."""
        self._show_choice()
        self._list_sessions()
        if self._choice is not None:
            self._begin_to_open(Opening(session_id=self._session_id, latest=self._resume_latest))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what there is to stop or to leave, and as much else as the footer has room for."""
        if action == "stop":
            return self.pane.answering and not self.pane.editing
        if action == "cancel_edit":
            return self.pane.editing
        if action == "new":
            return not self.pane.answering and not self.pane.editing
        if action in {"find_offered", "turn_offered"}:
            return not self.has_class("-narrow")
        if action == "regenerate":
            return not self.pane.prompt.redoes
        return super().check_action(action, parameters)

    def use(self, choice: ModelChoice) -> None:
        """Talk to a model from the next turn on, and at the next start."""
        first = self._choice is None
        self._choice = choice
        if self.pane.conversation is not None:
            self.pane.conversation.choice = choice
        self._show_choice()
        self._save("model", choice.name)
        if self.pane.conversation is not None:
            self.pane.measure()
        elif first:
            self._begin_to_open(Opening(session_id=self._session_id, latest=self._resume_latest))

    def renew(self, was: str, choice: ModelChoice) -> None:
        """Talk to a model as it is set up now, if it is the one that is talked to."""
        if self._choice is not None and self._choice.name == was:
            self.use(choice)

    def hear(self, news: ConsolidationNews) -> None:
        """Show what consolidation is doing."""
        self.query_one(StatusLine).hear(news)
        if isinstance(news, SessionConsolidated):
            self.count_waiting()

    def show_loading(self, what: str) -> None:
        """Show what is being loaded; when all is, what needed it can be measured."""
        self.query_one(StatusLine).activity = what
        if not what:
            self.pane.measure()
            self.count_waiting(opened=True)

    def commands(self) -> Iterator[SystemCommand]:
        """Everything that can be done here, for the command palette."""
        return commands(self)

    def do(self, action: str, *arguments: str) -> None:
        """Run one of the screen's actions."""
        namespace, name, parameters = parse(action)
        self.call_later(self.app.run_action, (namespace, name, (*parameters, *arguments)), self)

    def ask(self, wish: Wish) -> None:
        """Do something with the selected turn, or with the newest of which it can be asked."""
        self._wishes.ask(wish)

    def action_stop(self) -> None:
        """Stop the running answer."""
        self.pane.stop()

    def action_cancel_edit(self) -> None:
        """Leave the turn that is edited as it was."""
        self.pane.cancel_edit()

    def action_regenerate(self) -> None:
        """Answer anew."""
        self.ask(Wish.AGAIN)

    def action_new(self) -> None:
        """Begin a new conversation."""
        if self._choice is not None and not self._refused_while_answering():
            self._begin_to_open(Opening())

    def action_new_anyway(self) -> None:
        """Begin a new conversation, though the footer has no room to offer it."""
        self.action_new()

    def action_strategy(self) -> None:
        """Change what becomes of turns that no longer fit, from the next turn on."""
        if (conversation := self.pane.conversation) is None:
            return
        sliding = conversation.strategy is Strategy.SLIDING
        conversation.strategy = self._strategy = Strategy.SUMMARISING if sliding else Strategy.SLIDING
        self._show_choice()
        self.pane.measure()
        self._save("working_memory.strategy", conversation.strategy.value)

    @work(group="copy")
    async def action_copy_answer(self) -> None:
        """Copy the newest answer."""
        if answer := self.pane.transcript.last_answer:
            await copy(self, self._services, answer, "The answer is on the clipboard.")
        else:
            self.notify("There is no answer to copy yet.", timeout=3)

    @on(events.Resize)
    def _offer_what_fits(self) -> None:
        self.refresh_bindings()

    @on(ConversationPane.AnsweringChanged)
    def _follow_answer(self, event: ConversationPane.AnsweringChanged) -> None:
        self.refresh_bindings()
        if event.answering:
            self.query_one(StatusLine).fitting = ""
        else:
            self._show_choice()
            self._list_sessions()

    @on(ConversationPane.Happened)
    def _show_happened(self, event: ConversationPane.Happened) -> None:
        match event.event:
            case MemoriesRecalled(items=items, error=error, tier=tier):
                self.query_one(RecalledPane).show(items, error, tier)
            case ReplyEnded(turn=turn, used=used):
                self.query_one(RecalledPane).show_used(turn.parent_id, used)
            case Refitted(left_out=count, summarised=summarised):
                fate = "folded away" if summarised else "left out"
                self.query_one(StatusLine).fitting = f"{counted(count, 'turn')} {fate}"

    @on(ConversationPane.Measured)
    def _show_measured(self, event: ConversationPane.Measured) -> None:
        status = self.query_one(StatusLine)
        status.gauge, status.spending = event.gauge, event.spending

    @on(SlashPrompt.Called)
    def _carry_out(self, event: SlashPrompt.Called) -> None:
        self.do(event.call.command.action, *event.call.arguments)

    @on(Transcript.Asked)
    def _grant(self, event: Transcript.Asked) -> None:
        self._wishes.grant(event.wish, event.box)

    @on(Transcript.Selected)
    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _show_keys(self) -> None:
        selected = self.pane.transcript.selected if self.pane.transcript.has_focus else None
        self.set_class(selected is not None, "-on-a-turn")
        if selected is not None:
            self.query_one(TurnKeys).show(selected)

    @on(SessionList.Opened)
    def _open_session(self, event: SessionList.Opened) -> None:
        self.go_to(event.session_id)

    @on(SessionList.Left)
    def _leave_sessions(self) -> None:
        self.pane.focus_prompt()

    def go_to(self, session_id: SessionId, at: TurnId | None = None) -> None:
        """Open a session, at its end or at a turn."""
        conversation = self.pane.conversation
        if at is not None and conversation is not None and conversation.session.id == session_id:
            self.pane.transcript.focus(scroll_visible=False)
            self.pane.jump(at)
        elif not self._refused_while_answering():
            self._begin_to_open(Opening(session_id=session_id, at=at, as_remembered=True))

    def _begin_to_open(self, opening: Opening) -> None:
        self.pane.expect()
        self._open(opening)

    @work(exclusive=True, group="open")
    async def _open(self, opening: Opening) -> None:
        if (choice := self._choice) is None:
            self.pane.give_back()
            return
        with telling(self):
            conversation = await asyncio.to_thread(opened, self._services, opening, choice)
            if self._choice is not None and self._choice is not choice:
                conversation.choice = self._choice  # the person has picked another model meanwhile
            self._choice = conversation.choice
            conversation.strategy = self._strategy or conversation.strategy
            conversation.as_of = self._as_of
            await self.pane.show(conversation, opening.at)
            self._show_opened(conversation, opening)
        self.pane.give_back()

    def _show_opened(self, conversation: Conversation, opening: Opening) -> None:
        status = self.query_one(StatusLine)
        status.gauge, status.spending, status.fitting = None, None, ""
        self.show_mode()
        self.query_one(RecalledPane).reset()
        self.query_one(SessionList).remove_class("-asked")
        if opening.at is None:
            self.pane.focus_prompt()
        else:
            self.pane.transcript.focus(scroll_visible=False)
        gone, instead = conversation.session.model, conversation.choice.name
        if opening.as_remembered and gone and gone != instead:
            self.notify(NOT_AT_HAND.format(gone=gone, instead=instead), timeout=8, markup=False)
        self._show_choice()
        self._list_sessions()

    @work(exclusive=True, group="sessions")
    async def _list_sessions(self) -> None:
        with telling(self):
            sessions = await asyncio.to_thread(self._services.log.sessions, limit=SHOWN)
            current = self.pane.conversation.session.id if self.pane.conversation else None
            self.query_one(SessionList).show(sessions, current)

    @work(group="save")
    async def _save(self, key: str, value: str) -> None:
        with telling(self):
            await asyncio.to_thread(self._services.save_setting, key, value)

    def _show_choice(self) -> None:
        status = self.query_one(StatusLine)
        name = self._choice.name if self._choice else ""
        if self.pane.answering:
            status.upcoming = name if name != status.model else ""
        else:
            status.model, status.upcoming = name, ""
        status.strategy = self.pane.conversation.strategy if self.pane.conversation else None

    def _refused_while_answering(self) -> bool:
        if self.pane.answering:
            self.notify(BUSY, severity="warning", timeout=5)
        return self.pane.answering
