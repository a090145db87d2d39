"""What the person asks the chat screen of an answer: what it rested on."""

from functools import partial

from chatmem.domain.turn import TurnId
from chatmem.ui.screens.chat_learning import ChatLearning
from chatmem.ui.widgets.turn_actions import BY_WISH, Wish

NO_ANSWER = "There is no answer to explain yet."


class ChatCiting(ChatLearning):
    """The actions of the chat screen that trace an answer to what it rested on."""

    def action_why(self) -> None:
        """Explain the selected answer, or else the newest."""
        box = self.pane.transcript.on_which(BY_WISH[Wish.WHY])
        if box is None:
            self.notify(NO_ANSWER, timeout=3)
        else:
            self.explain(box.turn.id)

    def explain(self, turn_id: TurnId) -> None:
        """Show what the answer to a turn, or a turn that is an answer, rested on."""
        from chatmem.ui.screens.why import Place, WhyScreen

        def left(place: Place | None) -> None:
            if place is not None:
                self.go_to(place.session_id, place.turn_id)

        if (conversation := self.pane.conversation) is not None:
            explain = partial(self._services.explaining.explain, turn_id, conversation.traces.parts)
            self.app.push_screen(WhyScreen(self._services, explain, self._forget_words), left)

    def action_context(self) -> None:
        """Show what was sent for the selected answer, or else the newest; without one, what would be sent."""
        from chatmem.ui.screens.context import ContextScreen

        if (conversation := self.pane.conversation) is not None:
            box = self.pane.transcript.on_which(BY_WISH[Wish.WHY])
            recalled = self._services.explaining.recalled
            sent = partial(conversation.context_of, box.turn.id, recalled) if box else None
            self.app.push_screen(ContextScreen(sent, partial(conversation.next_context, self.pane.prompt.words)))

    def _forget_words(self) -> None:
        """Show the chat without what was forgotten."""
        self.pane.reread()
        self._list_sessions()
