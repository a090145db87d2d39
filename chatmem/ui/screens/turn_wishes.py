"""Carrying out what the person wants of a turn."""

from collections.abc import Callable

from textual.screen import Screen

from chatmem.domain.model import ModelChoice
from chatmem.domain.turn import TurnId
from chatmem.ui.copying import copy
from chatmem.ui.services import Services
from chatmem.ui.widgets.conversation_pane import ConversationPane
from chatmem.ui.widgets.turn_actions import BY_WISH, Wish
from chatmem.ui.widgets.turns import ReplyTurn, TurnBox, UserTurn


class TurnWishes:
    """Carries out what the person wants of a turn: in the conversation, with the clipboard, or after a question.

    Args:
        screen: The screen of the conversation.
        pick_model: Asks for a model, and calls what it is given with the one that was picked.
        explain: Shows what an answer rested on.
    """

    def __init__(
        self,
        screen: Screen[None],
        services: Services,
        pick_model: Callable[[Callable[[ModelChoice], object]], None],
        explain: Callable[[TurnId], None],
    ) -> None:
        self._screen = screen
        self._services = services
        self._pick_model = pick_model
        self._explain = explain

    def ask(self, wish: Wish) -> None:
        """Do it with the selected turn, or with the newest of which it can be asked."""
        action = BY_WISH[wish]
        box = self._pane.transcript.on_which(action)
        if box is None:
            self._screen.notify(action.missing, timeout=3)
        else:
            self.grant(wish, box)

    def grant(self, wish: Wish, box: TurnBox) -> None:
        """Do it with this turn."""
        match wish:
            case Wish.COPY:
                self._copy(box.words, "The turn is on the clipboard.")
            case Wish.COPY_CODE:
                self._copy_code(box.words)
            case Wish.QUOTE:
                self._pane.quote(self._screen.get_selected_text() or box.words)
            case Wish.THOUGHTS if isinstance(box, ReplyTurn) and box.thoughts is not None:
                box.thoughts.toggle()
            case Wish.WHY:
                self._explain(box.turn.id)
            case Wish.GOOD | Wish.BAD:
                self._judge(box.turn.id, liked=wish is Wish.GOOD)
            case Wish.LET_THROUGH if isinstance(box, UserTurn):
                self._pane.let_through(box)
            case _:
                self._grant_anew(wish, box)

    def _grant_anew(self, wish: Wish, box: TurnBox) -> None:
        turn = box.turn
        match wish:
            case Wish.AGAIN:
                self._pane.regenerate(turn.id)
            case Wish.OTHER_MODEL:
                self._pick_model(lambda choice: self._pane.regenerate(turn.id, choice))
            case Wish.EDIT:
                self._pane.edit(turn)
            case Wish.GO_ON:
                self._pane.go_on(turn.id)
            case Wish.PREVIOUS:
                self._pane.follow(turn.id, -1)
            case Wish.NEXT:
                self._pane.follow(turn.id, 1)

    def _copy(self, text: str, said: str) -> None:
        self._screen.run_worker(copy(self._screen, self._services, text, said), group="copy")

    def _judge(self, answer_id: TurnId, *, liked: bool) -> None:
        from chatmem.ui.screens.judging import judge

        self._screen.run_worker(judge(self._screen, self._services, answer_id, liked=liked), group="judge")

    def _copy_code(self, source: str) -> None:
        from chatmem.ui.flat_markdown import code_blocks
        from chatmem.ui.screens.code import CodePicker

        def picked(code: str | None) -> None:
            if code is not None:
                self._copy(code, "The code is on the clipboard.")

        blocks = code_blocks(source)
        if len(blocks) > 1:
            self._screen.app.push_screen(CodePicker(blocks), picked)
        else:
            picked(blocks[0].code if blocks else None)

    @property
    def _pane(self) -> ConversationPane:
        return self._screen.query_one(ConversationPane)
