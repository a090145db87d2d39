"""Making the prompts of a conversation: which of its turns fit, and what goes with them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from chatmem.conversation.assembly import assembled, pieces
from chatmem.conversation.attachments import IMAGE_TOKENS, NAME_TOKENS, read_images, shown_images
from chatmem.conversation.parts import Limits, Parts
from chatmem.conversation.screening import Said
from chatmem.conversation.traces import Sent, Traces
from chatmem.conversation.working_memory import Gauge, Sizes, Strategy, Window, ending, extract_summary, fit
from chatmem.domain.model import ChatRequest, ModelChoice
from chatmem.domain.recall import Recalled
from chatmem.domain.turn import Role, Session, SessionId, Turn, TurnId
from chatmem.prompts import prompt

LEAST_WINDOW = 64
"""The window's least budget, in tokens, whatever the model's context is said to be."""

SLACK = 16
"""For the words between the parts of a prompt, in tokens."""

PAGE = 64
"""Turns that are read at first, from the end of a session; each further read takes twice as many."""

PARTIAL = 0.5
"""Part of the window that a reply may take which is to be continued; of a longer one, its end is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Which part of a session is looked at, and for which model.

    Attributes:
        strategy: What becomes of turns that do not fit.
        upto: `seq` of the last turn of the current branch to show; `None` for all.
        going_on: Whether that turn is a reply to be continued.
        let_through: The turn of which the model is shown what was said, not what was kept; `None` as a rule.
        upcoming: A turn that is not in the log, behind all others; `None` as a rule.
        as_of: The day as of which memories are recalled; `None` for the present.
    """

    session_id: SessionId
    choice: ModelChoice
    strategy: Strategy
    upto: int | None = None
    going_on: bool = False
    let_through: Said | None = None
    upcoming: Turn | None = None
    as_of: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Framed:
    """The window of one prompt, with what it was made for.

    Attributes:
        summary: The running summary, with the turns folded in that do not fit; empty for none.
        room: The window's budget in tokens.
        limits: How the rest of the context is shared out.
        images: How many images of which turns are shown.
        let_through: The turn of which the model is shown what was said; `None` as a rule.
    """

    choice: ModelChoice
    window: Window
    summary: str
    room: int
    limits: Limits
    images: dict[TurnId, int]
    let_through: Said | None = None


class Prompting:
    """Makes the prompts of one conversation, and knows what the model was shown last. Methods block.

    Every method raises `StoreError` if the log can't be read.

    Attributes:
        traces: What is known of the answers since the conversation was taken up.
    """

    def __init__(self, parts: Parts) -> None:
        self.traces = Traces()
        self._parts = parts
        self._sizes = Sizes(parts.counter)
        self._shown: tuple[int, ...] | None = None
        self._shown_room = 0

    def frame(self, view: View, *, most_tokens: int | None = None) -> Framed:
        """The newest turns that fit the model, in a window of at most `most_tokens`."""
        session = self._parts.log.session(view.session_id)
        limits, room = self.shares(view.choice)
        room = max(LEAST_WINDOW, min(room, most_tokens or room))
        usable = view.upto is None or session.summarised_to < view.upto
        summarising = view.strategy is Strategy.SUMMARISING
        turns = self._unfolded(view, session) if summarising and usable else self._newest(view, session, room)
        if view.let_through is not None:
            turns = [view.let_through.spoken(turn) for turn in turns]
        if view.upcoming is not None:
            turns.append(view.upcoming)
        images = shown_images(turns, takes=self._parts.chat_model.facts(view.choice).vision is not False)
        if view.going_on:
            turns[-1] = self._end_of(turns[-1], int(room * PARTIAL))
        window = fit(turns, self._parts.counter, budget_tokens=room, cost=self._cost(images))
        return Framed(
            choice=view.choice,
            window=window,
            summary=self._summary(
                session.summary if usable else "", window.evicted if summarising else (), limits.summary
            ),
            room=room,
            limits=limits,
            images=images,
            let_through=view.let_through,
        )

    def request(self, framed: Framed, recalled: Sequence[Recalled], answer_id: TurnId) -> ChatRequest:
        """The prompt of a window, for an answer; from now on that is what the model was shown."""
        kept = framed.window.kept
        self._shown, self._shown_room = tuple(turn.seq for turn in kept), framed.room
        sent = self.compose(framed, recalled, self._parts.clock.now(), answer_id)
        self.traces.sent = self._without_secrets(sent, framed.let_through)
        return ChatRequest(choice=framed.choice, messages=assembled(sent.pieces), max_reply_tokens=framed.limits.reply)

    def compose(
        self, framed: Framed, recalled: Sequence[Recalled], today: datetime, answer_id: TurnId | None = None
    ) -> Sent:
        """The prompt of a window in its pieces; to compose it is not to send it."""
        kept = framed.window.kept
        images = {turn.id: read_images(turn, self._parts.log) for turn in kept if turn.id in framed.images}
        return Sent(
            choice=framed.choice,
            answer_id=answer_id,
            pieces=pieces(framed.window, recalled=recalled, summary=framed.summary, today=today, images=images),
            reply_tokens=framed.limits.reply,
        )

    def frame_next(self, view: View, session: Session, turn: Turn) -> Framed:
        """The window with a turn that is not in the log, behind the others of its session."""
        if session.turn_count:
            return self.frame(replace(view, upcoming=turn))
        limits, room = self.shares(view.choice)
        window = fit([turn], self._parts.counter, budget_tokens=room, cost=self._cost({}))
        return Framed(choice=view.choice, window=window, summary="", room=room, limits=limits, images={})

    def _without_secrets(self, sent: Sent, let_through: Said | None) -> Sent:
        """A prompt as it may be looked at again: what was let through was so for once."""
        if let_through is None:
            return sent
        withheld = self._parts.screening.withheld(let_through)
        return replace(
            sent,
            pieces=tuple(
                replace(piece, message=replace(piece.message, text=withheld.kept(piece.message.text, arriving=False)))
                for piece in sent.pieces
            ),
        )

    def left_out(self, framed: Framed) -> int:
        """How many turns the model was shown before that are left out now, because there is less room for them."""
        if self._shown is None or framed.room >= self._shown_room or not framed.window.kept:
            return 0
        first = framed.window.kept[0].seq
        return sum(seq < first for seq in self._shown)

    def recollect(self, view: View, framed: Framed) -> None:
        """Work out what the model was shown that answered before the conversation was taken up, if it is another."""
        if self._shown is not None:
            return
        self.forget_shown()
        turns = (*framed.window.evicted, *framed.window.kept)
        reply = next((turn for turn in reversed(turns) if turn.role is Role.ASSISTANT), None)
        if reply is None or reply.model in {None, view.choice.name}:
            return
        choice = self._parts.resolve(reply.model or "")
        before = self.frame(View(session_id=view.session_id, choice=choice, strategy=view.strategy, upto=reply.seq - 1))
        self._shown, self._shown_room = tuple(turn.seq for turn in before.window.kept), before.room

    def forget_shown(self) -> None:
        """Take note that another branch is looked at from now on."""
        self._shown, self._shown_room = (), 0

    def gauge(self, view: View) -> Gauge:
        """How full the context would be at the next turn."""
        framed = self.frame(view)
        return Gauge(used=framed.window.tokens + self._parts.counter.count(framed.summary), budget=framed.room)

    def shares(self, choice: ModelChoice) -> tuple[Limits, int]:
        """How a model's context is shared out, and what is left of it for the window, in tokens."""
        model, count = self._parts.chat_model, self._parts.counter.count
        context = model.context_tokens(choice)
        limits = self._parts.limits.of(choice, model.facts(choice)).within(context)
        frame = sum(count(prompt(name).text) for name in ("system", "memory", "go_on")) + SLACK
        return limits, max(LEAST_WINDOW, context - limits.reply - limits.recalled - limits.summary - frame)

    def _unfolded(self, view: View, session: Session) -> list[Turn]:
        """The turns that the summary does not cover yet: those among them that do not fit are folded into it."""
        turns = self._parts.log.turns(session.id, first=session.summarised_to + 1, last=view.upto)
        return [turn for turn in turns if _says_something(turn)]

    def _newest(self, view: View, session: Session, room: int) -> list[Turn]:
        """As many of the newest turns as can fit, and a few more; an old session is not read to its beginning."""
        turns: list[Turn] = []
        last, size, tokens = view.upto, PAGE, 0
        first = (last or session.turn_count) + 1
        while first > 1 and tokens <= room:
            first = max(1, first - size)
            read = self._parts.log.turns(session.id, first=first, last=last)
            page = [turn for turn in read if _says_something(turn)]
            tokens += sum(map(self._sizes, page))
            turns[:0] = page
            last, size = first - 1, size * 2
        return turns

    def _cost(self, images: dict[TurnId, int]) -> Callable[[Turn], int]:
        def cost(turn: Turn) -> int:
            shown = images.get(turn.id, 0)
            named = 0 if shown else len(turn.attachments)
            return self._sizes(turn) + shown * IMAGE_TOKENS + named * NAME_TOKENS

        return cost

    def _end_of(self, reply: Turn, tokens: int) -> Turn:
        return replace(reply, text=ending(reply.text, self._parts.counter, tokens))

    def _summary(self, summary: str, evicted: Sequence[Turn], tokens: int) -> str:
        if evicted:
            return extract_summary(summary, evicted, self._parts.counter, budget_tokens=tokens)
        return self._parts.counter.cut(summary, tokens)


def _says_something(turn: Turn) -> bool:
    return bool(turn.text or (turn.attachments and turn.role is Role.USER))
