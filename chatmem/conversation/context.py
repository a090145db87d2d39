"""Showing what a model is sent: the pieces of a prompt and their weight, as the code that sends it makes them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from chatmem.conversation.as_of import asked_as_of
from chatmem.conversation.assembly import Label
from chatmem.conversation.attachments import IMAGE_TOKENS
from chatmem.conversation.parts import Parts
from chatmem.conversation.prompting import Prompting, View
from chatmem.conversation.traces import Sent
from chatmem.conversation.working_memory import Strategy
from chatmem.domain.errors import UsageError
from chatmem.domain.model import ModelChoice
from chatmem.domain.recall import Recalled
from chatmem.domain.turn import Role, Session, Turn, TurnId

NOTHING_ASKED = "Nothing was sent for this turn: it is no answer to one before it."
TO_COME = "…"
"""Stands for a turn that is still to be typed."""

RecalledFor = Callable[[TurnId], Sequence[Recalled]]
"""What the record says was recalled for a user's turn. May block."""


class Basis(StrEnum):
    """What is known of a prompt that is shown."""

    SENT = "sent"
    """It is the very one that was sent."""

    REBUILT = "rebuilt"
    """It was made again from the session log and the recall record."""

    NEXT = "next"
    """It is what would be sent with the next turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPart:
    """A piece of a prompt.

    Attributes:
        role: `system`, `user` or `assistant`.
        tokens: As chatmem counts them, images included.
        images: How many of them go with it.
    """

    label: Label
    role: str
    text: str
    tokens: int
    images: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A prompt, as a person looks at it.

    Attributes:
        model: Its name.
        parts: In their order.
        size: The model's context, in tokens.
        reply_tokens: Of it kept free for the reply.
        counted: The prompt's tokens as the provider counted them; `None` where it did not.
    """

    basis: Basis
    model: str
    parts: tuple[ContextPart, ...]
    size: int
    reply_tokens: int
    counted: int | None = None

    @property
    def tokens(self) -> int:
        """Of all parts, as chatmem counts them."""
        return sum(part.tokens for part in self.parts)


class Contexts:
    """Shows the prompts of one conversation. Methods block; all raise `StoreError` if the log fails."""

    def __init__(self, parts: Parts, prompting: Prompting) -> None:
        self._parts = parts
        self._prompting = prompting

    def of_answer(self, reply_id: TurnId, strategy: Strategy, recalled_for: RecalledFor) -> Context:
        """What was sent for an answer: the very prompt if it is still known, else one made again as far as that goes.

        Made again it has the memories in their present wording, and the summary and the settings of now.

        Raises:
            NotFoundError: If there is no such turn.
            UsageError: If it is no answer to another turn.
        """
        reply = self._parts.log.turn(reply_id)
        if reply.role is not Role.ASSISTANT or reply.parent_id is None:
            raise UsageError(NOTHING_ASKED)
        usage = self._parts.log.usage(reply.session_id).get(reply.id)
        counted = usage.prompt_tokens if usage and usage.prompt_tokens else None
        sent = self._prompting.traces.sent
        if sent is not None and sent.answer_id == reply.id:
            return self._weighed(sent, Basis.SENT, counted)
        rebuilt = self._rebuilt(reply, self._parts.log.turn(reply.parent_id), strategy, recalled_for)
        return self._weighed(rebuilt, Basis.REBUILT, counted)

    def of_next(self, view: View, session: Session, text: str, *, recalls: bool) -> Context:
        """What would be sent with a text, or with one that is still to be typed; its secrets are taken out of it."""
        turn = Turn(
            id=TurnId(""),
            session_id=session.id,
            seq=session.turn_count + 1,
            role=Role.USER,
            text=self._parts.screening.look(text).kept or TO_COME,
            said_at=self._parts.clock.now(),
        )
        framed = self._prompting.frame_next(view, session, turn)
        recalled: Sequence[Recalled] = ()
        if text and recalls:
            shown = {kept.id for kept in framed.window.kept}
            asked = asked_as_of(turn.text, view.as_of)
            found = self._parts.recall.recollect(asked, exclude=shown, budget_tokens=framed.limits.recalled)
            recalled = found.items
        return self._weighed(self._prompting.compose(framed, recalled, turn.said_at), Basis.NEXT)

    def _rebuilt(self, reply: Turn, question: Turn, strategy: Strategy, recalled_for: RecalledFor) -> Sent:
        choice: ModelChoice = self._parts.resolve(reply.model or "")
        view = View(session_id=reply.session_id, choice=choice, strategy=strategy, upto=question.seq)
        recalled = [self._as_shown(item) for item in recalled_for(question.id)]
        return self._prompting.compose(self._prompting.frame(view), recalled, question.said_at)

    def _as_shown(self, item: Recalled) -> Recalled:
        """A recalled item as long as recall gives it to a prompt."""
        if item.source.is_memory:
            return item
        from chatmem.recall.showing import EXCERPT_TOKENS

        excerpt = self._parts.counter.cut(item.text, EXCERPT_TOKENS)
        return item if excerpt == item.text else replace(item, text=f"{excerpt}…")

    def _weighed(self, sent: Sent, basis: Basis, counted: int | None = None) -> Context:
        return Context(
            basis=basis,
            model=sent.choice.name,
            parts=tuple(
                ContextPart(
                    label=piece.label,
                    role=piece.message.role,
                    text=piece.message.text,
                    tokens=self._parts.counter.count(piece.message.text) + IMAGE_TOKENS * len(piece.message.images),
                    images=len(piece.message.images),
                )
                for piece in sent.pieces
            ),
            size=self._parts.chat_model.context_tokens(sent.choice),
            reply_tokens=sent.reply_tokens,
            counted=counted,
        )
